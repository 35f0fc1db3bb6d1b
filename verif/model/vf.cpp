/// vf: where its operands are, and in which order its beats may be done.
#include "verif/model/elementwise.hpp"
#include "verif/model/row.hpp"
#include "verif/model/simd.hpp"

namespace weft::model {

using isa::ASel;
using isa::BSel;
using isa::CSel;
using isa::DSel;

bool Row::vf(const VectorOp& op) {
  const isa::Instr& in = op.in;
  if (in.asel > ASel::OH) fail(op.pc, "operand a has no such form");
  const bool in_registers = accumulates(op);
  if (in_registers) accumulate(op);
  for (int k = in_registers ? op.rep : 0; k < op.rep; ++k) {
    if (in.bsel == BSel::MS) {
      float* b = b_.data();
      memory_scalar(op.rb + unsigned(k) * op.stb, b);
      for (int i = 1; i < op.vl; ++i) std::memcpy(b + i * width_, b, width_ * sizeof(float));
    }
    if (vf_one_by_one(op, k))
      for (int i = 0; i < op.vl; ++i) vf_beats(op, k, i, 1);
    else
      vf_beats(op, k, 0, op.vl);
  }
  count(op.rep * op.vl, true);
  if (in.bsel == BSel::MS) count(op.rep, false);  // the fetches
  return true;
}

/// Whether a beat may read what an earlier beat of the same repetition writes, or the accumulator file's end is near.
bool Row::vf_one_by_one(const VectorOp& op, int k) const {
  const isa::Instr& in = op.in;
  const auto wraps = [&](std::uint16_t entry) { return (entry & 255) + op.vl > WaferShape::kRDepth; };
  const auto behind = [](int written, int read, int size) { return written > read && written < read + size; };
  const bool reads_b = in.bsel == BSel::R, reads_c = in.csel == CSel::R;
  if ((reads_b && wraps(op.rb)) || (reads_c && wraps(op.rc))) return true;
  if (in.dsel == DSel::R)
    return wraps(op.rd) || (reads_b && behind(op.rd & 255, op.rb & 255, op.vl)) ||
           (reads_c && behind(op.rd & 255, op.rc & 255, op.vl));
  const std::uint16_t a = op.ra + unsigned(k) * op.sta, d = op.rd + unsigned(k) * op.std;
  return in.asel != ASel::S && behind(d, a, op.vl * shape_.lanes);
}

/// Spreads a memory scalar of each column over b[col][lane].
void Row::memory_scalar(std::uint16_t address, float* b) {
  const int lanes = shape_.lanes, lane = address & (lanes - 1);
  const std::uint16_t* word = read(address - lane, 1);
  if (lanes <= kVector) {
    I from;
    for (int i = 0; i < kVector; ++i) from[i] = (i & -lanes) + lane;
    for_vectors(width_, [&](int i, int n) { store(b + i, __builtin_shuffle(load_bf16(word + i), from), n); });
  } else {
    for (int i = 0; i < width_; ++i) b[i] = as_float(weft::widen(word[(i & -lanes) + lane]));
  }
}

/// Beats first .. first + beats - 1 of repetition k, all read before any is written as far as it matters.
void Row::vf_beats(const VectorOp& op, int k, int first, int beats) {
  const isa::Instr& in = op.in;
  const int size = beats * width_;
  const std::uint16_t offset = first * shape_.lanes;
  Operand a, b, c;

  if (in.asel == ASel::S) {
    a.scalar(op.ra);
  } else {
    const std::uint16_t* m = read(op.ra + unsigned(k) * op.sta + offset, beats);
    a.from = m;
    if (in.asel == ASel::OH) {
      float* floats = a_.data();
      for_vectors(size, [=, idx = op.idx](int i, int n) { store(floats + i, one_hot(m + i, idx), n); });
      a.from = floats;
    }
  }

  switch (in.bsel) {
    case BSel::S:
      b.scalar(op.rb);
      break;
    case BSel::R:
      b.from = r(op.rb + first);
      break;
    case BSel::MS:
      b.from = b_.data();
      break;
    case BSel::A:
      b = a;
      break;
  }

  switch (in.csel) {
    case CSel::Z:
      break;
    case CSel::R:
      c.from = r(op.rc + first);
      break;
    case CSel::A:
      c = a;
      break;
    case CSel::S:
      c.scalar(op.rc);
      break;
  }

  if (in.dsel == DSel::R)
    op.elementwise(a, b, c, op.table, r(op.rd + first), nullptr, size);
  else
    op.elementwise(a, b, c, op.table, nullptr, write(op.rd + unsigned(k) * op.std + offset, beats), size);
}

}  // namespace weft::model
