/// A vs that gathers: column 0's vector arrives at the outlet first, then column 1's, ... Each column forwards all
/// vectors that arrive from its east.
#include "verif/model/edge/west.hpp"
#include "verif/model/instructions/instructions.hpp"

namespace weft::model {

namespace {

/// [col][beat][lane]: the columns' own vectors.
std::vector<std::uint32_t> own_words(const Machine& m, const VectorOp& op) {
  const int own = op.rc + (op.in.q ? m.mp.taken_buffer() * op.vl : 0);
  const int lanes = m.place.shape.lanes;
  std::vector<std::uint32_t> words(static_cast<std::size_t>(op.vl * m.place.width()));
  if (own_is_zero(m, op)) return words;
  auto word = words.begin();
  for (int col = 0; col < m.place.columns.count; ++col)
    for (int i = 0; i < op.vl; ++i)
      for (int lane = 0; lane < lanes; ++lane) *word++ = m.accumulators.visible(own + i, col * lanes + lane);
  return words;
}

/// Gathers all columns at once: each forwards as many vectors as there are columns to its east.
Outcome gather_in_lockstep(Machine& m, VectorOp& op) {
  const isa::Instr& in = op.in;
  West* west = m.ports.along_row(in.cout);
  if (!west || (m.in_lockstep() && in.cin != in.cout)) return op.not_in_lockstep("a gather that is not along WEST");
  west->words(own_words(m, op));
  const auto beats = static_cast<std::uint64_t>(op.vl) * m.place.shape.lanes / 2;
  m.count(beats, false);
  m.work.passed += beats;
  if (in.q) m.mp.pop();
  return Outcome::Done;
}

}  // namespace

/// op.started: the PE's own vector has been sent. op.done: words of the own vector, then words forwarded.
Outcome gather(Machine& m, VectorOp& op) {
  const isa::Instr& in = op.in;
  if (in.q && !op.started && !m.mp.any()) return op.wait("an entry of MP");
  if (m.parts) return gather_in_lockstep(m, op);
  if (const Outcome can = m.ports.can_send(in.cout); can != Outcome::Done) return op.cannot_send(can);
  const int lanes = m.place.shape.lanes, east = m.place.shape.cols - 1 - m.place.columns.first;
  if (!op.started) {
    const std::vector<std::uint32_t> words = own_words(m, op);
    while (op.done < op.vl * lanes) {
      const int pairs = std::min(op.vl * lanes - op.done, 2 * m.ports.room(in.cout)) / 2;
      if (pairs <= 0) return op.wait(Waiting::kRoom);
      m.ports.send(in.cout, words.data() + op.done, pairs, 2);
      m.count(static_cast<std::uint64_t>(pairs), false);
      op.done += 2 * pairs;
      m.work.moved = true;
    }
    if (in.q) m.mp.pop();
    op.started = m.work.moved = true;
    op.done = 0;
  }
  Stream* from = m.ports.in(in.cin);
  std::vector<std::uint32_t> words;
  for (const int total = op.vl * lanes * east; op.done < total;) {
    const int pairs = std::min({total - op.done, static_cast<int>(from->words()), 2 * m.ports.room(in.cout)}) / 2;
    if (pairs <= 0) return op.wait(from->words() < 2 ? "words of its input color" : Waiting::kRoom);
    const Stream::Piece piece = from->take(pairs, 2);
    words.assign(piece.words, piece.words + piece.beats * 2);
    m.ports.send(in.cout, words.data(), piece.beats, 2);
    m.count(static_cast<std::uint64_t>(piece.beats), false);
    op.done += piece.beats * 2;
    m.work.moved = true;
  }
  return Outcome::Done;
}

}  // namespace weft::model
