/// SentencePiece *.model files, read through the SentencePiece library.
#include "host/tokenizer/sentence_piece.hpp"

#include <bit>
#include <cstdint>

#include "host/tokenizer/load.hpp"
#include "tests/fuzz/folder.hpp"

namespace weft::fuzz::sentence_piece_target {
namespace {

// A model is a protocol buffer message: field 1 has the pieces, 2 the trainer's settings, 3 the normalizer's.

std::string varint(std::uint64_t n) {
  std::string bytes;
  for (; n > 127; n >>= 7) bytes += static_cast<char>(n | 128);
  return bytes += static_cast<char>(n);
}
std::string number(int field, std::uint64_t n) { return varint(static_cast<std::uint64_t>(field) << 3) + varint(n); }
std::string string(int field, const std::string& text) {
  return varint(static_cast<std::uint64_t>(field) << 3 | 2) + varint(text.size()) + text;
}
std::string score(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  std::string bytes = varint(2 << 3 | 5);
  for (int n = 0; n < 4; ++n) bytes += static_cast<char>(bits >> 8 * n);
  return bytes;
}
std::string piece(const std::string& text, float value, std::uint64_t type) {
  return string(1, string(1, text) + score(value) + number(3, type));
}

enum : std::uint64_t { kNormal = 1, kUnknown = 2, kControl = 3, kUserDefined = 4, kByte = 6 };

/// `type` 1: unigram, 2: BPE.
std::string model(std::uint64_t type, bool bytes) {
  std::string pieces = piece("<unk>", 0, kUnknown) + piece("<s>", 0, kControl) + piece("</s>", 0, kControl);
  static constexpr char kDigits[] = "0123456789ABCDEF";
  for (int b = 0; bytes && b < 256; ++b)
    pieces += piece(std::string("<0x") + kDigits[b / 16] + kDigits[b % 16] + ">", 0, kByte);
  float value = -1;
  for (const char* text : {"\xe2\x96\x81the", "th", "he", "\xe2\x96\x81", "t", "h", "e", "\xc3\xa9"})
    pieces += piece(text, value -= 0.5F, kNormal);
  pieces += piece("<user>", 0, kUserDefined);
  const std::string trainer = number(3, type) + number(35, bytes ? 1 : 0);
  return pieces + string(2, trainer) + string(3, string(1, "identity"));
}

}  // namespace

std::vector<std::string> seeds() { return {model(1, false), model(2, false), model(1, true), model(2, true)}; }

void read(std::span<const std::uint8_t> bytes) {
  static const Folder folder("weft_sentence_piece");
  const std::string file = folder.write("damaged.model", text_of(bytes));
  loads_or_refuses(file, [&] {
    const auto tokenizer = tokenizer::load_tokenizer(file, "");
    std::vector<std::uint32_t> ids;
    try {
      tokenizer->encoder()->encode("the other\n \xc3\xa9<user> <0x41> 12\xff", ids);
    } catch (const Refusal& e) {  // the text cannot be encoded
      return promise(!e.hint().empty(), "an error says what to do:", e.what());
    }
    for (const std::uint32_t id : ids) {
      promise(id < tokenizer->size(), "an id is below the size");
      tokenizer->piece(id);
    }
    for (std::uint32_t id = 0; id < std::min<std::uint32_t>(tokenizer->size(), 400); ++id) tokenizer->piece(id);
    tokenizer->decode(ids);
  });
}

const bool kAdded = add({"sentence_piece", seeds, read});

}  // namespace weft::fuzz::sentence_piece_target
