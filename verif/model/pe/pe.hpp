/// A PE, or neighbouring PEs of a row in lockstep: two threads, each running until it blocks, and commands.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "sw/machine/hang.hpp"
#include "sw/machine/state.hpp"
#include "verif/model/machine/machine.hpp"
#include "verif/model/pe/commands.hpp"

namespace weft::model {

/// pe.cpp has what a run executes; pe_*.cpp have a subject each: reports, single steps, setting a state, the switch
/// between lockstep columns and independent tiles.
class Pe {
 public:
  /// Parameters as for Machine.
  Pe(const Place& place, Ports& ports, Scratch& scratch, int parts)
      : machine(place, ports, scratch, parts), commands(machine) {}
  Pe(Pe&&) = delete;

  /// Runs both threads until they block. `patient`: also stops before an output of a GEMM whose partial sum has not
  /// arrived, which main could add up alone. Returns true if anything happened.
  bool run(bool patient = false);
  /// One move in the order of run(): one instruction of a thread's core, a command, or as much of a sequencer's
  /// instruction as is possible now, described in `moved`. Returns false if nothing can move before a message arrives.
  bool move(ModelMove& moved);
  /// Sets the state of an independent tile that was just reset and rests. The caller sets the routes.
  void set_state(const machine::TileState& state);
  /// Returns to the state after power-up, except for memory, accumulators, registers and load addresses. The caller
  /// resets the ports.
  void reset();

  /// Continues as an independent PE from the state of one lockstep column.
  void take_column(const Pe& from);
  /// Takes over, in lockstep columns that were just reset, the state that a reset preserves in the row's tiles:
  /// `tile(col)` for every column of the row. The tiles must be alike().
  void join_columns(const std::function<const Pe&(int col)>& tile);
  /// Compares the state that lockstep columns share after a reset.
  static bool alike(const Pe& a, const Pe& b);

  /// Both threads have halted and all work is done (docs/reference/pe.md, Rest).
  bool rests() const { return machine.main.rests() && machine.psum.rests(); }
  /// The reason why the last run stopped, if the columns cannot continue in lockstep; else null.
  const char* stopped() const { return stopped_; }
  /// The activity of both threads and what they wait for, for a WaferHang.
  std::string describe() const;
  /// State of one of the columns.
  machine::TileState state(int col) const;
  /// State of a column at rest, extended by its pending work. Messages waiting in routers are reported elsewhere.
  machine::TileHang hang_snapshot(int col) const;
  std::vector<std::uint16_t> sram(int col) const;

  Machine machine;
  Commands commands;

 private:
  void run(Thread& t);
  bool run_gemm();
  void run_gradient();
  bool reach_reduction();
  void sequence(VectorOp& op);
  bool take_command();
  std::string describe(const Thread& t, const char* rests) const;

  // Position of move() within the loop of run().
  Outcome one(Thread& t);
  bool psum_next_ = false, sequenced_ = false, any_ = false;

  bool patient_ = false;  ///< of the current run
  const char* stopped_ = nullptr;
};

}  // namespace weft::model
