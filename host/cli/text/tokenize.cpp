#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <ostream>

#include "host/cli/text/commands.hpp"
#include "host/cli/text/options.hpp"
#include "host/config/plural.hpp"
#include "host/data/file_names.hpp"
#include "host/data/token_shard.hpp"
#include "host/system/progress.hpp"
#include "host/tokenizer/load.hpp"
#include "host/tokenizer/shards/make_shards.hpp"
#include "sw/base/refusal.hpp"

namespace weft::cli {
namespace {

std::optional<std::uint32_t> eot_of(const config::Options& options, const tokenizer::TextTokenizer& tokenizer) {
  const std::string name = config::option(options, "eot", "");
  if (name == "none") return std::nullopt;
  if (name.empty()) return tokenizer.end();
  const auto id = tokenizer.id_of(name);
  if (!id)
    throw Refusal("--eot", fmt::format("\"{}\" is not a token of the vocabulary", one_line(name, 80)),
                  "name one that is, or none");
  return id;
}

/// Rejects an output path that is an existing file, unless it is a token shard or ends with .bin: it may be the text or
/// the vocabulary, named by mistake.
void check_out(const std::string& path) {
  std::error_code error;
  if (path.ends_with(".bin") || !std::filesystem::is_regular_file(path, error) || data::is_token_shard(path)) return;
  throw Refusal(path, "exists and is not a token shard", "name another file, --out OUT.bin, or move it away");
}

}  // namespace

int tokenize_command(const config::Options& options, std::ostream& out, std::ostream& notes, bool terminal) {
  const std::string in = needed(options, "in", "name a text, a *.jsonl or a folder: weft tokenize IN ...");
  const std::string vocab = needed(options, "tokenizer", "name a vocab.json or a tokenizer.json"),
                    merges = config::option(options, "merges", "");
  const auto tokenizer = tokenizer::load_tokenizer(vocab, merges);
  if (const auto note = tokenizer::note_files_beside(vocab, merges, *tokenizer)) notes << *note << '\n';
  const std::string path = needed(options, "out", "name the shard: --out OUT.bin");
  tokenizer::ShardOptions how{.eot = eot_of(options, *tokenizer), .field = config::option(options, "field", "text")};
  if (!how.eot && config::option(options, "eot", "") != "none")
    notes << "note    the vocabulary has no token that ends a document: no separator is written between them\n";
  how.threads = threads_of(options);

  const std::uint64_t most = config::number(options, "shard_tokens", 0);
  if (most == 0) check_out(path);
  const bool wide = tokenizer->size() > 65536, bare = options.contains("headerless");
  if (wide && bare)
    throw Refusal("--headerless",
                  fmt::format("writes 16 bits per token, but the vocabulary has {} tokens", tokenizer->size()),
                  "leave it out: a header declares 32 bits per token");
  const std::vector<std::string> files = texts_of(in);
  data::check_parts(in, files);
  tokenizer::Parts parts(files, *tokenizer);
  tokenizer::ShardWriter writer(path, wide, most, bare ? tokenizer::ShardHeader::None : tokenizer::ShardHeader::LlmC);
  const auto begin = std::chrono::steady_clock::now();
  tokenizer::ShardTotals totals;
  {
    system::Progress progress(notes, terminal);
    progress.begin("tokenize", parts.size());
    totals = tokenizer::make_shards(parts, *tokenizer, how, writer, [&](std::uint64_t taken, std::uint64_t bytes) {
      if (!options.contains("quiet")) progress.show(taken, bytes);
    });
  }
  if (writer.tokens() == 0) throw Refusal(in, "has no text", "name another");
  const std::vector<std::string> shards = writer.commit();
  if (writer.removed() > 0)
    notes << fmt::format("note    {} of an earlier run with the numbers that follow {} removed\n",
                         config::plural(writer.removed(), "shard"), writer.removed() == 1 ? "is" : "are");
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const double megabytes = 1e-6 * static_cast<double>(totals.bytes);
  out << fmt::format("{}{}: {} of {}, {:.3g} MB in {:.3g} s, {:.3g} MB/s a core\n", shards[0],
                     shards.size() > 1 ? fmt::format(" and {} more", shards.size() - 1) : "",
                     config::plural(writer.tokens(), "token"), config::plural(totals.documents, "document"), megabytes,
                     seconds, megabytes / std::max(totals.encode_seconds, 1e-9));
  return 0;
}

}  // namespace weft::cli
