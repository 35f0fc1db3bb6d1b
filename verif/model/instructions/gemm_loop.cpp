#include "verif/model/instructions/gemm_loop.hpp"

#include <cstring>
#include <utility>

#include "sw/machine/message.hpp"
#include "verif/model/instructions/axpy.hpp"
#include "verif/model/instructions/instructions.hpp"
#include "verif/model/numbers/simd.hpp"

namespace weft::model {

namespace {

constexpr int kDepth = machine::WaferShape::kRDepth, kBuffers = 3;

/// One output of the loop, as both threads' registers describe it.
struct Output {
  int sums = 0;        ///< first entry that the weights are added to
  int buffers = 0;     ///< first entry of MP's buffers
  int vl = 0;          ///< beats
  bool moves = false;  ///< a vcr moves the sums to the buffer
  Stream* from = nullptr;
};

/// The first entry of `entries` ones; -1 if they pass the end of R.
int first_of(int entry, int entries) {
  entry &= kDepth - 1;
  return entry + entries <= kDepth ? entry : -1;
}

/// Finds main's half: a vaxs that puts, or one with a vcr behind it. Returns false if main is elsewhere.
bool find_main(const Machine& m, Output& o) {
  const VectorOp& op = m.main.op;
  if (!op.busy || op.in.op != isa::Opcode::Vaxs || op.started || op.in.put != op.in.rotate) return false;
  o.vl = op.vl;
  o.moves = !op.in.put;
  if (!o.moves) return (o.sums = o.buffers = first_of(op.rd, kBuffers * op.vl)) >= 0;
  const Decoded& next = m.program[m.main.pc];
  if (next.in.op != isa::Opcode::Vcr || next.step[Thread::kMain] != accept || m.per_column.registers()) return false;
  o.sums = first_of(op.rd, op.vl);
  o.buffers = first_of(m.main.r[next.in.rd], kBuffers * op.vl);
  const bool apart = o.sums + op.vl <= o.buffers || o.sums >= o.buffers + kBuffers * op.vl;
  return o.sums >= 0 && o.buffers >= 0 && apart && first_of(m.main.r[next.in.rc], op.vl) == o.sums &&
         (m.main.csr[static_cast<std::size_t>(isa::Csr::VL)] & 255) == (op.vl & 255);
}

/// Finds psum's half: a vs that adds main's sums to words of a stream, or takes the sums alone.
bool find_psum(Machine& m, Output& o) {
  const VectorOp& op = m.psum.op;
  if (!op.busy || op.in.op != isa::Opcode::Vs || op.in.gather || !op.in.q || op.done || op.vl != o.vl) return false;
  if (op.in.d == isa::VsD::R || (op.in.in && op.in.vsop != isa::VsOp::Add)) return false;
  if (first_of(op.rc, kBuffers * op.vl) != o.buffers) return false;
  if (op.in.out && (m.ports.can_send(op.in.cout) != Outcome::Done || m.ports.room(op.in.cout) < Ports::kNoBound))
    return false;
  o.from = op.in.in ? m.ports.in(op.in.cin) : nullptr;
  return !op.in.in || o.from;
}

/// All weights of the output, if they are there; else none.
std::span<const std::uint32_t> weights_of(const Machine& m) {
  if (m.mp.any()) return {};
  const auto run = m.w.run(0);
  if (!run || m.w.front_control() >> 24 != static_cast<unsigned>(machine::Command::CR)) return {};
  return *run;
}

/// The output's partial sum is there, or it has none.
bool has_partial_sum(const Machine& m, const Output& o) {
  return !o.from || o.from->words() >= static_cast<std::size_t>(o.vl * m.place.shape.lanes);
}

/// MP's buffers whose sums psum took from where they were computed ahead: of the outputs that use a buffer in turn,
/// only the last one's sums are stored there, at the latest when this is destroyed.
class UnwrittenBuffers {
 public:
  explicit UnwrittenBuffers(Machine& m) : m_(m) {}
  UnwrittenBuffers(const UnwrittenBuffers&) = delete;
  ~UnwrittenBuffers() { write(); }

  /// The output's buffer has these sums, which must stay valid until write().
  void set(const Output& o, int buffer, const float* sums) {
    if (o.buffers != first_ || o.vl != vl_) write(), first_ = o.buffers, vl_ = o.vl;
    sums_[buffer] = sums;
  }
  void write() {
    for (int buffer = 0; buffer < kBuffers; ++buffer)
      if (const float* const sums = std::exchange(sums_[buffer], nullptr))
        std::memcpy(m_.accumulators.at(first_ + buffer * vl_), sums,
                    static_cast<std::size_t>(vl_ * m_.place.width()) * sizeof *sums);
  }

 private:
  Machine& m_;
  int first_ = 0, vl_ = 0;
  const float* sums_[kBuffers] = {};
};

/// main's half. Returns the sums that psum takes.
const float* add_up(Machine& m, const Output& o, std::span<const std::uint32_t> weights, UnwrittenBuffers& unwritten) {
  VectorOp& op = m.main.op;
  float* const buffer = m.accumulators.at(o.buffers + m.mp.put_buffer() * o.vl);
  float* const own = o.moves ? m.accumulators.at(o.sums) : buffer;
  const std::size_t bytes = static_cast<std::size_t>(o.vl * m.place.width()) * sizeof *own;
  const bool fresh = !op.in.interleave && (o.moves ? all_zero(m, o.sums, o.vl) : !m.mp.filled);
  if (!m.precomputed_sums.any()) unwritten.write();  // new sums replace the old ones
  const float* const sums = fresh ? precomputed(m, op) : nullptr;
  if (sums) {
    unwritten.set(o, m.mp.put_buffer(), sums);
  } else {
    unwritten.write();
    axpy(m, op, weights);
    op.done = 0;
    if (o.moves) std::memcpy(buffer, own, bytes), std::memset(own, 0, bytes);
  }
  m.count(static_cast<std::uint64_t>(beats_of(op)) * weights.size(), true);
  if (o.moves) m.count(2 * static_cast<std::uint64_t>(o.vl), false);
  m.w.drop(weights.size());
  m.w.take_control();
  if (sums) return sums;
  const bool empty = !o.moves && !m.mp.filled;  // fewer weights than a round has
  return empty ? m.scratch.zeros() : buffer;
}

/// psum's half: adds the sums to the partial sum.
void pass_on(Machine& m, const Output& o, const float* sums) {
  const VectorOp& op = m.psum.op;
  const int lanes = m.place.shape.lanes, width = m.place.width();
  for (int beat = 0; beat < o.vl;) {
    Stream::Piece piece{nullptr, o.vl - beat};
    if (o.from) piece = o.from->take(piece.beats, lanes);
    std::uint32_t* const room = op.in.out ? m.ports.room_to_send(op.in.cout, o.from, piece.beats, lanes) : nullptr;
    float* const v = room ? reinterpret_cast<float*>(room) : m.scratch.a.data();
    const int size = piece.beats * width;
    const auto each = [&](auto f) { for_vectors(size, [&](int k, int n) { store(v + k, f(k), n); }); };
    if (const float* const x = reinterpret_cast<const float*>(piece.words))
      each([&](int k) { return canonical_nan(add(load(x + k), load(sums + k))); });
    else
      each([&](int k) { return canonical_nan(load(sums + k)); });
    if (op.in.out && !room) m.ports.send(op.in.cout, reinterpret_cast<const std::uint32_t*>(v), piece.beats, lanes);
    if (op.in.d == isa::VsD::M) {
      const auto to = static_cast<std::uint16_t>(op.rd + beat * lanes);
      std::uint16_t* const element = m.sram.to_write(to, piece.beats);
      for_vectors(size, [&](int k, int n) { store(element + k, to_bf16(load(v + k)), n); });
      m.sram.written(to, piece.beats);
    }
    beat += piece.beats, sums += size;
  }
  m.count(static_cast<std::uint64_t>(o.vl) * static_cast<unsigned>(lanes) / 2, false);
}

}  // namespace

GemmRun gemm_loop(Machine& m) {
  GemmRun ran;
  UnwrittenBuffers unwritten(m);
  for (bool more = m.accumulators.computed_are_canonical(); more; ++ran.outputs) {
    Output o;
    if (!find_main(m, o) || !find_psum(m, o)) break;
    const auto weights = weights_of(m);
    if (weights.empty()) break;
    if (!has_partial_sum(m, o)) {
      ran.waits_for_sum = true;
      break;
    }
    pass_on(m, o, add_up(m, o, weights, unwritten));
    m.mp.pass();
    m.work.w_came();
    m.work.moved = true;
    const bool main_is_back = accept_again(m, m.main, m.main.pc + o.moves);
    more = accept_again(m, m.psum, m.psum.pc) && main_is_back;
  }
  return ran;
}

}  // namespace weft::model
