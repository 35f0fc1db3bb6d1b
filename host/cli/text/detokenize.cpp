#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <span>

#include "host/cli/text/commands.hpp"
#include "host/cli/text/options.hpp"
#include "host/data/token_shard.hpp"
#include "host/data/width_check.hpp"
#include "host/tokenizer/load.hpp"
#include "sw/base/refusal.hpp"

namespace weft::cli {
namespace {

/// Samples blocks throughout a file without a header to check the token width before anything is printed.
void check_width(const std::string& in, std::ifstream& file, std::uintmax_t size) {
  constexpr std::uintmax_t kBlocks = 256;
  constexpr std::size_t kBlock = 4096;
  data::WidthCheck width;
  std::vector<std::uint8_t> block(kBlock);
  const std::uintmax_t distance = std::max<std::uintmax_t>(size / kBlocks / kBlock, 1) * kBlock;
  for (std::uintmax_t at = 0; at < size; at += distance) {
    file.clear();
    file.seekg(static_cast<std::streamoff>(at));
    file.read(reinterpret_cast<char*>(block.data()), static_cast<std::streamsize>(block.size()));
    width.examine(std::span(block).first(static_cast<std::size_t>(file.gcount())));
  }
  try {
    width.check();
  } catch (const Refusal& e) {
    throw e.within(in);
  }
}

}  // namespace

int detokenize_command(const config::Options& options, std::ostream& out, std::ostream&, bool) {
  const std::string in = needed(options, "in", "name a token shard: weft detokenize IN.bin ...");
  const auto tokenizer = tokenizer::load_tokenizer(
      needed(options, "tokenizer", "name a vocab.json or a tokenizer.json"), config::option(options, "merges", ""));
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(in, error);  // fails for a pipe, instead of blocking
  std::ifstream file;
  if (!error) file.open(in, std::ios::binary);
  std::error_code ignored;
  if (std::filesystem::exists(in, ignored) && !std::filesystem::is_regular_file(in, ignored))
    throw Refusal(in, "is not a regular file", "name a token shard, a file");
  if (!file || error) throw Refusal(in, "cannot be opened", "check that it exists and that you may read it");
  std::vector<std::uint8_t> header(data::kShardHeaderBytes);
  file.read(reinterpret_cast<char*>(header.data()), static_cast<std::streamsize>(header.size()));
  header.resize(static_cast<std::size_t>(file.gcount()));
  data::ShardLayout layout;
  try {
    layout = data::parse_shard_header(
        header, size, options.contains("headerless") ? data::ShardFormat::Headerless : data::ShardFormat::LlmC);
  } catch (const Refusal& e) {
    throw e.within(in);
  }
  if (layout.header == 0) check_width(in, file, size);
  const auto end = tokenizer->end();
  std::vector<std::uint32_t> document;  // not printed yet
  const auto print = [&] {
    out << tokenizer->decode(document);
    document.clear();
  };
  file.clear();
  file.seekg(static_cast<std::streamoff>(layout.header));
  std::array<char, 1 << 16> some;
  while (file.read(some.data(), some.size()), file.gcount() > 0) {
    for (std::size_t at = 0; at < static_cast<std::size_t>(file.gcount()); at += layout.width) {
      std::uint32_t id = 0;
      std::memcpy(&id, some.data() + at, layout.width);  // little endian
      if (id >= tokenizer->size())
        throw Refusal(in, fmt::format("has token {}, but the vocabulary has only {}", id, tokenizer->size()),
                      "give the tokenizer that made the shard");
      document.push_back(id);
      if (id == end) print();
    }
  }
  print();
  return 0;
}

}  // namespace weft::cli
