#include "host/tokenizer/sentence_piece.hpp"

#include <fmt/format.h>
#include <sentencepiece_processor.h>

#include <new>
#include <vector>

#include "sw/base/refusal.hpp"

namespace weft::tokenizer {
namespace {

class PieceEncoder final : public TextEncoder {
 public:
  explicit PieceEncoder(const sentencepiece::SentencePieceProcessor& processor) : processor_(processor) {}

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

class LoadedModel final : public SentencePiece {
 public:
  explicit LoadedModel(std::string model);

  std::uint32_t size() const override { return static_cast<std::uint32_t>(processor_.GetPieceSize()); }
  std::unique_ptr<TextEncoder> encoder() const override { return std::make_unique<PieceEncoder>(processor_); }
  std::string decode(std::span<const std::uint32_t> ids) const override;
  std::string piece(std::uint32_t id) const override;
  std::optional<std::uint32_t> id_of(std::string_view token) const override;
  std::optional<std::uint32_t> end() const override;
  std::size_t cut(std::string_view, std::size_t) const override { return std::string_view::npos; }
  const std::string& model() const override { return model_; }

 private:
  std::string model_;
  sentencepiece::SentencePieceProcessor processor_;
};

LoadedModel::LoadedModel(std::string model) : model_(std::move(model)) {
  std::string why;
  try {
    const auto status = processor_.LoadFromSerializedProto(model_);
    if (status.ok() && processor_.GetPieceSize() > 0) return;
    why = status.ToString();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {  // from the dependencies of the library: an empty piece throws
    why = e.what();
  }
  throw Refusal("", "is not a SentencePiece model: " + one_line(why, 200), "fetch the *.model again");
}

std::string LoadedModel::decode(std::span<const std::uint32_t> ids) const {
  std::vector<int> known;
  for (const std::uint32_t id : ids)
    if (id < size()) known.push_back(static_cast<int>(id));
  std::string text;
  const auto status = processor_.Decode(known, &text);
  if (!status.ok())
    throw Refusal("", "cannot be decoded: " + one_line(status.ToString(), 200), "fetch the *.model again");
  return text;
}

std::string LoadedModel::piece(std::uint32_t id) const {
  const int n = static_cast<int>(id);
  if (id >= size() || processor_.IsControl(n)) return "";
  std::string text = processor_.IdToPiece(n);
  if (processor_.IsByte(n))
    return std::string(1, static_cast<char>(std::stoi(text.substr(3, 2), nullptr, 16)));  // e.g. <0x41>
  constexpr std::string_view kSpace = "\u2581";
  for (std::size_t at = 0; (at = text.find(kSpace, at)) != std::string::npos; ++at)
    text.replace(at, kSpace.size(), " ");
  return text;
}

std::optional<std::uint32_t> LoadedModel::id_of(std::string_view token) const {
  const int id = processor_.PieceToId({token.data(), token.size()});
  const bool found = id >= 0 && processor_.IdToPiece(id) == token;  // an unknown piece has the id of <unk>
  return found ? std::optional(static_cast<std::uint32_t>(id)) : std::nullopt;
}

std::optional<std::uint32_t> LoadedModel::end() const {
  const int id = processor_.eos_id();
  return id < 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(id));
}

}  // namespace

std::shared_ptr<const SentencePiece> make_sentence_piece(std::string model) {
  return std::make_shared<const LoadedModel>(std::move(model));
}

}  // namespace weft::tokenizer
