#include "host/tokenizer/vocabulary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "host/checkpoint/error.hpp"
#include "host/checkpoint/file.hpp"
#include "host/checkpoint/seal.hpp"
#include "host/tokenizer/bpe_files.hpp"
#include "host/tokenizer/sentence_piece.hpp"
#include "sw/base/crc32c.hpp"
#include "sw/base/json_depth.hpp"
#include "sw/base/json_parse.hpp"
#include "sw/base/refusal.hpp"

namespace weft::tokenizer {
namespace {

constexpr auto kRestore = "restore the file, or remove it: it is then made from the training text";

std::vector<char32_t> read_characters(const nlohmann::json& list) {
  std::vector<char32_t> characters;
  for (const auto& entry : list.get<std::vector<std::string>>()) {
    const std::vector<char32_t> one = characters_of(entry);
    if (one.size() != 1 || utf8(one[0]).size() != entry.size()) {
      throw Refusal("", "has an entry that is not one character", kRestore);
    }
    if (!characters.empty() && one[0] <= characters.back()) {
      throw Refusal("", "has characters that are not in order of their code points", kRestore);
    }
    characters.push_back(one[0]);
  }
  return characters;
}

std::string hex(const std::string& bytes) {
  std::string digits;
  for (const char b : bytes) digits += fmt::format("{:02x}", static_cast<unsigned char>(b));
  return digits;
}

std::string of_hex(const std::string& digits) {
  std::string bytes;
  for (std::size_t at = 0; at < digits.size(); at += 2) {
    std::uint8_t byte = 0;
    const char *const begin = digits.data() + at, *const end = digits.data() + std::min(at + 2, digits.size());
    if (std::from_chars(begin, end, byte, 16).ptr != begin + 2)
      throw Refusal("", "has a model that is not hexadecimal", kRestore);
    bytes.push_back(static_cast<char>(byte));
  }
  return bytes;
}

Tokenizer read_bpe(const nlohmann::json& object) {
  return Tokenizer::of(std::make_shared<const ByteBpe>(parse_bpe_tokenizer_json(dump_json(object), true)));
}

}  // namespace

std::string vocabulary_text(const Tokenizer& tokenizer, const std::string& run) {
  nlohmann::ordered_json object{{"tokenizer", tokenizer.name()}};
  if (tokenizer.kind() == Tokenizer::Kind::Bpe) object["bpe"] = nullptr;
  if (tokenizer.kind() == Tokenizer::Kind::SentencePiece) object["model"] = hex(tokenizer.file());
  if (tokenizer.kind() == Tokenizer::Kind::Characters) {
    auto& characters = object["characters"] = nlohmann::json::array();
    for (const char32_t c : tokenizer.characters()) characters.push_back(utf8(c));
  }
  if (!run.empty()) object["run"] = run;
  object["crc32c"] = checkpoint::kNoChecksum;
  std::string text = dump_json(object) + "\n";
  if (tokenizer.kind() == Tokenizer::Kind::Bpe) {
    // Inserted as text: ordered_json compares each new key with all others.
    constexpr std::string_view kNoFile = "\"bpe\":null";
    std::string file = tokenizer.file();
    file.pop_back();  // the newline
    text.replace(text.find(kNoFile), kNoFile.size(), "\"bpe\":" + file);
  }
  return checkpoint::sealed(text);
}

std::string vocabulary_name(const std::optional<Tokenizer>& tokenizer) {
  if (!tokenizer) return "none";
  if (tokenizer->is_bytes()) return "byte";
  if (tokenizer->is_of_file()) {
    const std::string text = tokenizer->file();
    return std::string(tokenizer->name()) + " " +
           checkpoint::checksum_text(crc32c({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}));
  }
  const std::vector<char32_t>& all = tokenizer->characters();
  return "char " +
         checkpoint::checksum_text(crc32c({reinterpret_cast<const std::uint8_t*>(all.data()), 4 * all.size()}));
}

Tokenizer parse_vocabulary(std::string_view text) {
  if (nests_deeper(text)) throw Refusal("", "is not a vocabulary", kRestore);
  try {
    const auto object = parse_json_or_throw(text);
    const std::string kind = object.at("tokenizer");
    const bool bytes = kind == "byte", bpe = kind == "bpe", pieces = kind == "sentencepiece";
    const std::size_t old = bpe || pieces ? 0 : bytes ? 1 : 2;  // keys in an old file
    const checkpoint::Checksum seal = checkpoint::check_seal(text);
    if (seal == checkpoint::Checksum::Wrong ||
        (seal == checkpoint::Checksum::None && (bytes || bpe || pieces || kind == "char") && object.size() != old)) {
      throw Refusal("", "is damaged: its checksum does not match", kRestore);
    }
    if (bytes) return Tokenizer::bytes();
    if (bpe) return read_bpe(object.at("bpe"));
    if (pieces) return Tokenizer::of(make_sentence_piece(of_hex(object.at("model"))));
    if (kind == "char") return Tokenizer::characters(read_characters(object.at("characters")));
  } catch (const nlohmann::json::exception&) {  // not JSON, or JSON with other contents
  }
  throw Refusal("", "is not a vocabulary", kRestore);
}

std::string vocabulary_file(const std::string& folder) {
  return (std::filesystem::path(folder) / "vocab.json").string();
}

bool has_vocabulary(const std::string& folder) {
  std::error_code ignored;
  return std::filesystem::exists(vocabulary_file(folder), ignored);
}

void save_vocabulary(const std::string& folder, const std::optional<Tokenizer>& tokenizer, const std::string& run) {
  const std::string path = vocabulary_file(folder);
  if (!tokenizer) {
    std::error_code error;
    std::filesystem::remove(path, error);
    if (error)
      throw checkpoint::file_error(path, "", "cannot be removed: " + error.message(), "remove it")
          .caused_by(error.value());
    return;
  }
  checkpoint::AtomicFile file(path);
  file.write(vocabulary_text(*tokenizer, run));
  file.commit();
}

std::optional<Tokenizer> load_vocabulary(const std::string& folder) {
  if (!has_vocabulary(folder)) return std::nullopt;
  const std::string path = vocabulary_file(folder);
  constexpr std::uint64_t kMost = 64 << 20;  // bytes: kMostTokens tokens and their merges take less
  const std::string text =
      checkpoint::read_text(path, kMost, fmt::format("a vocab.json is a JSON object with the tokens: {}", kRestore));
  try {
    return parse_vocabulary(text);
  } catch (const Refusal& e) {
    throw e.within(path);
  }
}

}  // namespace weft::tokenizer
