/// A run of a program of one's own as the work of a debugger's wafer: one phase.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "host/inspect/debug/workload.hpp"
#include "host/programs/replay.hpp"

namespace weft::inspect::own {

/// The number of the program of a tile in an image; -1: the tile has none.
int program_of(const weft::programs::Image& image, sim::TilePlace tile);

class RunWorkload final : public debug::Workload {
 public:
  explicit RunWorkload(std::shared_ptr<const weft::programs::Replay> run);

  std::string_view what() const override { return "run"; }
  const machine::WaferShape& shape() const override { return run_->image.shape; }
  std::span<const machine::Message> load() const override { return run_->image.load; }
  std::size_t phases() const override { return 1; }
  const std::string& name(std::size_t /*phase*/) const override { return run_->kernel; }
  std::vector<machine::Message> messages(std::size_t /*phase*/) const override { return run_->messages; }
  std::size_t find(const std::string& name) const override;
  debug::Names names(sim::TilePlace tile) const override;
  deadlock::Programs programs() const override;

 private:
  const std::shared_ptr<const weft::programs::Replay> run_;
  std::vector<debug::OwnNames> names_;  // [program], and those of tiles without one
};

}  // namespace weft::inspect::own
