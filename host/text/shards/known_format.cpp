#include "host/text/shards/known_format.hpp"

#include <fmt/format.h>

#include "sw/base/refusal.hpp"

namespace weft::text {
namespace {

using namespace std::string_view_literals;

constexpr auto kUnpack = "unpack it, or pack it by gzip or Zstandard";
constexpr auto kColumns = "write its texts as *.jsonl, an object a line";

struct Format {
  std::size_t at;  // the byte where it says so
  std::string_view bytes, name, hint;
};

constexpr Format kFormats[] = {
    {0,
     "\xfd"
     "7zXZ\0"sv,
     "packed by xz", kUnpack},
    {0, "BZh91AY&SY"sv, "packed by bzip2", kUnpack},
    {0, "\x04\x22\x4d\x18"sv, "packed by LZ4", kUnpack},
    {0, "7z\xbc\xaf\x27\x1c"sv, "an archive of 7-Zip", kUnpack},
    {0, "PK\x03\x04"sv, "an archive of zip", kUnpack},
    {257, "ustar"sv, "an archive of tar", "unpack it, and name the folder"},
    {0, "PAR1"sv, "a table of Parquet", kColumns},
    {0, "ARROW1\0\0"sv, "a table of Arrow", kColumns},
    {0, "\x89HDF\r\n\x1a\n"sv, "in HDF5", "a data_dir takes it as it is, if it is of the Model Zoo (docs/text.md)"},
    {0, "\x93NUMPY"sv, "an array of NumPy",
     "of tokens write them bare, numpy.uint16: .tofile(\"OUT.bin\"), for train_input.shard_format nanogpt"},
    {0, "%PDF-"sv, "a PDF", "write its text as *.txt"},
};

/// A mark, and a letter of ASCII behind it.
bool is_utf16(std::string_view start) {
  if (start.size() < 4) return false;
  return (start.starts_with("\xff\xfe") && start[2] > 0 && start[3] == 0) ||
         (start.starts_with("\xfe\xff") && start[2] == 0 && start[3] > 0);
}

}  // namespace

void check_is_text(const std::string& path, std::string_view start) {
  if (is_utf16(start)) throw Refusal(path, "is in UTF-16", "save it as UTF-8: iconv -f UTF-16 -t UTF-8");
  for (const Format& format : kFormats)
    if (start.size() >= format.at && start.substr(format.at).starts_with(format.bytes))
      throw Refusal(path, fmt::format("is {}, and no text", format.name), format.hint);
}

}  // namespace weft::text
