/// vs: fp32 streams and the accumulator file.
#include <array>
#include <cstring>

#include "sw/machine/message.hpp"
#include "verif/model/instructions/instructions.hpp"
#include "verif/model/numbers/numbers.hpp"
#include "verif/model/numbers/simd.hpp"

namespace weft::model {

namespace {

/// Number of beats from i on that can be executed together: their entries are contiguous, and none reads what another
/// writes.
int span(const VectorOp& op, int own, int i) {
  int beats = std::min(op.vl - i, Accumulators::to_end(own));
  if (op.in.d == isa::VsD::R) {
    beats = std::min(beats, Accumulators::to_end(op.rd + i));
    const int behind = (op.rd + i - own) & (machine::WaferShape::kRDepth - 1);
    if (behind) beats = std::min(beats, behind);
  }
  return beats;
}

/// Combines entries of R from `own` on with beats i, ... of words (null: no words), and stores the results to `v` as
/// well.
void compute(Machine& m, const VectorOp& op, const std::uint32_t* words, int own, int i, int beats, float* v) {
  const isa::Instr& in = op.in;
  const int size = beats * m.place.width();
  const bool moves = words && in.vsop == isa::VsOp::Mov;
  const float* x = reinterpret_cast<const float*>(words);
  const float* c = own_is_zero(m, op) ? m.scratch.zeros() : m.accumulators.at(own);
  const auto each = [&](auto f) { for_vectors(size, [&](int k, int n) { store(v + k, f(k), n); }); };
  if (!words)
    each([&](int k) { return m.accumulators.visible(load(c + k)); });
  else if (moves)
    std::memcpy(v, x, static_cast<std::size_t>(size) * sizeof *v);
  else if (in.vsop == isa::VsOp::Max)
    each([&](int k) { return max(load(x + k), load(c + k)); });
  else
    each([&](int k) { return canonical_nan(add(load(x + k), load(c + k))); });

  if (in.d == isa::VsD::R) {
    if (moves) m.accumulators.moves(v, size);
    std::memcpy(m.accumulators.at(op.rd + i), v, static_cast<std::size_t>(size) * sizeof *v);
  }
  if (in.d == isa::VsD::M) {
    const auto to = static_cast<std::uint16_t>(op.rd + i * m.place.shape.lanes);
    std::uint16_t* element = m.sram.to_write(to, beats);
    for_vectors(size, [&](int k, int n) { store(element + k, to_bf16(load(v + k)), n); });
    m.sram.written(to, beats);
  }
}

/// Executes as many beats from i on as have arrived.
void beats(Machine& m, VectorOp& op, Stream* from, int own, int i) {
  const isa::Instr& in = op.in;
  const int lanes = m.place.shape.lanes;
  Stream::Piece piece{nullptr, span(op, own + i, i)};
  if (from) piece = from->take(std::min(piece.beats, static_cast<int>(from->words()) / lanes), lanes);
  std::uint32_t* room = in.out ? m.ports.room_to_send(in.cout, from, piece.beats, lanes) : nullptr;
  compute(m, op, piece.words, own + i, i, piece.beats, room ? reinterpret_cast<float*>(room) : m.scratch.a.data());
  if (in.out && !room)
    m.ports.send(in.cout, reinterpret_cast<const std::uint32_t*>(m.scratch.a.data()), piece.beats, lanes);
  m.count(static_cast<std::uint64_t>(piece.beats) * lanes / 2, false);
  op.done += piece.beats * lanes / 2;
}

/// Processes two elements of an entry, when its other words, or room for them, are missing.
void pair(Machine& m, VectorOp& op, Stream* from, int own, int i) {
  const isa::Instr& in = op.in;
  const int lanes = m.place.shape.lanes, cols = m.place.columns.count, lane = op.done * 2 % lanes;
  const bool zero = own_is_zero(m, op);
  std::vector<std::uint32_t> v(static_cast<std::size_t>(cols) * 2 + kVector);
  if (from) std::memcpy(v.data(), from->take(1, 2).words, static_cast<std::size_t>(cols) * 2 * sizeof v[0]);
  std::array<std::uint16_t*, 2> to{};
  if (in.d == isa::VsD::M)
    to = m.sram.pair_to_write(static_cast<std::uint16_t>(op.rd + i * lanes), static_cast<unsigned>(lane));
  if (in.d == isa::VsD::R && in.vsop == isa::VsOp::Mov)
    m.accumulators.moves(reinterpret_cast<const float*>(v.data()), cols * 2);
  for (int k = 0; k < cols * 2; ++k) {
    const int at = k / 2 * lanes + lane + k % 2;
    const std::uint32_t c = zero ? 0 : as_bits(m.accumulators.at(own + i)[at]);
    if (!from)
      v[k] = zero ? 0 : m.accumulators.visible(own + i, at);
    else if (in.vsop == isa::VsOp::Add)
      v[k] = add_bits(v[k], c);
    else if (in.vsop == isa::VsOp::Max)
      v[k] = max_bits(v[k], c);
    if (in.d == isa::VsD::R) std::memcpy(m.accumulators.at(op.rd + i) + at, &v[k], sizeof v[k]);
    if (std::uint16_t* const element = to[static_cast<std::size_t>(k % 2)])
      element[k / 2 * lanes] = weft::to_bf16(v[k]);
  }
  if (in.out) m.ports.send(in.cout, v.data(), 1, 2);
  m.count(1, false);
  ++op.done;
}

}  // namespace

/// op.done: pairs of elements.
Outcome vs(Machine& m, VectorOp& op) {
  const isa::Instr& in = op.in;
  const int lanes = m.place.shape.lanes, pairs = lanes / 2;
  if (in.gather) return gather(m, op);
  if (in.q && !m.mp.any()) return op.wait("an entry of MP");
  const int own = op.rc + (in.q ? m.mp.taken_buffer() * op.vl : 0);
  Stream* from = in.in ? m.ports.in(in.cin) : nullptr;
  if (in.in && !from) return op.not_in_lockstep("a vs takes words that do not arrive in lockstep");
  if (in.out)
    if (const Outcome can = m.ports.can_send(in.cout); can != Outcome::Done) return op.cannot_send(can);
  const bool bounded = in.out && m.ports.room(in.cout) < Ports::kNoBound;
  while (op.done < op.vl * pairs) {
    if (from && from->words() < 2) return op.wait("words of its input color");
    if (bounded && m.ports.room(in.cout) <= 0) return op.wait(Waiting::kRoom);
    const int i = op.done / pairs;
    const bool whole = op.done % pairs == 0 && !bounded;
    if (whole && (!from || from->words() >= static_cast<std::size_t>(lanes)))
      beats(m, op, from, own, i);
    else
      pair(m, op, from, own, i);
    m.work.moved = true;
  }
  if (in.q) m.mp.pop();
  return Outcome::Done;
}

}  // namespace weft::model
