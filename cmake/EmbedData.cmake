# gpu_advisor_embed(<target> <folder>)
#
# A static library that holds every .json file below the folder, one after the other, as bytes of
# the program's read-only section, and the table behind gpu_advisor/support/embedded.hpp. The
# assembler reads the files (.incbin), which takes no time whatever their size; a page of them is
# read from disk only when it is used. A changed file needs the assembler alone, a new one CMake.
#
# After each file come 64 zero bytes (kEmbeddedPadding), so that a parser that reads in blocks
# beyond the end (simdjson: SIMDJSON_PADDING) needs no copy.
function(gpu_advisor_embed target folder)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE "${folder}" "${folder}/*.json")
  list(SORT files COMPARE STRING)
  set(assembly "")
  set(spans "")
  set(paths "")
  set(number 0)
  foreach(file IN LISTS files)
    string(APPEND assembly
           "  .balign 64\n" "LOCAL(begin_${number}):\n" "  .incbin \"${folder}/${file}\"\n"
           "LOCAL(end_${number}):\n" "  .zero 64\n")
    string(APPEND spans
           "  .quad LOCAL(begin_${number}) - LOCAL(first)\n"
           "  .quad LOCAL(end_${number}) - LOCAL(begin_${number})\n")
    string(APPEND paths "    \"${file}\",\n")
    math(EXPR number "${number} + 1")
  endforeach()
  set(EMBED_BLOBS "${assembly}")
  set(EMBED_SPANS "${spans}")
  set(EMBED_PATHS "${paths}")
  set(EMBED_COUNT ${number})
  set(output "${CMAKE_CURRENT_BINARY_DIR}/${target}")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/embedded.S.in" "${output}/embedded.S" @ONLY)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/embedded.cpp.in" "${output}/embedded.cpp" @ONLY)
  list(TRANSFORM files PREPEND "${folder}/")
  set_source_files_properties("${output}/embedded.S" PROPERTIES OBJECT_DEPENDS "${files}")
  add_library(${target} STATIC "${output}/embedded.S" "${output}/embedded.cpp")
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/include")
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:gpu_advisor_build_flags>)
endfunction()
