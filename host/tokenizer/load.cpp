#include "host/tokenizer/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <new>
#include <string_view>

#include "host/checkpoint/file.hpp"
#include "host/tokenizer/bpe_files.hpp"
#include "host/tokenizer/folder_settings.hpp"
#include "host/tokenizer/sentence_piece.hpp"
#include "host/tokenizer/tiktoken.hpp"
#include "host/tokenizer/unicode/byte_unicode_map.hpp"
#include "sw/base/known_format.hpp"
#include "sw/base/memory_room.hpp"
#include "sw/base/refusal.hpp"

namespace weft::tokenizer {
namespace {

constexpr std::uint64_t kMost = 1 << 30;  // maximum size of a file in bytes

std::string read(const std::string& path) {
  const std::vector<std::uint8_t> bytes = checkpoint::read_file(path, kMost);
  return {bytes.begin(), bytes.end()};
}

/// Adds the location to a Refusal from parsing the text of `path`: its subject is a line number or empty.
template <class Parse>
auto of(const std::string& path, const Parse& parse) {
  try {
    return parse();
  } catch (const Refusal& e) {
    if (!e.subject().empty() && e.subject().find_first_not_of("0123456789") == std::string::npos)
      throw Refusal(path + ":" + e.subject(), e.problem(), e.hint());
    throw e.within(path);
  }
}

/// True for a tokenizer.json. A vocab.json may also have a token "model", but the token's id is not an object.
bool is_tokenizer_json(const std::string& text) {
  constexpr std::string_view kModel = "\"model\"";
  const auto next = [&](std::size_t at) { return std::min(text.find_first_not_of(" \t\r\n", at), text.size()); };
  for (std::size_t at = 0; (at = text.find(kModel, at)) != std::string::npos;) {
    const std::size_t colon = next(at += kModel.size());
    if (colon < text.size() && text[colon] == ':' && text[std::min(next(colon + 1), text.size() - 1)] == '{')
      return true;
  }
  return false;
}

/// True if the first line is `#version`, or has two words while the text is not JSON: merges.txt, vocab.bpe.
bool is_merges(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (text.starts_with("#version")) return true;
  if (text.find_first_of("{[") == text.find_first_not_of(" \t\r\n")) return false;  // JSON
  const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
  const std::size_t space = line.find(' ');
  return space != line.npos && space > 0 && space + 1 < line.size() && line.find(' ', space + 1) == line.npos &&
         bytes_of_letters(line.substr(0, space)) && bytes_of_letters(line.substr(space + 1));
}

/// Throws if the two files are swapped, or if `vocab` is a file of merges.
void check_places(const std::string& vocab, const std::string& text, const std::string& merges) {
  if (!is_merges(text)) return;
  const bool swapped = !merges.empty() && first_bytes(merges).starts_with('{');
  throw Refusal(vocab, "is a file of merges, not a vocabulary",
                swapped ? fmt::format("exchange the two: {} is the vocabulary, {} its merges", merges, vocab)
                        : fmt::format("give the vocab.json or encoder.json next to it as the vocabulary, and {} as its "
                                      "merges",
                                      vocab));
}

/// Rejects merges that are truncated or belong to another vocabulary: all tokens that they do not make would become
/// special tokens.
void check_whole(const BpeParts& parts) {
  constexpr std::size_t kMany = 1024;  // more than anyone adds by hand
  const std::size_t special = parts.special.size(), merges = parts.merges.size();
  if (special <= kMany || special <= merges / 10) return;
  throw Refusal("", fmt::format("has {} merges, but they do not make {} tokens of the vocabulary", merges, special),
                "fetch the files again, both from one tokenizer");
}

/// True if two tokenizers of one vocabulary match the same special tokens and put the same space before a text.
bool same_ids(const BpeParts& a, const BpeParts& b) {
  const auto sorted = [](std::vector<SpecialToken> tokens) {
    std::ranges::sort(tokens, {}, &SpecialToken::text);
    return tokens;
  };
  const auto same = [&](const std::vector<SpecialToken>& x, const std::vector<SpecialToken>& y) {
    return std::ranges::equal(sorted(x), sorted(y), [](const SpecialToken& one, const SpecialToken& other) {
      return one.text == other.text && one.id == other.id;
    });
  };
  return a.prefix_space == b.prefix_space && same(a.special, b.special) && same(a.added, b.added);
}

/// `in_folder`: apply the settings of the files next to `vocab`.
std::shared_ptr<const TextTokenizer> load(const std::string& vocab, const std::string& merges, bool in_folder) {
  const std::filesystem::path folder = std::filesystem::path(vocab).parent_path();
  std::string text = read(vocab);
  const std::string_view start = std::string_view(text).substr(0, kFormatBytes);
  check_format(start, Expected::Tokenizer, vocab);
  if (is_tiktoken(start)) {
    if (!merges.empty())
      throw Refusal(vocab, "is a vocabulary of tiktoken, which has no merges", "leave out " + merges);
    return of(vocab, [&] {
      BpeParts parts = parse_tiktoken(text);
      if (in_folder) check_folder_settings(folder, nullptr);
      return std::make_shared<const ByteBpe>(std::move(parts));
    });
  }
  const bool pieces = is_sentencepiece(start) || (vocab.ends_with(".model") && !start.starts_with('{'));
  if (text.empty())
    throw Refusal(vocab, "is empty",
                  pieces ? "fetch the *.model again"
                         : "a vocab.json is a JSON object of tokens and their ids, a tokenizer.json has its merges as "
                           "well: fetch it again");
  if (pieces) {
    if (!merges.empty()) throw Refusal(vocab, "is a SentencePiece model, which has no merges", "leave out " + merges);
    return of(vocab, [&] {
      auto model = make_sentence_piece(std::move(text));
      if (in_folder) check_folder_settings(folder, model.get());
      return model;
    });
  }
  check_places(vocab, text, merges);
  BpeParts parts = of(vocab, [&] {
    if (is_tokenizer_json(text)) {
      if (merges.empty()) return parse_bpe_tokenizer_json(text);
      throw Refusal("", "is a tokenizer.json, which contains its merges",
                    "leave out " + merges + ", or give its vocab.json");
    }
    if (merges.empty())
      throw Refusal("", "has no merges, unlike a tokenizer.json", "give the merges.txt of the vocab.json");
    return parse_bpe_vocabulary(text);
  });
  if (!merges.empty()) {
    const std::string rows = read(merges);
    check_format(std::string_view(rows).substr(0, kFormatBytes), Expected::Tokenizer, merges);
    of(merges, [&] {
      parse_merges(rows, parts);
      check_whole(parts);
      return 0;
    });
  }
  return of(vocab, [&] {
    if (in_folder) apply_folder_settings(folder, merges.empty() ? text : "", parts);
    return std::make_shared<const ByteBpe>(std::move(parts));
  });
}

/// Loads a tokenizer within the available memory.
std::shared_ptr<const TextTokenizer> load_bounded(const std::string& vocab, const std::string& merges, bool in_folder) {
  try {
    const MemoryBound bound;
    return load(vocab, merges, in_folder);
  } catch (const std::bad_alloc&) {
    throw checkpoint::does_not_fit(vocab, std::filesystem::file_size(vocab), ", and its tokens take more");
  }
}

}  // namespace

std::optional<TokenizerFiles> tokenizer_files(const std::string& folder) {
  const auto file = [&](const char* name) { return (std::filesystem::path(folder) / name).string(); };
  std::error_code ignored;
  const auto is_there = [&](const char* name) { return std::filesystem::exists(file(name), ignored); };
  if (is_there("tokenizer.json")) return TokenizerFiles{file("tokenizer.json"), ""};
  if (is_there("vocab.json") && is_there("merges.txt")) return TokenizerFiles{file("vocab.json"), file("merges.txt")};
  if (is_there("tokenizer.model")) return TokenizerFiles{file("tokenizer.model"), ""};
  return std::nullopt;
}

std::shared_ptr<const TextTokenizer> load_tokenizer(const std::string& vocab, const std::string& merges) {
  if (std::error_code ignored; !std::filesystem::is_directory(vocab, ignored))
    return load_bounded(vocab, merges, false);
  const auto files = tokenizer_files(vocab);
  if (!files)
    throw Refusal(vocab, "has no tokenizer.json, no vocab.json with merges.txt and no tokenizer.model",
                  "name a folder that has one, or the file itself");
  if (!merges.empty())
    throw Refusal(vocab, "is a folder that has merges of its own", "leave out " + merges + ", or name the vocab.json");
  return load_bounded(files->vocab, files->merges, true);
}

std::shared_ptr<const TextTokenizer> load_folder_tokenizer(const std::string& vocab, const std::string& merges) {
  return load_bounded(vocab, merges, true);
}

std::optional<std::string> note_files_beside(const std::string& vocab, const std::string& merges,
                                             const TextTokenizer& tokenizer) {
  std::error_code ignored;
  std::filesystem::path folder = std::filesystem::path(vocab).parent_path();
  if (folder.empty()) folder = ".";
  if (std::filesystem::is_directory(vocab, ignored) || !has_folder_settings(folder)) return std::nullopt;
  try {
    if (is_tiktoken(first_bytes(vocab))) {
      check_folder_settings(folder, nullptr);
      return std::nullopt;
    }
    if (const auto* bpe = dynamic_cast<const ByteBpe*>(&tokenizer)) {
      BpeParts parts = bpe->parts();
      apply_folder_settings(folder, merges.empty() ? read(vocab) : "", parts);
      if (same_ids(bpe->parts(), parts)) return std::nullopt;
    } else {
      check_folder_settings(folder, &tokenizer);
      return std::nullopt;
    }
  } catch (const Refusal& e) {
    return fmt::format("note    {}: ids are those of this file alone; the files next to it define other ids: {}", vocab,
                       e.problem());
  }
  return fmt::format(
      "note    {}: ids are those of this file alone; the files next to it define other ids: name the folder, {}, for "
      "the "
      "ids of transformers",
      vocab, folder.string());
}

}  // namespace weft::tokenizer
