/// vaxs and vcr: the sparse GEMM.
#include "verif/model/instructions/axpy.hpp"

#include "sw/machine/message.hpp"
#include "verif/model/instructions/features.hpp"
#include "verif/model/instructions/instructions.hpp"
#include "verif/model/instructions/shared_features.hpp"

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

void axpy_in_order(Machine& m, const VectorOp& op, std::span<const std::uint32_t> weights) {
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

/// True if each weight's index names its sum.
bool is_numbered(const VectorOp& op) { return op.in.interleave && op.str & 8; }

constexpr int kSums = 16;  // numbers of sums

/// Some weights of a stream, one after the other, for which `vl` is not a multiple of a weight's beats, or of which
/// each has the number of its sum (null: the sums take turns). An entry is counted in 8 bits, and behind a weight that
/// ends with the last entry comes the first.
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

/// Whole rounds at the beginning of a batch, one weight of each of `sums` sums, whose weights name one feature.
int shared_rounds(const Batch& batch, int sums) {
  int rounds = 0;
  for (const std::uint16_t* index = batch.index; (rounds + 1) * sums <= batch.n; ++rounds, index += sums)
    for (int k = 1; k < sums; ++k)
      if (index[k] != index[0]) return rounds;
  return rounds;
}

/// Adds the first `rounds` rounds of a batch to the sums, which begin at entry rd. The batch's first weight is one of
/// the first sum.
void add_rounds(Machine& m, const Batch& batch, int rounds, int sums, int rd, int beats, bool fresh) {
  constexpr int kOutputs = SharedFeatures::kOutputs;
  const int width = m.place.width();
  SharedFeatures s;
  s.n = rounds;
  for (int j = 0; j < rounds; ++j) s.x[j] = batch.x[j * sums];
  for (int first = 0; first < sums; first += kOutputs) {
    float* to[kOutputs];
    const int outputs = std::min(kOutputs, sums - first);
    for (int k = 0; k < outputs; ++k) {
      to[k] = m.accumulators.at(rd + (first + k) * beats);
      s.take_weights(k, batch.w + first + k, sums);
    }
    if (fresh)
      s.add<true>(to, outputs, beats * width);
    else
      s.add<false>(to, outputs, beats * width);
  }
  m.accumulators.computed(rd, sums * beats);
}

/// Adds weights to sums that take turns. All weights of one sum are added together, in their order.
void axpy_in_turn(Machine& m, VectorOp& op, Batch& batch, int rd) {
  const int width = m.place.width(), beats = beats_of(op), sums = op.vl / beats, first = op.done / beats;
  const bool one_hot = op.in.asel == isa::ASel::OH;
  bool fresh = op.in.rotate && !m.mp.filled;
  if (!first && !one_hot && Accumulators::to_end(rd) >= op.vl) {
    if (const int rounds = shared_rounds(batch, sums); rounds > 1) {
      add_rounds(m, batch, rounds, sums, rd, beats, fresh);
      batch.drop(rounds * sums);
      if (op.in.rotate) m.mp.filled = true;
      fresh = false;
    }
  }
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

/// Adds each weight to the sum that it names. All weights of one sum are added together, in their order.
void axpy_numbered(Machine& m, VectorOp& op, const Batch& batch, int rd, const std::uint8_t* numbers) {
  const int width = m.place.width(), beats = beats_of(op), sums = op.vl / beats;
  const bool one_hot = op.in.asel == isa::ASel::OH;
  int first = 0;
  if (op.in.rotate && !m.mp.filled) {  // the first weights set their sums
    Batch setting = batch;
    setting.n = first = std::min(batch.n, sums - op.done / beats);
    axpy_one_by_one(m, op, setting, rd, numbers);
  }
  Batch own;
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
  op.done = (op.done / beats + batch.n - first) % sums * beats;
}

/// Adds weights to sums of beats_of() entries each, in turn or by number. op.done counts entries modulo vl, as if the sums
/// took turns.
void axpy_interleaved(Machine& m, VectorOp& op, std::span<const std::uint32_t> weights) {
  const int rd = accumulators_of(m, op), beats = beats_of(op), sums = op.vl / beats;
  const bool one_hot = op.in.asel == isa::ASel::OH, even = op.vl % beats == 0, numbered = is_numbered(op);
  VectorOp one = op;
  one.vl = beats;
  Batch batch;
  std::uint8_t numbers[Batch::kSize];
  while (!weights.empty()) {
    const int done = op.done / beats;
    const int most = even ? std::max(1, (Batch::kSize + done) / sums * sums - done) : Batch::kSize;  // whole rounds
    batch.take(weights.first(std::min(weights.size(), static_cast<std::size_t>(most))));
    bool in_turn = true;
    for (int j = 0; numbered && j < batch.n; ++j) {
      numbers[j] = batch.index[j] % kSums;
      if (!one_hot) batch.index[j] /= kSums;
      in_turn &= even && numbers[j] == (done + j) % sums;
    }
    if (one_hot)
      std::fill_n(batch.x, batch.n, m.sram.read(op.ra, beats));
    else
      batch.n = find_features(m, one, batch.index, batch.n, batch.x);
    weights = weights.subspan(static_cast<std::size_t>(batch.n));
    if (!even)
      axpy_one_by_one(m, op, batch, rd, numbered ? numbers : nullptr);
    else if (in_turn)
      axpy_in_turn(m, op, batch, rd);
    else
      axpy_numbered(m, op, batch, rd, numbers);
  }
}

/// Sums of this vaxs can be precomputed.
bool precomputes(const VectorOp& op) { return op.in.asel != isa::ASel::OH && !op.in.interleave; }

/// Copies the sums of the whole output if they are precomputed or can be computed now.
bool take_precomputed(Machine& m, const VectorOp& op) {
  const int rd = accumulators_of(m, op), width = m.place.width();
  if (!precomputes(op) || (op.in.rotate ? m.mp.filled : !all_zero(m, rd, op.vl))) return false;
  const float* const sums = precomputed(m, op);
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

bool all_zero(const Machine& m, int rd, int beats) {
  std::uint32_t bits = 0;
  Accumulators::pieces(rd, beats, [&](int first, int some) {
    const float* acc = m.accumulators.at(rd + first);
    for (int i = 0; i < some * m.place.width(); ++i) bits |= as_bits(acc[i]);
  });
  return !bits;
}

const float* precomputed(Machine& m, const VectorOp& op) {
  if (!precomputes(op)) return nullptr;
  if (!m.precomputed_sums.any() && !precompute_sums(m, op)) return nullptr;
  const float* const sums = m.precomputed_sums.take(op, m.w.taken());
  if (!m.precomputed_sums.any()) m.sram.unwatch();
  return sums;
}

void axpy(Machine& m, VectorOp& op, std::span<const std::uint32_t> weights) {
  if (op.in.interleave)
    axpy_interleaved(m, op, weights);
  else
    axpy_in_order(m, op, weights);
}

/// op.started: the stream has ended, and the instruction waits for room in MP.
Outcome vaxs(Machine& m, VectorOp& op) {
  const auto weights = op.started ? std::span<const std::uint32_t>() : m.w.run();
  if (!weights.empty()) {
    if (!take_precomputed(m, op)) axpy(m, op, weights);
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
