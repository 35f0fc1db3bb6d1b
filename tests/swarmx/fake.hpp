/// A wafer without hardware: its results are a function of everything fed for a micro-batch, and arrive at random
/// times.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "host/swarmx/root/swarm.hpp"

namespace weft::swarmx {

/// Two rows, two columns; five ops: forward, loss, two overlapping gradients (one with several frames), flags.
compiler::Plan fake_plan();

struct FakeBehaviour {
  unsigned seed = 0;        ///< seed of delays; 0: none
  int hangs_after = -1;     ///< feeds until await throws WaferHang
  int overflow_after = -1;  ///< feeds until a gradient is infinite
  int flag_after = -1;      ///< feeds until a flag is set
  int sleeps_after = -1;    ///< feeds until one takes the time `sleep`
  std::chrono::milliseconds sleep{0};
  std::chrono::milliseconds each{0};  ///< time of each feed
  bool counts_progress = false;       ///< also while it sleeps, unless `hangs`
  bool hangs = false;
};
std::unique_ptr<Wafer> make_fake_wafer(const compiler::Plan& plan, const FakeBehaviour& behaviour);

/// Data that depends on the request alone; the fifth micro-batch of an evaluation is short.
GetBatch fake_data(const compiler::Plan& plan);

/// A swarm of fake wafers with delays from `seed`.
SwarmOptions fake_swarm(const compiler::Plan& plan, int num_csx, int fanout, std::uint32_t micro_batches,
                        unsigned seed);

}  // namespace weft::swarmx
