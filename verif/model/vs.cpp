/// vs: fp32 streams against the accumulator file.
#include "sw/machine/message.hpp"
#include "verif/model/numbers.hpp"
#include "verif/model/row.hpp"
#include "verif/model/simd.hpp"

namespace weft::model {

namespace {

/// A value of R as the outside sees it: bit for bit, but NaN canonical.
std::uint32_t visible(float x) { return weft::is_nan(as_bits(x)) ? kNan : as_bits(x); }

}  // namespace

bool Row::vs(VectorOp& op) {
  const isa::Instr& in = op.in;
  if (in.vsop > isa::VsOp::Mov || in.d > isa::VsD::M) fail(op.pc, "a field has a value without a meaning");
  Stream* from = in.in ? this->in(in.cin) : nullptr;
  if (in.in && (!from || from->words() < static_cast<std::size_t>(op.vl) * shape_.lanes))
    return wait(op, "words of its input color");
  if (in.q && !mp_.any()) return wait(op, "an entry of MP");

  const int own = op.rc + (in.q ? mp_.taken_parity() * op.vl : 0);
  if (in.gather) vs_gather(op, own);
  for (int i = in.gather ? op.vl : 0; i < op.vl;) {
    Stream::Piece piece{nullptr, vs_span(op, own + i, i)};
    if (from) piece = from->take(piece.beats, shape_.lanes);
    std::uint32_t* room = in.out ? room_to_send(op, from, piece.beats, shape_.lanes) : nullptr;
    vs_beats(op, piece.words, own + i, i, piece.beats, room ? reinterpret_cast<float*>(room) : a_.data());
    if (in.out && !room) send_words(op, reinterpret_cast<const std::uint32_t*>(a_.data()), piece.beats, shape_.lanes);
    i += piece.beats;
  }
  if (in.q) mp_.pop();
  count(op.vl * shape_.lanes / 2, false);
  return true;
}

/// How many beats from i on can be done together: their entries lie in one piece, and none reads what another writes.
int Row::vs_span(const VectorOp& op, int own, int i) const {
  const auto to_end = [](int entry) { return WaferShape::kRDepth - (entry & (WaferShape::kRDepth - 1)); };
  int beats = std::min(op.vl - i, to_end(own));
  if (op.in.d == isa::VsD::R) {
    beats = std::min(beats, to_end(op.rd + i));
    const int behind = (op.rd + i - own) & (WaferShape::kRDepth - 1);
    if (behind) beats = std::min(beats, behind);
  }
  return beats;
}

/// Entries of R from `own` on against beats i, ... of words (null: none); the results to `v`, too.
void Row::vs_beats(const VectorOp& op, const std::uint32_t* words, int own, int i, int beats, float* v) {
  const isa::Instr& in = op.in;
  const int size = beats * width_;
  const float* x = reinterpret_cast<const float*>(words);
  const float* c = r(own);
  const auto each = [&](auto f) { for_vectors(size, [&](int k, int n) { store(v + k, f(k), n); }); };
  if (!words)
    each([&](int k) { return canonical_nan(load(c + k)); });
  else if (in.vsop == isa::VsOp::Mov)
    std::memcpy(v, x, size * sizeof *v);
  else if (in.vsop == isa::VsOp::Max)
    each([&](int k) { return max(load(x + k), load(c + k)); });
  else
    each([&](int k) { return canonical_nan(load(x + k) + load(c + k)); });

  if (in.d == isa::VsD::R) std::memcpy(r(op.rd + i), v, size * sizeof *v);
  if (in.d == isa::VsD::M) {
    std::uint16_t* m = write(op.rd + i * shape_.lanes, beats);
    for_vectors(size, [&](int k, int n) { store(m + k, to_bf16(load(v + k)), n); });
  }
}

/// Column 0's vector to the outlet, then column 1's, ... Each column passes on all that come from its east.
void Row::vs_gather(const VectorOp& op, int own) {
  const isa::Instr& in = op.in;
  if (in.in || !in.out || in.d != isa::VsD::N) fail(op.pc, "gather needs no input, an output and no destination");
  constexpr int kWest = static_cast<int>(Color::West);
  if (in.cout != kWest || (shape_.cols > 1 && in.cin != kWest)) fail(op.pc, "gather works along WEST only");
  if (west_debt_) fail(op.pc, "a word that rcv took on WEST was never sent");
  std::vector<std::uint32_t> words;
  words.reserve(static_cast<std::size_t>(op.vl) * width_);
  for (int col = 0; col < columns_.count; ++col)
    for (int i = 0; i < op.vl; ++i)
      for (int lane = 0; lane < shape_.lanes; ++lane) words.push_back(visible(r(own + i)[col * shape_.lanes + lane]));
  west.words(words);
  const int east = shape_.cols - columns_.first - columns_.count;  // columns
  const int passed = columns_.count * east + columns_.count * (columns_.count - 1) / 2;
  beats += static_cast<std::uint64_t>(op.vl) * shape_.lanes / 2 * passed;
}

}  // namespace weft::model
