#include <fmt/format.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <ostream>

#include "host/appliance/text/commands.hpp"
#include "host/appliance/text/options.hpp"
#include "host/data/token_shard.hpp"
#include "host/text/load.hpp"
#include "sw/base/refusal.hpp"

namespace weft {

int detokenize_command(const Options& options, std::ostream& out, std::ostream&, bool) {
  const std::string in = needed(options, "in", "name a token shard: weft detokenize IN.bin ...");
  const auto tokenizer = text::load_tokenizer(needed(options, "tokenizer", "name a vocab.json or a tokenizer.json"),
                                              option(options, "merges", ""));
  std::error_code error;
  const std::uintmax_t size =
      std::filesystem::file_size(in, error);  // of a pipe there is none, and nobody waits for it
  std::ifstream file;
  if (!error) file.open(in, std::ios::binary);
  if (!file || error) throw Refusal(in, "cannot be opened", "see that it is there and that you may read it");
  std::vector<std::uint8_t> header(kShardHeaderBytes);
  file.read(reinterpret_cast<char*>(header.data()), static_cast<std::streamsize>(header.size()));
  header.resize(static_cast<std::size_t>(file.gcount()));
  ShardLayout layout;
  try {
    layout =
        parse_shard_header(header, size, options.contains("headerless") ? ShardFormat::Headerless : ShardFormat::LlmC);
  } catch (const Refusal& e) {
    throw e.within(in);
  }
  const auto end = tokenizer->end();
  std::vector<std::uint32_t> document;  // what is not printed yet
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
        throw Refusal(in, fmt::format("has token {}, and the vocabulary has {}", id, tokenizer->size()),
                      "give the tokenizer that it was made with");
      document.push_back(id);
      if (id == end) print();
    }
  }
  print();
  return 0;
}

}  // namespace weft
