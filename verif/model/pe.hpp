/// A PE, or neighbouring PEs of a row in step: its two threads, each running until it blocks, and its commands.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "sw/machine/standstill.hpp"
#include "sw/machine/state.hpp"
#include "verif/model/commands.hpp"
#include "verif/model/machine/machine.hpp"

namespace weft::model {

class Pe {
 public:
  /// As Machine.
  Pe(const Place& place, Ports& ports, Scratch& scratch, int parts)
      : machine(place, ports, scratch, parts), commands(machine) {}
  Pe(Pe&&) = delete;

  /// Runs both threads until they block. True if anything happened.
  bool run();
  /// One move in the order of run(): one instruction of a thread's core, a command, or what a sequencer can do of its
  /// instruction now. False: nothing moves before something comes. `moved` gets what it was.
  bool move(ModelMove& moved);
  /// A tile of its own, just reset, becomes what `state` says; it rests. Routes are somebody else's.
  void put(const TileState& state);
  /// Back to the state after power-up, but for memory, accumulators, registers and load addresses. The ports are
  /// somebody else's.
  void reset();

  /// A PE of its own goes on where one of columns in step is.
  void take_column(const Pe& from);
  /// Columns in step, just reset, get what a reset leaves from the row's tiles: `tile(col)` of every column of the row.
  /// They are alike().
  void join_columns(const std::function<const Pe&(int col)>& tile);
  /// What columns in step share after a reset is the same in both.
  static bool alike(const Pe& a, const Pe& b);

  /// Both threads have halted and all is done (docs/pe.md, Rest).
  bool rests() const { return machine.main.rests() && machine.psum.rests(); }
  /// Why it came no further when it ran last, if its columns cannot go on in step; else null.
  const char* stopped() const { return stopped_; }
  /// What both threads do and wait for, for a WaferStuck.
  std::string describe() const;
  /// Of one of its columns.
  TileState state(int col) const;
  /// The same with what is not in it, after everything has come to rest. What waits in routers is somebody else's.
  TileStandstill standstill(int col) const;
  std::vector<std::uint16_t> sram(int col) const;

  Machine machine;
  Commands commands;

 private:
  void run(Thread& t);
  void sequence(VectorOp& op);
  bool take_command();
  std::string describe(const Thread& t, const char* rests) const;

  // Of move(): where it is in run().
  Outcome one(Thread& t);
  bool psums_turn_ = false, sequenced_ = false, any_ = false;

  const char* stopped_ = nullptr;
};

}  // namespace weft::model
