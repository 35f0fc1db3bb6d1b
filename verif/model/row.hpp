/// One row of the wafer, or the part of it that lies in a slice of the columns, as one wide machine.
///
/// A row runs in step (docs/pe.md), so its tiles share one scalar state, and their memories interleave: a vector of VL
/// beats over all columns is VL * width neighbouring elements, width = cols * lanes. For the same reason parts of a row
/// need nothing of each other: all do the same, and what goes along the row, on WEST, only the host takes (west.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "isa.hpp"
#include "verif/model/aligned.hpp"
#include "verif/model/elementwise.hpp"
#include "verif/model/inbox.hpp"
#include "verif/model/stream.hpp"
#include "verif/model/west.hpp"
#include "verif/wafer.hpp"

namespace weft::model {

/// The program asks for what rows in step cannot do, or breaks another duty of programs that hardware does not check.
struct ProgramError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What a thread's sequencer works on: operands as they were when the instruction was accepted.
struct VectorOp {
  bool busy = false;
  bool started = false;  ///< vdot: has seen its entry of PM
  std::uint16_t pc = 0;
  isa::Instr in;
  std::uint16_t rd = 0, ra = 0, rb = 0, rc = 0;  ///< values of the registers
  Elementwise elementwise = nullptr;             ///< of vf, and its table
  const bf16* table = nullptr;
  std::uint16_t vl = 0, rep = 0, sta = 0, stb = 0, std = 0, idx = 0, lmask = 0;
  const char* waits = "";  ///< what for, if it could not go on
};

/// An instruction taken apart, and who may run it.
struct Decoded {
  isa::Instr in;
  bool main = false, psum = false;
  Elementwise elementwise = nullptr;  ///< of vf, and its table
  const bf16* table = nullptr;
  bool registers = false;  ///< touches nothing but its thread's registers and pc; either may run it
};

struct Thread {
  bool running = false;
  std::uint16_t pc = 0;
  std::array<std::uint16_t, 16> r{};
  std::array<std::uint16_t, 16> csr{};
  VectorOp op;
  const char* waits = "";
};

/// An entry of the handoff queue MP.
struct Handoff {
  bool last;
  int count;
};

/// A handoff queue of two entries with the parities of its two ends.
struct HandoffQueue {
  std::array<Handoff, 2> entries{};
  std::uint32_t put = 0, taken = 0;  ///< since reset

  bool room() const { return put - taken < 2; }
  bool any() const { return put != taken; }
  int put_parity() const { return put & 1; }
  int taken_parity() const { return taken & 1; }
  const Handoff& front() const { return entries[taken & 1]; }
  void push(Handoff h) { entries[put++ & 1] = h; }
  void pop() { ++taken; }
};

/// Neighbouring columns of the wafer.
struct Columns {
  int first, count;
};

/// A scalar that a row's own tiles brought: the same in all columns, or the row would not stay in step.
struct Scalar {
  std::uint16_t pc;
  int address;  ///< of ld; -1: a word that rcv took
  std::uint16_t value;
  bool operator==(const Scalar&) const = default;
};

class Row {
 public:
  Row(const WaferShape& shape, int row, Columns columns);
  Row(Row&&) = delete;  // main_ and psum_ are told apart by their addresses

  /// Runs both threads until they block. True if anything happened.
  bool run();
  /// What both threads do and wait for, for a WaferStuck.
  std::string describe() const;

  Inbox inbox;
  Stream ring, north;                                ///< towards this row
  Stream *ring_out = nullptr, *north_out = nullptr;  ///< null: no neighbour
  West west;
  std::vector<Scalar> scalars;  ///< of ld and rcv, to be compared with the other slices'

  unsigned flags = 0;  ///< sticky, by isa::Flag
  std::uint64_t beats = 0, fma_lanes = 0;

  void flag(isa::Flag f) { flags |= 1u << static_cast<unsigned>(f); }
  /// The SRAM of one of these columns, in elements.
  std::vector<std::uint16_t> sram(int col) const;
  /// A scalar is not the same in two columns.
  [[noreturn]] void out_of_step(const Scalar& scalar, int col, int other) const;

 private:
  // commands.cpp: main at rest
  void command(std::uint32_t word);
  void write_instruction(std::uint16_t high);
  void write_memory(std::uint16_t value);

  // core.cpp: the threads; scalar.cpp: their instructions. False: it waits, and nothing has changed.
  void run(Thread& t);
  bool step(Thread& t);
  void run_registers(Thread& t);
  bool scalar(Thread& t, const isa::Instr& in);
  bool control(Thread& t, const isa::Instr& in);
  bool receive(Thread& t, const isa::Instr& in);
  bool send(Thread& t, const isa::Instr& in);
  std::uint16_t element(std::uint16_t address);
  std::uint16_t control_register(const Thread& t, isa::Csr csr) const;
  bool accept(Thread& t, const Decoded& decoded);
  bool wait(Thread& t, const char* what);
  bool main_thread(const Thread& t) const { return &t == &main_; }

  // Vector instructions: true if done, false if they wait for more (a part may be done).
  bool execute(VectorOp& op);
  bool wait(VectorOp& op, const char* what);

  bool vf(const VectorOp& op);
  void vf_beats(const VectorOp& op, int k, int first, int beats);
  bool vf_one_by_one(const VectorOp& op, int k) const;
  void memory_scalar(std::uint16_t address, float* b);
  // accumulate.cpp
  bool accumulates(const VectorOp& op) const;
  void accumulate(const VectorOp& op);

  // axpy.cpp
  bool vaxs(VectorOp& op);
  void axpy(const VectorOp& op, std::span<const std::uint32_t> weights);
  void find_features(const VectorOp& op, const std::uint16_t* index, int n, const std::uint16_t** x);
  bool end_of_stream(VectorOp& op);
  bool vcr(VectorOp& op);

  // dot.cpp
  bool vdot(VectorOp& op);
  void dot(const VectorOp& op, std::span<const std::uint32_t> indices);

  bool vs(VectorOp& op);
  int vs_span(const VectorOp& op, int own, int i) const;
  void vs_beats(const VectorOp& op, const std::uint32_t* words, int own, int i, int beats, float* v);
  void vs_gather(const VectorOp& op, int own);

  // broadcast.cpp, reduce.cpp
  bool vb(VectorOp& op);
  bool vr(VectorOp& op);
  void reduce(int first, int count);
  bool last_column_is_here() const { return columns_.first + columns_.count == shape_.cols; }

  // streams.cpp
  Stream* in(int color);
  Stream* out(int color);
  std::uint32_t* room_to_send(const VectorOp& op, const Stream* from, int beats, int k);
  void send_words(const VectorOp& op, const std::uint32_t* words, int beats, int k);

  // memory.cpp: whole vectors of SRAM; a bad one sets a flag and reads zeros, or is written to nowhere
  const std::uint16_t* read(std::uint16_t address, int beats);
  std::uint16_t* write(std::uint16_t address, int beats);
  std::size_t place(std::uint16_t address, int beats);
  float* r(int entry) { return r_.data() + static_cast<std::size_t>(entry & (WaferShape::kRDepth - 1)) * width_; }
  /// Calls f(first beat, beats) for the parts of R[entry ...] that lie in one piece.
  template <class F>
  static void pieces(int entry, int beats, F f) {
    const int first = std::min(beats, WaferShape::kRDepth - (entry & (WaferShape::kRDepth - 1)));
    f(0, first);
    if (first < beats) f(first, beats - first);
  }
  void count(std::uint64_t n, bool multiplies);
  std::string where(std::uint16_t pc) const;
  std::string describe(const Thread& t, const char* rests) const;
  [[noreturn]] void fail(std::uint16_t pc, const std::string& what) const;

  const WaferShape shape_;
  const int row_;
  const Columns columns_;
  const int width_;
  int selected_col_ = 255;
  bool selected_row_ = true;

  Thread main_, psum_;
  HandoffQueue mp_, pm_;
  std::vector<std::uint32_t> words_;  ///< instruction memory
  std::vector<Decoded> decoded_;      ///< the same, taken apart
  std::uint16_t iaddr_ = 0, ilo_ = 0;
  std::vector<std::uint16_t> maddr_;  ///< of all columns: what goes wrong in one is the row's flag

  Aligned<std::uint16_t> m_;  ///< SRAM, [word][col][lane], then room for one vector of zeros and one of waste
  Aligned<float> r_;          ///< accumulator file, [entry][col][lane]; NaNs need not be canonical in here
  Aligned<float> a_, b_;      ///< operands of vf, [beat or repetition][col][lane]
  Aligned<float> dy_;         ///< vdot's dy, rounded to bf16 and widened, [beat][col][lane]
  int west_debt_ = 0;         ///< words received on WEST as 0 that the neighbours are still to send
  bool moved_ = false;        ///< something happened since run() began
  std::uint64_t steps_ = 0;   ///< instructions and beats of vf since a stream, a queue or a command
};

}  // namespace weft::model
