/// vaxs and vcr: the sparse GEMM.
#include "verif/model/instructions/axpy.hpp"

#include "sw/machine/message.hpp"
#include "verif/model/instructions/features.hpp"
#include "verif/model/instructions/instructions.hpp"

namespace weft::model {

/// Stream end of the dot product and the axpy: takes the CR if it is next.
Outcome end_of_stream(Machine& m, VectorOp& op) {
  if (!m.w.control()) return op.wait("a weight or CR on W");
  m.work.w_came();
  if (m.w.take_control() >> 24 != static_cast<unsigned>(machine::Command::CR)) m.flags.set(isa::Flag::BadCommand);
  return Outcome::Done;
}

/// Locates the x of the indices up to the first that is not contiguous in memory; if that is the first index, copies
/// its x alone. Returns the number located.
int find_features(Machine& m, const VectorOp& op, const std::uint16_t* index, int n, const std::uint16_t** x) {
  const int found = locate_features(m, op, index, n, x);
  if (found) return found;
  x[0] = m.sram.read(static_cast<std::uint16_t>(op.ra + (index[0] & op.lmask) * unsigned{op.sta}), op.vl);
  return 1;
}

namespace {

/// First accumulator entry of the instruction.
int accumulators_of(const Machine& m, const VectorOp& op) {
  return op.rd + (op.in.rotate ? m.mp.put_buffer() * op.vl : 0);
}

/// Checks that `beats` entries from rd on are +0.
bool all_zero(const Machine& m, int rd, int beats) {
  std::uint32_t bits = 0;
  Accumulators::pieces(rd, beats, [&](int first, int some) {
    const float* acc = m.accumulators.at(rd + first);
    for (int i = 0; i < some * m.place.width(); ++i) bits |= as_bits(acc[i]);
  });
  return !bits;
}

void axpy(Machine& m, const VectorOp& op, std::span<const std::uint32_t> weights) {
  const int rd = accumulators_of(m, op);
  const bool one_hot = op.in.asel == isa::ASel::OH;
  const std::uint16_t* fixed = one_hot ? m.sram.read(op.ra, op.vl) : nullptr;
  const int width = m.place.width();
  bool fresh = op.in.rotate && !m.mp.filled;
  Batch batch;
  while (!weights.empty()) {
    batch.take(weights);
    if (one_hot)
      std::fill_n(batch.x, batch.n, fixed);
    else
      batch.n = find_features(m, op, batch.index, batch.n, batch.x);
    Accumulators::pieces(rd, op.vl, [&](int first, int beats) {
      float* acc = m.accumulators.at(rd + first);
      if (fresh) std::fill_n(acc, beats * width, 0.0F);
      if (one_hot)
        add_weights<true>(acc, batch, first * width, beats * width);
      else
        add_weights<false>(acc, batch, first * width, beats * width);
    });
    weights = weights.subspan(static_cast<std::size_t>(batch.n));
    fresh = false;
  }
  if (op.in.rotate) m.mp.filled = true;
  m.accumulators.computed(rd, op.vl);
}

/// Beats of a weight.
int beats_of(const VectorOp& op) { return op.in.interleave ? (op.str & 7) + 1 : op.vl; }

/// True if each weight's index names its sum.
bool is_numbered(const VectorOp& op) { return op.in.interleave && op.str & 8; }

constexpr int kSums = 16;  // numbers of sums

/// Some weights of a stream, one after the other, for which `vl` is not a multiple of a weight's beats, or of which
/// each has the number of its sum. An entry is counted in 8 bits, and behind a weight that ends with the last entry
/// comes the first.
void axpy_one_by_one(Machine& m, VectorOp& op, const Batch& batch, int rd, const std::uint8_t* numbers) {
  const int width = m.place.width(), beats = beats_of(op), last = op.vl - 1;
  for (int j = 0; j < batch.n; ++j) {
    for (int i = 0; i < beats; ++i) {
      const int at = (op.done + i) & 255;
      const int entry = (rd + (numbers ? numbers[j] * beats + i : at)) & (machine::WaferShape::kRDepth - 1);
      float* const acc = m.accumulators.at(entry);
      if (op.in.rotate && !m.mp.filled) std::fill_n(acc, width, 0.0F);
      const Some own{j, batch.n};
      if (op.in.asel == isa::ASel::OH)
        add_weights<true>(acc, batch, i * width, width, own);
      else
        add_weights<false>(acc, batch, i * width, width, own);
      m.accumulators.computed(entry, 1);
      if (op.in.rotate && at == last) m.mp.filled = true;
    }
    const int end = (op.done + beats - 1) & 255;
    op.done = end == last ? 0 : (end + 1) & 255;
  }
}

/// Successive weights go to successive sums of beats_of() entries each, modulo vl; op.done is the first entry of the
/// next weight. All weights of one sum are added together, in their order.
void axpy_interleaved(Machine& m, VectorOp& op, std::span<const std::uint32_t> weights) {
  const int rd = accumulators_of(m, op), width = m.place.width(), beats = beats_of(op), sums = op.vl / beats;
  const bool one_hot = op.in.asel == isa::ASel::OH, even = op.vl % beats == 0;
  VectorOp one = op;
  one.vl = beats;
  Batch batch;
  while (!weights.empty()) {
    batch.take(weights);
    if (one_hot)
      std::fill_n(batch.x, batch.n, m.sram.read(op.ra, beats));
    else
      batch.n = find_features(m, one, batch.index, batch.n, batch.x);
    weights = weights.subspan(static_cast<std::size_t>(batch.n));
    if (!even) {
      axpy_one_by_one(m, op, batch, rd, nullptr);
      continue;
    }
    const bool fresh = op.in.rotate && !m.mp.filled;
    const int first = op.done / beats;
    for (int k = 0; k < std::min(batch.n, sums); ++k) {
      const int at = rd + (first + k) % sums * beats;
      const Some own{k, sums};
      Accumulators::pieces(at, beats, [&](int from, int some) {
        float* const acc = m.accumulators.at(at + from);
        if (fresh && first + k < sums) std::fill_n(acc, some * width, 0.0F);
        if (one_hot)
          add_weights<true>(acc, batch, from * width, some * width, own);
        else
          add_weights<false>(acc, batch, from * width, some * width, own);
      });
      m.accumulators.computed(at, beats);
    }
    if (op.in.rotate && first + batch.n >= sums) m.mp.filled = true;
    op.done = (first + batch.n) % sums * beats;
  }
}

/// The first `n` weights of a batch, in their order.
Batch first_of(const Batch& batch, int n) {
  Batch first = batch;
  first.n = n;
  return first;
}

/// Adds each weight to the sum that its index names; op.done counts entries as axpy_interleaved() does. All weights of
/// one sum are added together, in their order.
void axpy_numbered(Machine& m, VectorOp& op, std::span<const std::uint32_t> weights) {
  const int rd = accumulators_of(m, op), width = m.place.width(), beats = beats_of(op), sums = op.vl / beats;
  const bool one_hot = op.in.asel == isa::ASel::OH, even = op.vl % beats == 0;
  VectorOp one = op;
  one.vl = beats;
  Batch batch, own;
  std::uint8_t numbers[Batch::kSize];
  while (!weights.empty()) {
    batch.take(weights);
    for (int j = 0; j < batch.n; ++j) {
      numbers[j] = batch.index[j] % kSums;
      if (!one_hot) batch.index[j] /= kSums;
    }
    if (one_hot)
      std::fill_n(batch.x, batch.n, m.sram.read(op.ra, beats));
    else
      batch.n = find_features(m, one, batch.index, batch.n, batch.x);
    weights = weights.subspan(static_cast<std::size_t>(batch.n));
    const bool fresh = op.in.rotate && !m.mp.filled;
    const int first = !even ? batch.n : fresh ? std::min(batch.n, sums - op.done / beats) : 0;
    if (first > 0) axpy_one_by_one(m, op, first_of(batch, first), rd, numbers);
    for (int number = 0; number < kSums && first < batch.n; ++number) {
      own.n = 0;
      for (int j = first; j < batch.n; ++j)
        if (numbers[j] == number)
          own.x[own.n] = batch.x[j], own.index[own.n] = batch.index[j], own.w[own.n++] = batch.w[j];
      if (own.n == 0) continue;
      const int at = rd + number * beats;
      Accumulators::pieces(at, beats, [&](int from, int some) {
        float* const acc = m.accumulators.at(at + from);
        if (one_hot)
          add_weights<true>(acc, own, from * width, some * width);
        else
          add_weights<false>(acc, own, from * width, some * width);
      });
      m.accumulators.computed(at, beats);
    }
    if (even) op.done = (op.done / beats + batch.n - first) % sums * beats;
  }
}

/// Copies the sums of the whole output if they are precomputed or can be computed now.
bool take_precomputed(Machine& m, const VectorOp& op) {
  if (op.in.asel == isa::ASel::OH) return false;
  const int rd = accumulators_of(m, op), width = m.place.width();
  if (op.in.rotate ? m.mp.filled : !all_zero(m, rd, op.vl)) return false;
  if (!m.precomputed_sums.any() && !precompute_sums(m, op)) return false;
  const float* sums = m.precomputed_sums.take(op, m.w.taken());
  if (!m.precomputed_sums.any()) m.sram.unwatch();
  if (!sums) return false;
  Accumulators::pieces(rd, op.vl, [&](int first, int beats) {
    std::memcpy(m.accumulators.at(rd + first), sums + first * width,
                static_cast<std::size_t>(beats * width) * sizeof *sums);
  });
  if (op.in.rotate) m.mp.filled = true;
  m.accumulators.computed(rd, op.vl);
  return true;
}

}  // namespace

/// op.started: the stream has ended, and the instruction waits for room in MP.
Outcome vaxs(Machine& m, VectorOp& op) {
  const auto weights = op.started ? std::span<const std::uint32_t>() : m.w.run();
  if (!weights.empty()) {
    if (is_numbered(op))
      axpy_numbered(m, op, weights);
    else if (op.in.interleave)
      axpy_interleaved(m, op, weights);
    else if (!take_precomputed(m, op))
      axpy(m, op, weights);
    m.count(static_cast<std::uint64_t>(beats_of(op)) * weights.size(), true);
    m.w.drop(weights.size());
    m.work.moved = true;
  }
  if (!op.started) {
    const Outcome end = end_of_stream(m, op);
    if (end != Outcome::Done || !op.in.put) return end;
    op.started = m.work.moved = true;
  }
  if (!m.mp.room()) return op.wait("room in MP");
  m.mp.push({.last = true, .count = 0, .empty = !m.mp.filled});
  return Outcome::Done;
}

Outcome vcr(Machine& m, VectorOp& op) {
  if (!m.mp.room()) return op.wait("room in MP");
  const int to = op.rd + m.mp.put_buffer() * op.vl, width = m.place.width();
  constexpr int kDepth = machine::WaferShape::kRDepth;
  const int from_entry = op.rc & (kDepth - 1), to_entry = to & (kDepth - 1);
  const bool apart = std::max(from_entry, to_entry) + op.vl <= kDepth && std::abs(from_entry - to_entry) >= op.vl;
  const int together = apart ? op.vl : 1;  // beats
  for (int i = 0; i < op.vl; i += together) {
    float* acc = m.accumulators.at(op.rc + i);
    const std::size_t bytes = static_cast<std::size_t>(together * width) * sizeof(float);
    std::memmove(m.accumulators.at(to + i), acc, bytes);
    std::memset(acc, 0, bytes);
  }
  m.mp.push({true, 0});
  m.count(2 * static_cast<std::uint64_t>(op.vl), false);
  return Outcome::Done;
}

}  // namespace weft::model
