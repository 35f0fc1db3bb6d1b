/// Conversion of lockstep columns to independent tiles, and back.
#include "verif/model/pe/pe.hpp"

namespace weft::model {

void Pe::take_column(const Pe& from) {
  Machine& to = machine;
  const Machine& row = from.machine;
  const int lanes = to.place.shape.lanes, col = to.place.columns.first - row.place.columns.first;
  to.flags = row.flags;
  to.work = row.work;
  to.work.beats = row.work.beats_of(to.place.shape.cols - 1 - to.place.columns.first);
  to.work.passed = 0;
  to.sram.copy_column(row.sram, col, 0);
  to.accumulators.copy_column(row.accumulators, col, 0, lanes);
  to.mp = row.mp;
  to.pm = row.pm;
  to.w = row.w.copy();
  to.program = row.program;
  to.main = row.main;
  row.per_column.copy_to(col, to.main.r, to.main.csr);
  to.psum = row.psum;
  if (row.deferred_dots.current())
    copy_column<std::uint32_t>({row.deferred_dots.current(), row.place.columns.count, col},
                               {to.deferred_dots.deltas(row.deferred_dots.beats), 1, 0}, lanes,
                               static_cast<std::size_t>(words_of(row.deferred_dots.beats)));
  commands.take_column(from.commands);
}

void Pe::join_columns(const std::function<const Pe&(int col)>& tile) {
  const Place& place = machine.place;
  const Pe& any = tile(place.columns.first);
  machine.program = any.machine.program;
  machine.main.r = any.machine.main.r;
  machine.per_column = {};
  machine.psum.r = any.machine.psum.r;
  for (int col = 0; col < place.shape.cols; ++col) {
    const Pe& from = tile(col);
    commands.join_column(from.commands, col);
    const int own = col - place.columns.first;
    if (own < 0 || own >= place.columns.count) continue;
    machine.sram.copy_column(from.machine.sram, 0, own);
    machine.accumulators.copy_column(from.machine.accumulators, 0, own, place.shape.lanes);
  }
}

bool Pe::alike(const Pe& a, const Pe& b) {
  return a.machine.main.r == b.machine.main.r && a.machine.psum.r == b.machine.psum.r &&
         a.machine.program.words() == b.machine.program.words() &&
         a.commands.instruction_address() == b.commands.instruction_address() &&
         a.commands.low_half() == b.commands.low_half();
}

}  // namespace weft::model
