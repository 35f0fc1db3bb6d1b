/// Where colors lead, and the words psum sends and receives one by one: rcv, snd.
///
/// RING and NORTH are streams between rows. WEST is a chain within the row: what a column sends, its western neighbour
/// takes, and only column 0's words leave. In step, such a chain is worked out at once (west.hpp): vr and the gathering
/// vs do so, and rcv and snd of a scalar that is the same in all columns.
#include <algorithm>
#include <cstring>

#include "sw/machine/message.hpp"
#include "verif/model/row.hpp"

namespace weft::model {

namespace {

constexpr int kRing = static_cast<int>(Color::Ring);
constexpr int kNorth = static_cast<int>(Color::North);
constexpr int kWest = static_cast<int>(Color::West);

}  // namespace

/// The stream a color brings to this row, or null.
Stream* Row::in(int color) {
  if (color == kRing) return &ring;
  if (color == kNorth) return &north;
  return nullptr;
}

/// Where a color leads. Null: nowhere, and the flag is set.
Stream* Row::out(int color) {
  if (color == kRing) return ring_out;
  if (color == kNorth && north_out) return north_out;
  flag(color > kWest ? isa::Flag::BadColor : isa::Flag::NoRoute);
  return nullptr;
}

/// Room for `beats` x [col][k] words in the stream they go to. Null: they need send_words, as nobody takes them or they
/// are made of what `from`, the same stream, still holds.
std::uint32_t* Row::room_to_send(const VectorOp& op, const Stream* from, int beats, int k) {
  Stream* to = op.in.cout == kRing ? ring_out : op.in.cout == kNorth ? north_out : nullptr;
  return to && to != from ? to->push(beats, k) : nullptr;
}

/// Sends `beats` x [col][k] words.
void Row::send_words(const VectorOp& op, const std::uint32_t* words, int beats, int k) {
  const int color = op.in.cout;
  const int size = beats * columns_.count * k;
  if (color == kWest) {
    if (shape_.cols > 1) fail(op.pc, "every column sends to its western neighbour, which takes nothing: use gather");
    west.words({words, static_cast<std::size_t>(size)});
  } else if (Stream* to = out(color)) {
    std::memcpy(to->push(beats, k), words, size * sizeof *words);
  }
}

bool Row::receive(Thread& t, const isa::Instr& in) {
  if (t.op.busy) return wait(t, "its sequencer");
  std::uint16_t value = 0;
  if (in.color == kWest) {
    // The last column's 0 at once; in step, then, everybody's: snd makes sure of it.
    ++west_debt_;
  } else {
    Stream* from = this->in(in.color);
    if (!from || !from->words()) return wait(t, "a word of its color");
    const std::uint32_t* words = from->take(1, 1).words;
    value = static_cast<std::uint16_t>(words[0]);
    scalars.push_back({t.pc, -1, value});
    for (int col = 1; col < columns_.count; ++col)
      if (static_cast<std::uint16_t>(words[col]) != value)
        out_of_step(scalars.back(), columns_.first, columns_.first + col);
  }
  if (in.rd) t.r[in.rd] = value;
  steps_ = 0;
  ++t.pc;
  return true;
}

bool Row::send(Thread& t, const isa::Instr& in) {
  if (t.op.busy) return wait(t, "its sequencer");
  const std::uint16_t value = t.r[in.ra];
  if (in.color == kWest) {
    if (shape_.cols > 1) {
      if (!west_debt_) fail(t.pc, "snd on WEST without an earlier rcv: the neighbours' words would pile up");
      // The flags of a row, or-ed along it, are the same in every column after all.
      if (value && value != flags)
        fail(t.pc, "snd of " + std::to_string(value) + " on WEST: the last column's rcv gave 0, so the columns differ");
    }
    west_debt_ -= west_debt_ > 0;
    west.word(value);
  } else if (Stream* to = out(in.color)) {
    std::fill_n(to->push(1, 1), columns_.count, value);
  }
  count(1, false);
  steps_ = 0;
  ++t.pc;
  return true;
}

}  // namespace weft::model
