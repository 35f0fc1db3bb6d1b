/// Status lines of ranks, as a run reports them.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "host/metrics/status/run_status.hpp"

namespace weft::metrics {

inline RankLine wafer_line(int rank, swarmx::RankStatus::State state, std::string why = "") {
  return {.rank = rank,
          .role = "wafer",
          .status = {.name = "wafer " + std::to_string(rank - 1),
                     .host = "10.0.0." + std::to_string(rank),
                     .state = state,
                     .why = std::move(why),
                     .since = std::chrono::system_clock::time_point(std::chrono::seconds(1'000'000)),
                     .done = 17,
                     .bytes_to = 12'340'000,
                     .bytes_from = 4'500,
                     .frames_to = 30,
                     .frames_from = 20}};
}

/// A run with one connected wafer and one lost wafer.
inline RunStatus two_wafers() {
  RunStatus status{.root = Process::self(), .step = 3, .steps = 9, .loss = 2.5};
  status.times.seconds = {0.25, 0.5, 0, 0.25, 0, 0, 0};
  status.part = swarmx::Part::Compute;
  status.ranks = {wafer_line(1, swarmx::RankStatus::State::Here),
                  wafer_line(2, swarmx::RankStatus::State::Lost, "wafer 1 closed its connection")};
  status.ranks[0].status.doing = swarmx::Doing{.step = 4, .micro_batch = 5};
  status.ranks[0].status.waited = 1.25;
  status.ranks[0].status.waits = 2.5;
  status.ranks[1].status.losses = 1;
  return status;
}

}  // namespace weft::metrics
