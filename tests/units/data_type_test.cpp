#include "gpu_advisor/units/data_type.hpp"

#include "catch2.hpp"

using namespace gpu_advisor::units;

TEST_CASE("every data type reads back its own name") {
  using enum DataType;
  for (const DataType type :
       {fp64, fp32, tf32, fp16, bf16, fp8, fp6, fp4, int8, int4, int2, int1}) {
    CHECK(parse_data_type(name(type)) == type);
  }
}

TEST_CASE("data types are found by the spellings of frameworks") {
  CHECK(parse_data_type("BFloat16") == DataType::bf16);
  CHECK(parse_data_type("half") == DataType::fp16);
  CHECK(parse_data_type("F16") == DataType::fp16);
  CHECK(parse_data_type("float32") == DataType::fp32);
  CHECK(parse_data_type("fp8_e4m3") == DataType::fp8);
  CHECK(parse_data_type("float8_e4m3fn") == DataType::fp8);
  CHECK_FALSE(parse_data_type("fp17"));
  CHECK_FALSE(parse_data_type(""));
}

TEST_CASE("tf32 is held in four bytes and fp4 in half a byte") {
  CHECK(bytes_per_element(DataType::tf32) == 4);
  CHECK(bytes_per_element(DataType::bf16) == 2);
  CHECK(bytes_per_element(DataType::fp4) == 0.5);
}
