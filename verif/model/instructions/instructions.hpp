/// The instructions, as functions of a machine. The table from opcodes to functions is in table.cpp.
#pragma once

#include "isa_list.hpp"
#include "verif/model/machine/machine.hpp"

namespace weft::model {

// registers.cpp: executes this instruction and the following ones, as long as they use only registers and pc.
Outcome registers(Machine& m, Thread& t, const Decoded& decoded);

// scalar.cpp
Outcome ld(Machine& m, Thread& t, const Decoded& decoded);
Outcome csrr(Machine& m, Thread& t, const Decoded& decoded);
/// csrw to IDX.
Outcome csrw_idx(Machine& m, Thread& t, const Decoded& decoded);
Outcome mvp(Machine& m, Thread& t, const Decoded& decoded);

// words.cpp
Outcome rcv(Machine& m, Thread& t, const Decoded& decoded);
Outcome snd(Machine& m, Thread& t, const Decoded& decoded);

// control.cpp
Outcome halt(Machine& m, Thread& t, const Decoded& decoded);
Outcome fork(Machine& m, Thread& t, const Decoded& decoded);
Outcome join(Machine& m, Thread& t, const Decoded& decoded);
/// Hands a vector instruction to the thread's sequencer.
Outcome accept(Machine& m, Thread& t, const Decoded& decoded);
/// Ends the thread's vector instruction, and executes the instructions on registers behind it, from `pc` on. Returns
/// true if they lead back to the vector instruction, which then begins again with new operands.
bool accept_again(Machine& m, Thread& t, int pc);
/// Halts the thread with the flag BAD_INSTR.
Outcome bad_instr(Machine& m, Thread& t, const Decoded& decoded);
Outcome bad_color(Machine& m, Thread& t, const Decoded& decoded);

// Vector instructions: vf.cpp with elementwise.cpp, accumulate.cpp and spread.cpp, axpy.cpp (vaxs, vcr) with
// axpy_precomputed.cpp, dot.cpp with dot_deferred.cpp, vs.cpp, broadcast.cpp (vb), reduce.cpp (vr) with
// reduce_lanes.cpp. Each has the name of its instruction and executes one of its beats, or several: Outcome vf(Machine&
// m, VectorOp& op);
#define WEFT_DECLARE(op, function) Outcome function(Machine& m, VectorOp& vector);
WEFT_ISA_VECTORS(WEFT_DECLARE)
#undef WEFT_DECLARE
/// Words that a vr's next beat takes and sends; the last column takes none. 0: the vr waits for an entry of MP.
int reduced_at_once(const Machine& m, const VectorOp& op);
/// True if a vs takes its own vector from an MP entry whose accumulators had no weight.
inline bool own_is_zero(const Machine& m, const VectorOp& op) { return op.in.q && m.mp.front().empty; }
/// Executes a gathering vs.
Outcome gather(Machine& m, VectorOp& op);
/// Beats of a vr for an entry of MP with `count` slots.
std::uint64_t reduce_beats(int lanes, int count);

}  // namespace weft::model
