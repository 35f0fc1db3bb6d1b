#include "host/tokenizer/sentence_piece.hpp"

#include <fmt/format.h>
#include <sentencepiece_processor.h>

#include <new>
#include <vector>

#include "sw/base/refusal.hpp"

namespace weft::tokenizer {

class SentencePiece::Library {
 public:
  sentencepiece::SentencePieceProcessor processor;
};

class SentencePieceEncoder final : public TextEncoder {
 public:
  explicit SentencePieceEncoder(const SentencePiece& of) : processor_(of.library_->processor) {}

  void encode(std::string_view text, std::vector<std::uint32_t>& ids) override {
    const auto status = processor_.Encode({text.data(), text.size()}, &ids_);
    if (!status.ok())
      throw Refusal("", "cannot be encoded: " + one_line(status.ToString(), 200), "cut it into smaller documents");
    ids.insert(ids.end(), ids_.begin(), ids_.end());
  }

 private:
  const sentencepiece::SentencePieceProcessor& processor_;
  std::vector<int> ids_;
};

SentencePiece::SentencePiece(std::string model) : model_(std::move(model)), library_(std::make_unique<Library>()) {
  std::string why;
  try {
    const auto status = library_->processor.LoadFromSerializedProto(model_);
    if (status.ok() && library_->processor.GetPieceSize() > 0) return;
    why = status.ToString();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {  // from the dependencies of the library: an empty piece throws
    why = e.what();
  }
  throw Refusal("", "is not a SentencePiece model: " + one_line(why, 200), "fetch the *.model again");
}

SentencePiece::~SentencePiece() = default;

std::uint32_t SentencePiece::size() const { return static_cast<std::uint32_t>(library_->processor.GetPieceSize()); }

std::unique_ptr<TextEncoder> SentencePiece::encoder() const { return std::make_unique<SentencePieceEncoder>(*this); }

std::string SentencePiece::decode(std::span<const std::uint32_t> ids) const {
  std::vector<int> known;
  for (const std::uint32_t id : ids)
    if (id < size()) known.push_back(static_cast<int>(id));
  std::string text;
  const auto status = library_->processor.Decode(known, &text);
  if (!status.ok())
    throw Refusal("", "cannot be decoded: " + one_line(status.ToString(), 200), "fetch the *.model again");
  return text;
}

std::string SentencePiece::piece(std::uint32_t id) const {
  const auto& processor = library_->processor;
  const int n = static_cast<int>(id);
  if (id >= size() || processor.IsControl(n)) return "";
  std::string text = processor.IdToPiece(n);
  if (processor.IsByte(n))
    return std::string(1, static_cast<char>(std::stoi(text.substr(3, 2), nullptr, 16)));  // e.g. <0x41>
  constexpr std::string_view kSpace = "\u2581";
  for (std::size_t at = 0; (at = text.find(kSpace, at)) != std::string::npos; ++at)
    text.replace(at, kSpace.size(), " ");
  return text;
}

std::optional<std::uint32_t> SentencePiece::id_of(std::string_view token) const {
  const auto& processor = library_->processor;
  const int id = processor.PieceToId({token.data(), token.size()});
  const bool found = id >= 0 && processor.IdToPiece(id) == token;  // an unknown piece has the id of <unk>
  return found ? std::optional(static_cast<std::uint32_t>(id)) : std::nullopt;
}

std::optional<std::uint32_t> SentencePiece::end() const {
  const int id = library_->processor.eos_id();
  return id < 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(id));
}

std::size_t SentencePiece::cut(std::string_view, std::size_t) const { return std::string_view::npos; }

}  // namespace weft::tokenizer
