/// Debugger target for the core dump of a wafer that hung.
#pragma once

#include <string>

#include "host/inspect/debug/target.hpp"
#include "sw/deadlock/core_dump.hpp"

namespace weft::inspect::debug {

class CoreTarget final : public Target {
 public:
  /// `file`: the name of the core dump.
  CoreTarget(deadlock::Core core, std::string file) : core_(std::move(core)), file_(std::move(file)) {}

  Names names(sim::TilePlace tile) const override;
  std::string now() const override;
  machine::TileState state(sim::TilePlace tile) const override { return tile_of(tile).state; }
  machine::HangSnapshot hang_snapshot() const override { return core_.hang_snapshot; }
  ThreadPlace thread(sim::TilePlace tile, bool psum) const override;
  std::string report() const override;
  LiveTarget& live(const std::string& command) override;

 private:
  const machine::TileHang& tile_of(sim::TilePlace tile) const { return core_.hang_snapshot.tile(tile.row, tile.col); }

  deadlock::Core core_;
  std::string file_;
};

}  // namespace weft::inspect::debug
