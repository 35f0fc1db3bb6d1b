/// vf: location of operands, and execution order of beats.
#include "verif/model/instructions/vf.hpp"

#include "verif/model/instructions/instructions.hpp"
#include "verif/model/numbers/elementwise.hpp"
#include "verif/model/numbers/numbers.hpp"
#include "verif/model/numbers/simd.hpp"

namespace weft::model {

using isa::ASel;
using isa::BSel;
using isa::CSel;
using isa::DSel;

void memory_scalar(Machine& m, std::uint16_t address, float* b) {
  const int lanes = m.place.shape.lanes, width = m.place.width(), lane = address & (lanes - 1);
  const std::uint16_t* word = m.sram.read_word(static_cast<std::uint16_t>(address - lane));
  if (lanes <= kVector) {
    I from;
    for (int i = 0; i < kVector; ++i) from[i] = (i & -lanes) + lane;
    for_vectors(width, [&](int i, int n) { store(b + i, permute(load_bf16(word + i), from), n); });
  } else {
    for (int i = 0; i < width; ++i) b[i] = as_float(weft::widen(word[(i & -lanes) + lane]));
  }
}

namespace {

/// First entry of R for c or d in repetition k.
int entry(std::uint16_t first, const VectorOp& op, int k) {
  return static_cast<int>((first + unsigned(k) * op.str) & (machine::WaferShape::kRDepth - 1));
}

/// First element of the second memory vector in repetition k.
std::uint16_t second(const VectorOp& op, int k) {
  return static_cast<std::uint16_t>((second_is_b(op.in) ? op.rb : op.rc) + unsigned(k) * op.stb);
}

/// Checks for beats that must run one at a time: a beat may read what an earlier beat of the same repetition writes, or
/// a vector may cross the end of the accumulator file or of memory.
bool one_by_one(const Machine& m, const VectorOp& op, int k) {
  const isa::Instr& in = op.in;
  const int rc = entry(op.rc, op, k), rd = entry(op.rd, op, k);
  const auto wraps = [&](int e) { return (e & 255) + op.vl > machine::WaferShape::kRDepth; };
  const auto behind = [](int written, int read, int size) { return written > read && written < read + size; };
  const bool reads_b = in.bsel == BSel::R, reads_c = in.csel == CSel::R && !second_is_c(in);
  if ((reads_b && wraps(op.rb)) || (reads_c && wraps(rc))) return true;
  if (in.dsel == DSel::R)
    return wraps(rd) || (reads_b && behind(rd, op.rb & 255, op.vl)) || (reads_c && behind(rd, rc, op.vl));
  if (in.asel == ASel::S) return false;
  const std::uint16_t a = op.ra + unsigned(k) * op.sta, d = op.rd + unsigned(k) * op.std;
  const int size = op.vl * m.place.shape.lanes;
  if (in.asel == ASel::MM) {
    const std::uint16_t y = second(op, k);
    if (behind(d, y, size) || !m.sram.inside(y, op.vl)) return true;
  }
  return behind(d, a, size) || !m.sram.inside(a, op.vl) || !m.sram.inside(d, op.vl);
}

/// Operand OH of some beats, where each column has its own IDX.
void one_hot_of_own(float* floats, const std::uint16_t* x, const Machine& m, int beats) {
  const int width = m.place.width();
  const std::uint16_t* idx = m.per_column.beat();
  for (int at = 0; at < beats * width; at += width)
    for_vectors(width, [&](int i, int n) { store(floats + at + i, one_hot(x + at + i, idx + i), n); });
}

/// Executes beats first .. first + beats - 1 of repetition k. All reads happen before any write where the order
/// matters.
void vf_beats(Machine& m, const VectorOp& op, int k, int first, int beats) {
  const isa::Instr& in = op.in;
  const int size = beats * m.place.width();
  const std::uint16_t offset = first * m.place.shape.lanes;
  Operand a, b, c, y;

  if (in.asel == ASel::MM) {
    const auto from = static_cast<std::uint16_t>(second(op, k) + offset);
    y.from = m.sram.read(from, beats);
    if (!m.sram.inside(from, beats))  // reading a may use the same buffer
      y.from = std::memcpy(m.scratch.b.data(), y.from, static_cast<std::size_t>(size) * sizeof(std::uint16_t));
  }
  if (in.asel == ASel::S) {
    a.scalar(op.ra);
  } else {
    const std::uint16_t* x = m.sram.read(op.ra + unsigned(k) * op.sta + offset, beats);
    a.from = x;
    if (in.asel == ASel::OH) {
      float* floats = m.scratch.a.data();
      if (m.per_column.has_idx())
        one_hot_of_own(floats, x, m, beats);
      else
        for_vectors(size, [=, idx = op.idx](int i, int n) { store(floats + i, one_hot(x + i, idx), n); });
      a.from = floats;
    }
  }

  switch (in.bsel) {
    case BSel::S:
      b.scalar(op.rb);
      break;
    case BSel::R:
      b.from = m.accumulators.at(op.rb + first);
      break;
    case BSel::MS:
      b.from = in.asel == ASel::MM ? y.from : m.scratch.b.data();
      break;
    case BSel::A:
      b = a;
      break;
  }

  if (second_is_c(in))
    c = y;
  else
    switch (in.csel) {
      case CSel::Z:
        break;
      case CSel::R:
        c.from = m.accumulators.at(entry(op.rc, op, k) + first);
        break;
      case CSel::A:
        c = a;
        break;
      case CSel::S:
        c.scalar(op.rc);
        break;
    }

  if (in.dsel == DSel::R) {
    const int to = entry(op.rd, op, k) + first;
    op.elementwise(a, b, c, op.table, m.accumulators.at(to), nullptr, size);
    m.accumulators.computed(to, beats);
  } else {
    const std::uint16_t to = op.rd + unsigned(k) * op.std + offset;
    op.elementwise(a, b, c, op.table, nullptr, m.sram.to_write(to, beats), size);
    m.sram.written(to, beats);
  }
}

}  // namespace

Outcome vf(Machine& m, VectorOp& op) {
  const isa::Instr& in = op.in;
  const bool later = spreads(m, op);
  if (later)
    spread_later(m, op);
  else if (m.products.any())
    add_products(m);
  const bool together = !later && accumulates(op);
  if (together) accumulate(m, op);
  for (int k = later || together ? op.rep : 0; k < op.rep; ++k) {
    if (in.bsel == BSel::MS && in.asel != ASel::MM) {
      float* b = m.scratch.b.data();
      const int width = m.place.width();
      memory_scalar(m, op.rb + unsigned(k) * op.stb, b);
      for (int i = 1; i < op.vl; ++i) std::memcpy(b + i * width, b, static_cast<std::size_t>(width) * sizeof *b);
    }
    if (one_by_one(m, op, k))
      for (int i = 0; i < op.vl; ++i) vf_beats(m, op, k, i, 1);
    else
      vf_beats(m, op, k, 0, op.vl);
  }
  m.count(std::uint64_t{op.rep} * static_cast<unsigned>(op.vl), true);
  return Outcome::Done;
}

}  // namespace weft::model
