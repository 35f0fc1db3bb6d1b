/// Some neighbouring columns of all rows, in lockstep: a wafer of its own except for the words that go west.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include "verif/model/edge/edge.hpp"
#include "verif/model/pe/pe.hpp"
#include "verif/model/step/chain_ports.hpp"
#include "verif/model/step/incoming.hpp"

namespace weft::model {

class Slice {
 public:
  /// `parts`: number of slices of the wafer.
  Slice(const machine::WaferShape& shape, Columns columns, int parts);

  /// Results of some messages, by row.
  struct Yield {
    explicit Yield(int rows) : west(static_cast<std::size_t>(rows)), scalars(static_cast<std::size_t>(rows)) {}

    std::vector<West> west;
    std::vector<std::vector<Scalar>> scalars;
    std::exception_ptr failure;  ///< exception thrown; null: none
    bool stopped = false;        ///< some row cannot continue in lockstep; the others have run as far as they can
  };
  /// Takes messages, runs until nothing moves, and stores the results in `yield`, which must be empty. After a failure
  /// the slice only reports that failure again.
  void feed(Incoming incoming, Yield& yield) noexcept;
  /// As Wafer::reset().
  void reset();
  /// As Wafer::count_progress().
  void count_progress(std::atomic<std::uint64_t>& count) { progress_ = &count; }
  /// As Tiles::pause().
  void pause(const std::function<void()>& between) { between_ = &between; }

  const Columns columns;
  struct Row {
    Row(const Place& place, Chains& chains, Scratch& scratch, int parts)
        : ports(place, chains), pe(place, ports, scratch, parts) {}
    ChainPorts ports;
    Pe pe;
  };
  std::vector<std::unique_ptr<Row>> rows;
  Intake intake;

 private:
  void distribute(Incoming& incoming);
  void settle();
  void catch_up();

  Chains chains_;
  Scratch scratch_;
  std::vector<std::uint32_t*> ends_;  ///< end of each row's inbox while inboxes are filled
  std::atomic<std::uint64_t>* progress_ = nullptr;
  const std::function<void()>* between_ = nullptr;
  std::exception_ptr failure_;  ///< the rows are in an unfinished state
};

}  // namespace weft::model
