/// The signals of one tile in a trace.
///
/// ```
/// tile_2_1  north east south west ramp   a message {ctrl, color, data} per signal and color, in and out
///           main psum                    at: the core's instruction; vector: the sequencer's; state, unit, stall
///           unit                         the issued beat, its operands a cycle later, writes to R and M
///           handoff, flags, call         entries of MP and PM; sticky flags; the running kernel with its arguments
/// ```
/// z: no value.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sw/asm/assembler.hpp"
#include "sw/machine/shape.hpp"
#include "verif/sim/tile_view.hpp"
#include "verif/trace/fst_file.hpp"
#include "verif/trace/rows.hpp"
#include "verif/trace/tile_calls.hpp"
#include "verif/trace/trace_enums.hpp"
#include "verif/trace/words.hpp"

namespace weft::trace {

class TileTrace {
 public:
  /// Declares the signals. `program` may be null: instructions are then numbers. `names`, which decode messages, may
  /// change from phase to phase. `values` collects the values to be translated to text.
  TileTrace(FstFile& file, const TraceEnums& enums, const machine::WaferShape& shape, const assembler::Program* program,
            const MessageNames& names, TraceValues& values, sim::TilePlace place);

  /// Must be called in every cycle, so that the running kernel is known. Writes values if `shows` is set, at the
  /// current time of the file.
  void observe(const sim::TileView& view, bool shows);
  /// Rows worth showing: signals that had a value.
  RowGroup rows() const;

 private:
  struct Link {
    std::vector<FstSignal> in, out;            // [color]
    std::vector<FstText> in_words, out_words;  // messages as text
  };
  struct Thread {
    FstSignal at, vector, state, unit, stall;
    unsigned last_state = 0, last_pc = 0;
    std::optional<unsigned> sequenced;  // last instruction handed to the sequencer
  };

  void follow(Thread& thread, const sim::ThreadView& view);
  void follow(const sim::TileView& view);
  void show(Thread& thread, const sim::ThreadView& view);
  void show(Link& link, const sim::PortView& view);
  void show_unit(const sim::TileView& view);

  static constexpr std::array<const char*, 5> kPorts = {"north", "east", "south", "west", "ramp"};
  FstFile& file_;
  const TraceEnums& enums_;
  machine::WaferShape shape_;
  const MessageNames& names_;
  sim::TilePlace place_;
  std::string scope_;
  std::array<Link, kPorts.size()> links_;
  Thread main_, psum_;
  FstSignal issue_, m_read_, r_b_, r_c_, r_entry_, m_write_, mp_, pm_, flags_;
  FstLanes a_, b_, x_, r_, m_;
  FstText call_;
  FstText a_words_, b_words_, x_words_, r_words_, m_words_;
  bool counts_ = false;  // stall reasons are known
  TileCalls calls_;
};

}  // namespace weft::trace
