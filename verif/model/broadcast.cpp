/// vb: broadcast of bf16 vectors.
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
    // [beat][col][k] words are [beat][col][lane] elements.
    const int size = piece.beats * width_;
    const auto* elements = reinterpret_cast<const std::uint16_t*>(piece.words);
    pieces(to + i, piece.beats, [&](int first, int beats) {
      float* entries = r(to + i + first);
      const std::uint16_t* x = elements + first * width_;
      for_vectors(beats * width_, [&](int e, int n) { store(entries + e, widen(load_as<H>(x + e)), n); });
    });
    if (in.out) {
      std::uint32_t* room = room_to_send(op, from, piece.beats, k);
      void* copy = room ? static_cast<void*>(room) : a_.data();
      std::memcpy(copy, elements, size * sizeof *elements);
      if (!room) send_words(op, static_cast<const std::uint32_t*>(copy), piece.beats, k);
    }
    i += piece.beats;
  }
  pm_.push({});
  count(op.vl, false);
  return true;
}

}  // namespace weft::model
