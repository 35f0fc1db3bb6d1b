#include "host/data/megatron_index.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "sw/base/refusal.hpp"

namespace weft::data {
namespace {

// Layout: "MMIDIDX", two zeros, a version of 8 bytes, a type byte, numbers of sequences and documents, lengths,
// offsets.
constexpr std::string_view kIndexMagic("MMIDIDX\0\0", 9);
constexpr std::size_t kTypePlace = kIndexMagic.size() + 8;
constexpr unsigned char kUint16 = 8;
constexpr std::array kTypes = {"0", "uint8", "int8", "int16", "int32", "int64", "float64", "float32", "uint16"};

}  // namespace

void check_megatron_index(const std::string& file) {
  const std::string index = std::filesystem::path(file).replace_extension(".idx").string();
  std::array<char, kTypePlace + 1> start{};
  std::error_code error;
  if (index == file || !std::filesystem::is_regular_file(index, error)) return;
  if (!std::ifstream(index, std::ios::binary).read(start.data(), start.size()) ||
      !std::string_view(start.data(), start.size()).starts_with(kIndexMagic))
    return;
  const auto type = static_cast<unsigned char>(start[kTypePlace]);
  if (type == kUint16) return;
  throw Refusal(file,
                fmt::format("has tokens of type {} according to {}, not uint16",
                            type < kTypes.size() ? kTypes[type] : std::to_string(type), index),
                "write it with a vocabulary of less than 65,500 tokens, or convert it to shards of llm.c");
}

}  // namespace weft::data
