/// vb (broadcast of bf16 vectors) and vr (reduction of vdot's slots).
#include "verif/message.hpp"
#include "verif/model/numbers.hpp"
#include "verif/model/row.hpp"
#include "verif/model/simd.hpp"

namespace weft::model {

bool Row::vb(VectorOp& op) {
  const isa::Instr& in = op.in;
  const int k = shape_.lanes / 2;  // words of a beat
  Stream* from = in.in ? this->in(in.cin) : nullptr;
  if (!pm_.room()) return wait(op, "room in PM");
  if (in.in && (!from || from->words() < static_cast<std::size_t>(op.vl) * k))
    return wait(op, "words of its input color");

  const int to = op.rd + pm_.put_parity() * op.vl;
  for (int i = 0; i < op.vl;) {
    Stream::Piece piece{nullptr, 1};
    if (from)
      piece = from->take(op.vl - i, k);
    else
      piece.words = reinterpret_cast<const std::uint32_t*>(read(op.ra + i * shape_.lanes, 1));
    // [beat][col][k] words are [beat][col][lane] elements. A copy: a wafer of one row sends to itself.
    const int size = piece.beats * width_;
    auto* elements = reinterpret_cast<std::uint16_t*>(a_.data());
    std::memcpy(elements, piece.words, size * sizeof *elements);
    pieces(to + i, piece.beats, [&](int first, int beats) {
      float* entries = r(to + i + first);
      const std::uint16_t* x = elements + first * width_;
      for_vectors(beats * width_, [&](int e, int n) { store(entries + e, widen(load_as<H>(x + e)), n); });
    });
    if (in.out) send_words(op, reinterpret_cast<const std::uint32_t*>(elements), piece.beats, k);
    i += piece.beats;
  }
  pm_.push({});
  count(op.vl, false);
  return true;
}

bool Row::vr(VectorOp& op) {
  constexpr int kWest = static_cast<int>(Color::West);
  constexpr int kSlots = 16;
  if (op.in.cout != kWest || (shape_.cols > 1 && op.in.cin != kWest)) fail(op.pc, "vr works along WEST only");
  for (;;) {
    if (!mp_.any()) return wait(op, "an entry of MP");
    if (west_debt_) fail(op.pc, "a word that rcv took on WEST was never sent");
    const Handoff entry = mp_.front();
    const int first = op.rc + mp_.taken_parity() * kSlots;
    for (int j = 0; j < entry.count; ++j) to_outlet(reduce(r(first + j)));
    count(3 * entry.count, false);
    mp_.pop();
    moved_ = true;
    if (entry.last) return true;
  }
}

/// The sum of a slot: neighbouring lanes pair by pair, then column by column from the east.
std::uint32_t Row::reduce(const float* slot) {
  float sum = 0;
  for (int col = shape_.cols - 1; col >= 0; --col) {
    float lanes[64];
    std::memcpy(lanes, slot + col * shape_.lanes, shape_.lanes * sizeof(float));
    for (int n = shape_.lanes / 2; n; n /= 2)
      for (int l = 0; l < n; ++l) lanes[l] = lanes[2 * l] + lanes[2 * l + 1];
    sum = col == shape_.cols - 1 ? lanes[0] : sum + lanes[0];
  }
  return canonical(as_bits(sum));
}

}  // namespace weft::model
