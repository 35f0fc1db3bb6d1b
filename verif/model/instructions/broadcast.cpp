/// vb: broadcast of bf16 vectors.
#include <cstdlib>
#include <cstring>

#include "verif/model/instructions/instructions.hpp"
#include "verif/model/numbers/simd.hpp"

namespace weft::model {

namespace {

/// Checks that both vectors are contiguous in memory and do not overlap, so that no beat reads what an earlier one
/// wrote.
bool apart(const Machine& m, std::uint16_t from, std::uint16_t to, int beats) {
  return m.sram.inside(from, beats) && m.sram.inside(to, beats) && std::abs(from - to) >= beats * m.place.shape.lanes;
}

}  // namespace

/// op.done: beats.
Outcome vb(Machine& m, VectorOp& op) {
  const isa::Instr& in = op.in;
  const int lanes = m.place.shape.lanes, width = m.place.width(), k = lanes / 2;  // words of a beat
  Stream* from = in.in ? m.ports.in(in.cin) : nullptr;
  if (in.in && !from) return op.not_in_lockstep("a vb takes words that do not arrive in lockstep");
  if (in.out)
    if (const Outcome can = m.ports.can_send(in.cout); can != Outcome::Done) return op.cannot_send(can);
  if (!m.pm.room()) return op.wait("room in PM");

  const int to = op.rd + m.pm.put_buffer() * op.vl * lanes;
  const bool together = !from && apart(m, op.ra, static_cast<std::uint16_t>(to), op.vl);
  while (op.done < op.vl) {
    Stream::Piece piece{nullptr, 1};
    const int there = from ? static_cast<int>(from->words()) / k : 1;
    if (!there) return op.wait("words of its input color");
    const int room = in.out ? m.ports.room(in.cout) : Ports::kNoBound;
    if (room <= 0) return op.wait(Waiting::kRoom);
    if (from) {
      piece = from->take(std::min({op.vl - op.done, there, room}), k);
    } else {
      const auto first = static_cast<std::uint16_t>(op.ra + op.done * lanes);
      if (together) piece.beats = std::min(op.vl - op.done, room);
      piece.words = reinterpret_cast<const std::uint32_t*>(together ? m.sram.at(first) : m.sram.read(first, 1));
    }
    // [beat][col][k] words are [beat][col][lane] elements.
    const int size = piece.beats * width;
    const auto* elements = reinterpret_cast<const std::uint16_t*>(piece.words);
    if (in.out) {  // before the store, which may overwrite the source
      std::uint32_t* room = m.ports.room_to_send(in.cout, from, piece.beats, k);
      void* copy = room ? static_cast<void*>(room) : m.scratch.a.data();
      std::memcpy(copy, elements, static_cast<std::size_t>(size) * sizeof *elements);
      if (!room) m.ports.send(in.cout, static_cast<const std::uint32_t*>(copy), piece.beats, k);
    }
    const auto first = static_cast<std::uint16_t>(to + op.done * lanes);
    std::uint16_t* words = m.sram.to_write(first, piece.beats);
    normal_bf16(elements, words, size);
    m.sram.written(first, piece.beats);
    m.count(static_cast<std::uint64_t>(piece.beats), false);
    op.done += piece.beats;
    m.work.moved = true;
  }
  m.pm.push({});
  return Outcome::Done;
}

}  // namespace weft::model
