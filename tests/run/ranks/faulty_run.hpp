/// A run of several processes with faults at named frames, determined by a seed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tests/random.hpp"
#include "tests/run/ranks/faults.hpp"
#include "tests/run/ranks/relayed.hpp"
#include "tests/run/restart.hpp"
#include "tests/swarmx/reserved_port.hpp"

namespace weft::test {

class FaultyRun {
 public:
  static constexpr int kWafers = 3;
  static constexpr std::uint32_t kMicroBatches = 3;  ///< micro-batches per step of kRestartParams
  static constexpr int kCheckpointSteps = 25;
  /// Runs in `folder`, which has params.yaml, corpus.txt and key; the model_dir is `name`. `checkpoint`: size of a
  /// checkpoint in bytes. `node`: the wafers are below a node, which they reach without the relay. `memory`: MemoryX is
  /// on ranks of its own.
  FaultyRun(std::filesystem::path folder, std::string name, int steps, std::uintmax_t checkpoint, bool node,
            bool memory, std::uint64_t seed);

  /// Runs to the end, with `faults` faults, the first of kind `first`. Returns deviations from the documented behavior
  /// and the root's error if it failed; empty: none.
  std::string run(int faults, FaultKind first, FaultCounts& counts);

 private:
  struct Member {
    std::unique_ptr<StartedProgram> program;
    bool killed = false;
  };
  std::vector<std::string> words() const;
  std::unique_ptr<StartedProgram> start(int rank, const std::string& out = {});
  void start_root();
  void start_data();
  void start_node();
  void start_memory(std::size_t rank);
  void come_back(std::size_t wafer);
  void start_all_but_root();

  /// Waits for the frame and injects the fault. False: the run ended before.
  bool hurt(FaultKind kind, const Moment& moment, bool starts);
  void one_more_joins(bool memory);
  bool has_checkpoint() const;
  /// The action at the frame, in the relay's thread.
  Fate at_frame(FaultKind kind);
  /// The actions after the fault.
  void after(FaultKind kind, Phase phase);
  void after_full_disk();
  /// Exit code of a root that has lost a rank of MemoryX, and a check of its message.
  static constexpr int kLostMemory = 130;
  static bool says_lost(const std::string& errors);
  /// Requeues such a root. False: this has happened too often.
  bool requeued();
  void after_lost_memory(Phase phase);
  std::size_t some_of(const std::vector<Member>& members);
  int nodes() const { return node_runs_ ? 1 : 0; }
  int memory() const { return static_cast<int>(memory_.size()); }
  int first_wafer() const { return 2 + memory() + nodes(); }  // rank of the first wafer
  int last_wafer() const { return first_wafer() + kWafers - 1; }
  void fill_disk(std::uintmax_t bytes);
  /// Sends SIGCONT, after `time` or at the end of the test.
  void go_on_later(const StartedProgram& program, std::chrono::milliseconds time);
  bool at_work();

  std::filesystem::path folder_;
  std::string name_;
  int steps_;
  std::uintmax_t checkpoint_;
  bool node_runs_;
  Rng rng_;
  swarmx::ReservedPort port_;
  Relayed records_{port_.number()};  // frames on the root's side of the relay
  FrameRelay memory_relay_, relay_;  // the second uses the first
  std::mutex mutex_;                 // guards the members below, shared with the relay's thread
  std::unique_ptr<StartedProgram> root_, data_, node_, full_log_;
  bool data_killed_ = false, node_killed_ = false;
  std::vector<Member> wafers_, memory_;
  std::size_t hurt_ = 0;  // the wafer, or rank of MemoryX, that was hit
  int requeues_ = 0;
  std::uintmax_t full_at_ = 0;  // file size in bytes at which the disk was full
  std::string trouble_;
  int started_ = 0;
  std::vector<std::jthread> later_;  // declared last, because the threads use the processes
};

}  // namespace weft::test
