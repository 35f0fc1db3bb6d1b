/// vaxs and vcr: the sparse GEMM.
///
/// The accumulators of a row are VL * width neighbouring floats. They are worked on in blocks that stay in registers
/// over many weights.
#include <utility>

#include "sw/machine/message.hpp"
#include "verif/model/numbers.hpp"
#include "verif/model/row.hpp"
#include "verif/model/simd.hpp"

namespace weft::model {

namespace {

#if defined(__AVX512F__)
constexpr int kMaxBlock = 16;  // vectors of accumulators
#else
constexpr int kMaxBlock = 8;
#endif

/// Weights looked at together, with the places of their features in memory.
struct Batch {
  static constexpr int kSize = 256;
  int n = 0;
  const std::uint16_t* x[kSize];
  std::uint16_t index[kSize];
  float w[kSize];
};

/// acc[0 .. kVector * Is) = fma(x, w, acc), weight after weight; the x begin `skip` elements in.
template <bool OneHot, int... Is>
inline void block(float* acc, const Batch& batch, int skip, std::integer_sequence<int, Is...>) {
  V sum[] = {load(acc + kVector * Is)...};
  for (int j = 0; j < batch.n; ++j) {
    const std::uint16_t* x = batch.x[j] + skip;
    const V w = splat(batch.w[j]);
    if constexpr (OneHot)
      ((sum[Is] = fma(one_hot(x + kVector * Is, batch.index[j]), w, sum[Is])), ...);
    else
      ((sum[Is] = fma(load_bf16(x + kVector * Is), w, sum[Is])), ...);
  }
  (store(acc + kVector * Is, sum[Is]), ...);
}

/// As many of the largest blocks as fit, then halves of them, then what is left of a vector.
template <bool OneHot, int Vectors = kMaxBlock>
inline void blocks(float* acc, const Batch& batch, int skip, int size) {
  for (; size >= Vectors * kVector; size -= Vectors * kVector) {
    block<OneHot>(acc, batch, skip, std::make_integer_sequence<int, Vectors>());
    acc += Vectors * kVector;
    skip += Vectors * kVector;
  }
  if constexpr (Vectors > 1) {
    blocks<OneHot, Vectors / 2>(acc, batch, skip, size);
  } else if (size) {
    float part[kVector] = {};
    std::memcpy(part, acc, size * sizeof(float));
    block<OneHot>(part, batch, skip, std::make_integer_sequence<int, 1>());
    std::memcpy(acc, part, size * sizeof(float));
  }
}

}  // namespace

bool Row::vaxs(VectorOp& op) {
  const auto weights = inbox.run();
  if (!weights.empty()) {
    axpy(op, weights);
    count(op.vl * weights.size(), true);
    inbox.drop(weights.size());
    moved_ = true;
  }
  return end_of_stream(op);
}

/// Takes the CR, if it is next.
bool Row::end_of_stream(VectorOp& op) {
  if (!inbox.control()) return wait(op, "a weight or CR on W");
  if (inbox.take_control() >> 24 != static_cast<unsigned>(Command::CR)) flag(isa::Flag::BadCommand);
  return true;
}

void Row::axpy(const VectorOp& op, std::span<const std::uint32_t> weights) {
  const bool one_hot = op.in.asel == isa::ASel::OH;
  const std::uint16_t* fixed = one_hot ? read(op.ra, op.vl) : nullptr;
  Batch batch;
  while (!weights.empty()) {
    batch.n = static_cast<int>(std::min<std::size_t>(weights.size(), Batch::kSize));
    for (int j = 0; j < batch.n; ++j) {
      batch.w[j] = as_float(weights[j] << 16);
      batch.index[j] = weights[j] >> 16;
    }
    if (one_hot)
      std::fill_n(batch.x, batch.n, fixed);
    else
      find_features(op, batch.index, batch.n, batch.x);
    pieces(op.rd, op.vl, [&](int first, int beats) {
      if (one_hot)
        blocks<true>(r(op.rd + first), batch, first * width_, beats * width_);
      else
        blocks<false>(r(op.rd + first), batch, first * width_, beats * width_);
    });
    weights = weights.subspan(batch.n);
  }
}

/// The x of some indices.
void Row::find_features(const VectorOp& op, const std::uint16_t* index, int n, const std::uint16_t** x) {
  const unsigned base = op.ra, stride = op.sta, mask = op.lmask, misaligned = shape_.lanes - 1;
  const int last = shape_.sram_elements() - op.vl * shape_.lanes;
  const std::size_t cols = columns_.count;
  const std::uint16_t* m = m_.data();
  for (int j = 0; j < n; ++j) {
    const auto address = static_cast<std::uint16_t>(base + (index[j] & mask) * stride);
    x[j] = m + address * cols;
    if ((address & misaligned) || address > last) [[unlikely]]
      x[j] = read(address, op.vl);
  }
}

bool Row::vcr(VectorOp& op) {
  if (!mp_.room()) return wait(op, "room in MP");
  const int to = op.rd + mp_.put_parity() * op.vl;
  const int depth = WaferShape::kRDepth, from_entry = op.rc & (depth - 1), to_entry = to & (depth - 1);
  const bool apart = std::max(from_entry, to_entry) + op.vl <= depth && std::abs(from_entry - to_entry) >= op.vl;
  const int together = apart ? op.vl : 1;  // beats
  for (int i = 0; i < op.vl; i += together) {
    float* acc = r(op.rc + i);
    const std::size_t bytes = together * width_ * sizeof(float);
    std::memcpy(r(to + i), acc, bytes);
    std::memset(acc, 0, bytes);
  }
  mp_.push({true, 0});
  count(2 * op.vl, false);
  return true;
}

}  // namespace weft::model
