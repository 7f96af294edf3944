// enlarge DATA ROWS FOLDER: writes FOLDER/offers/*.json, an overlay whose offers, together with
// those of DATA/offers, make about ROWS price rows: copies of the real ones under new ids.

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace {

using Json = nlohmann::ordered_json;

struct OfferFile {
  std::string name;
  Json document;
};

std::vector<OfferFile> read_offers(const std::string& folder) {
  std::vector<OfferFile> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") {
      std::ifstream stream(entry.path());
      files.push_back({entry.path().stem().string(), Json::parse(stream)});
    }
  }
  return files;
}

// An offer counts as many rows as it has prices by region, or one.
std::size_t rows_of(const Json& offer) {
  return offer.contains("prices") ? std::max<std::size_t>(1, offer.at("prices").size()) : 1;
}

std::size_t rows_of(const std::vector<OfferFile>& files) {
  std::size_t rows = 0;
  for (const OfferFile& file : files) {
    for (const Json& offer : file.document.at("rows")) {
      rows += rows_of(offer);
    }
  }
  return rows;
}

void write_copy(const OfferFile& file, const std::string& folder, std::size_t copy) {
  Json document = file.document;
  const std::string ending = "-copy" + std::to_string(copy);
  for (Json& offer : document.at("rows")) {
    for (const char* key : {"id", "instance_type"}) {
      if (offer.contains(key)) {
        offer[key] = offer.at(key).get<std::string>() + ending;
      }
    }
  }
  std::ofstream stream(folder + "/offers/" + file.name + ending + ".json");
  stream << document.dump() << '\n';
}

int enlarge(const std::string& data, std::size_t wanted, const std::string& folder) {
  const std::vector<OfferFile> files = read_offers(data + "/offers");
  std::filesystem::create_directories(folder + "/offers");
  const std::size_t real = rows_of(files);
  std::size_t rows = real;
  for (std::size_t copy = 1; real > 0 && rows + real <= wanted + real / 2; ++copy) {
    for (const OfferFile& file : files) {
      write_copy(file, folder, copy);
    }
    rows += real;
  }
  std::printf("%zu rows\n", rows);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("enlarge DATA ROWS FOLDER\n", stderr);
    return 2;
  }
  try {
    return enlarge(argv[1], std::strtoull(argv[2], nullptr, 10), argv[3]);
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "%s\n", fault.what());
    return 1;
  }
}
