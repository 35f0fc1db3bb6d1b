#include "host/formats/llmc_source.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

#include "host/checkpoint/error.hpp"
#include "host/formats/hf_config.hpp"
#include "sw/base/token_id.hpp"

namespace weft::formats {
namespace {

constexpr auto kOtherCopy = "take another copy";

using Header = std::array<std::int32_t, 8>;

Header header_of(const checkpoint::FileSource& source, const std::string& file) {
  Header header{};
  if (source.size() < kLlmcHeader)
    throw checkpoint::file_error<DamagedFile>(file, "", "is shorter than llm.c's header", kOtherCopy);
  source.read(0, {reinterpret_cast<std::uint8_t*>(header.data()), sizeof header});
  if (header[1] != 3 && header[1] != 5) {
    throw checkpoint::file_error(file, "version", fmt::format("{} is neither 3 (fp32) nor 5 (bf16)", header[1]),
                                 "write it with a newer llm.c");
  }
  constexpr const char* kNames[] = {"max_seq_len", "vocab_size", "num_layers", "num_heads", "channels"};
  for (std::size_t n = 2; n < 7; ++n) {
    const std::int32_t most = n == 3 ? kMostTokens : 65535;
    if (header[n] >= 1 && header[n] <= most) continue;
    throw checkpoint::file_error<DamagedFile>(file, kNames[n - 2], fmt::format("{} is not in 1..{}", header[n], most),
                                              kOtherCopy);
  }
  return header;
}

compiler::ModelShape model_of(const Header& header) {
  compiler::ModelShape model;
  model.seq = header[2], model.vocab = header[3], model.layers = header[4], model.heads = header[5];
  model.hidden = header[6], model.filter = 4 * header[6], model.tied = true;
  return model;
}

void check_header(const Header& header, const compiler::ModelShape& model, const std::string& file) {
  check_same_model(model_of(header), model, file);
  if (header[7] < header[3])
    throw checkpoint::file_error<DamagedFile>(file, "padded_vocab_size",
                                              fmt::format("{} is below vocab_size", header[7]), kOtherCopy);
}

}  // namespace

LlmcSource::LlmcSource(std::unique_ptr<checkpoint::ByteSource> file, LlmcLayout layout,
                       std::span<const compiler::TensorInfo> tensors, checkpoint::Dtype dtype)
    : file_(std::move(file)), layout_(std::move(layout)), which_(layout_.places.size()) {
  for (const LlmcPlace& place : layout_.places) {
    const compiler::TensorInfo& t = tensors[place.tensor];
    checkpoint::TensorView view{t.name, dtype, {t.dims.begin(), t.dims.end()},
                                {},     size_, t.size * checkpoint::dtype_bytes(dtype)};
    size_ += view.bytes;
    views_.push_back(std::move(view));
  }
}

const std::vector<std::uint8_t>& LlmcSource::turned(std::size_t n) const {
  if (which_ == n) return matrix_;
  const checkpoint::TensorView& view = views_[n];
  const std::size_t size = checkpoint::dtype_bytes(view.dtype), ins = view.shape[0], outs = view.shape[1];
  std::vector<std::uint8_t> theirs(view.bytes);
  file_->read(kLlmcHeader + layout_.places[n].element * size, theirs);
  matrix_.resize(view.bytes);
  for (std::size_t in = 0; in < ins; ++in)
    for (std::size_t out = 0; out < outs; ++out)
      std::memcpy(&matrix_[(in * outs + out) * size], &theirs[(out * ins + in) * size], size);
  which_ = n;
  return matrix_;
}

void LlmcSource::read(std::uint64_t at, std::span<std::uint8_t> to) const {
  while (!to.empty()) {
    const auto next = std::ranges::upper_bound(views_, at, {}, &checkpoint::TensorView::begin);
    const auto n = static_cast<std::size_t>(std::distance(views_.begin(), next)) - 1;
    const checkpoint::TensorView& view = views_[n];
    const std::uint64_t first = at - view.begin, count = std::min<std::uint64_t>(to.size(), view.bytes - first);
    if (layout_.places[n].turned) {
      const std::lock_guard lock(mutex_);
      std::memcpy(to.data(), turned(n).data() + first, count);
    } else {
      file_->read(kLlmcHeader + layout_.places[n].element * checkpoint::dtype_bytes(view.dtype) + first,
                  to.first(count));
    }
    at += count;
    to = to.subspan(count);
  }
}

bool is_llmc(const std::string& file) {
  std::int32_t magic = 0;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return false;  // opening a pipe would block
  std::ifstream in(file, std::ios::binary);
  in.read(reinterpret_cast<char*>(&magic), sizeof magic);
  return in.gcount() == sizeof magic && magic == kLlmcMagic;
}

compiler::ModelShape llmc_model(const std::string& file) {
  return model_of(header_of(checkpoint::FileSource(file, std::numeric_limits<std::uint64_t>::max()), file));
}

std::shared_ptr<const checkpoint::CheckpointReader> open_llmc(const std::string& file,
                                                              const compiler::ModelShape& model,
                                                              std::span<const compiler::TensorInfo> tensors) {
  auto bytes = std::make_unique<checkpoint::FileSource>(file, 4 * checkpoint::checkpoint_bytes(tensors));
  const Header header = header_of(*bytes, file);
  check_header(header, model, file);
  const checkpoint::Dtype dtype = header[1] == 3 ? checkpoint::Dtype::F32 : checkpoint::Dtype::BF16;
  LlmcLayout layout = llmc_layout(model, tensors, header[7]);
  const std::uint64_t whole = kLlmcHeader + layout.elements * checkpoint::dtype_bytes(dtype);
  if (bytes->size() != whole) {
    throw checkpoint::file_error<DamagedFile>(
        file, "", fmt::format("has {} bytes, not {} as its header declares", bytes->size(), whole), kOtherCopy);
  }
  auto source = std::make_unique<LlmcSource>(std::move(bytes), std::move(layout), tensors, dtype);
  std::vector<checkpoint::TensorView> views = source->tensors();
  return std::make_shared<checkpoint::CheckpointReader>(std::move(source), std::move(views), file, tensors);
}

}  // namespace weft::formats
