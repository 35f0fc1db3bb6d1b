#include <fmt/format.h>

#include <filesystem>
#include <ostream>

#include "host/checkpoint/file.hpp"
#include "host/cli/text/commands.hpp"
#include "host/cli/text/options.hpp"
#include "host/config/plural.hpp"
#include "host/system/overwrite_guard.hpp"
#include "host/system/progress.hpp"
#include "host/tokenizer/bpe_files.hpp"
#include "host/tokenizer/shards/count_words.hpp"
#include "sw/base/refusal.hpp"

namespace weft::cli {
namespace {

/// Byte-level tokenizer without merges, used to find where documents may be cut.
const tokenizer::ByteBpe& bytes_alone() {
  static const tokenizer::ByteBpe bpe([] {
    tokenizer::BpeParts parts;
    for (std::uint32_t b = 0; b < 256; ++b) parts.tokens[b] = std::string(1, static_cast<char>(b));
    parts.splits = {{.pattern = std::string(tokenizer::kGpt2Pattern)}};
    return parts;
  }());
  return bpe;
}

/// Parses "<|endoftext|>,<|pad|>"; "none" means no special tokens.
std::vector<std::string> special_of(const config::Options& options) {
  std::vector<std::string> tokens;
  std::string all = config::option(options, "special", "<|endoftext|>");
  if (all == "none") return tokens;
  for (std::size_t comma = 0; comma != std::string::npos; all.erase(0, comma + 1)) {
    comma = all.find(',');
    tokens.push_back(all.substr(0, comma));
    if (comma == std::string::npos) break;
  }
  return tokens;
}

/// Throws Refusal if the folder has a vocabulary that this command did not make: shards may depend on it and could not
/// be decoded without it. Its own output may be replaced.
void check_folder(const std::filesystem::path& folder) {
  const std::string merges = folder / "merges.txt";
  if (system::has_bytes(merges)) return system::guard_overwrite(merges, tokenizer::kOwnMerges);
  for (const char* name : {"vocab.json", "tokenizer.json"})
    if (system::has_bytes(folder / name)) throw system::overwrite_refused(folder / name);
}

void save(const std::filesystem::path& folder, const tokenizer::BpeParts& parts) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw Refusal(folder.string(), "cannot be made: " + error.message(), "name another folder: --out DIR")
        .caused_by(error.value());
  const std::pair<const char*, std::string> files[] = {{"vocab.json", tokenizer::vocabulary_json(parts)},
                                                       {"merges.txt", tokenizer::merges_text(parts)},
                                                       {"tokenizer.json", tokenizer::tokenizer_json(parts)}};
  for (const auto& [name, content] : files) {
    checkpoint::AtomicFile file(folder / name);
    file.write(content);
    file.commit();
  }
}

}  // namespace

int tokenizer_command(const config::Options& options, std::ostream& out, std::ostream& notes, bool terminal) {
  if (config::option(options, "what", "") != "train")
    throw Refusal("weft tokenizer", "requires the action train",
                  "write weft tokenizer train IN --vocab_size N --out DIR");
  const std::string in = needed(options, "in", "name a text, a *.jsonl or a folder: weft tokenizer train IN");
  const std::string folder = needed(options, "out", "name the folder of the tokenizer's files: --out DIR");
  needed(options, "vocab_size", "give the number of tokens: --vocab_size 8192");
  const std::uint64_t size = config::number(options, "vocab_size", 0);
  if (size > (1 << 24)) throw Refusal("--vocab_size", fmt::format("{} is too many", size), "use 327675 or less");
  const tokenizer::BpeTraining training{.vocab_size = static_cast<std::uint32_t>(size),
                                        .min_frequency = config::number(options, "min_frequency", 2),
                                        .special = special_of(options)};
  const auto about_size = [](const auto& work) {
    try {
      return work();
    } catch (const Refusal& e) {
      throw e.subject().empty() ? e.within("--vocab_size") : e;
    }
  };
  about_size([&] { return tokenizer::train_bpe({}, training); });  // checks the options before all input is read
  check_folder(folder);
  const bool quiet = options.contains("quiet");
  tokenizer::Parts parts(texts_of(in), bytes_alone());
  std::uint64_t bytes = 0;
  const tokenizer::WordCounts words = [&] {
    system::Progress progress(notes, terminal);
    progress.begin("words", parts.size());
    return tokenizer::count_words(parts, config::option(options, "field", "text"), threads_of(options),
                                  [&](std::uint64_t taken, std::uint64_t now) {
                                    bytes = now;
                                    if (!quiet) progress.show(taken, now);
                                  });
  }();
  if (words.empty()) throw Refusal(in, "has no text", "name another");
  system::Progress progress(notes, terminal);
  progress.begin("merges", training.vocab_size);
  const tokenizer::BpeParts made = about_size([&] {
    return tokenizer::train_bpe(words, training, [&](std::uint32_t tokens) {
      if (!quiet) progress.show(tokens, bytes);
    });
  });
  save(folder, made);
  out << fmt::format("{}: {} and {} of {} in {}\n", folder, config::plural(made.tokens.size(), "token"),
                     config::plural(made.merges.size(), "merge"), config::plural(words.size(), "different word"),
                     config::format_bytes(static_cast<double>(bytes)));
  return 0;
}

}  // namespace weft::cli
