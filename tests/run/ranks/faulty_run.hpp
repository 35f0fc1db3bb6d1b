/// A run of several processes in which things go wrong at named frames, from a seed.
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
#include "tests/swarmx/held_port.hpp"

namespace weft {

class FaultyRun {
 public:
  static constexpr int kWafers = 3;
  static constexpr std::uint32_t kMicroBatches = 3;  ///< of a step of kRestartParams
  static constexpr int kCheckpointSteps = 25;
  /// In `folder`, which has params.yaml, corpus.txt and key; the run's own folder is `name`. `checkpoint`: bytes of
  /// one. `node`: the wafers are below one, whom they reach past the relay. `memory`: MemoryX is on ranks of its own.
  FaultyRun(std::filesystem::path folder, std::string name, int steps, std::uintmax_t checkpoint, bool node,
            bool memory, std::uint64_t seed);

  /// Runs it to its end, with `faults` faults, the first of kind `first`. What was not as documented: what the root
  /// said of errors, if it failed; nothing, if all was well.
  std::string run(int faults, FaultKind first, FaultTally& tally);

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

  /// Waits for the frame and does it. False: the run was at its end before.
  bool hurt(FaultKind kind, const Moment& moment, bool starts);
  void one_more_joins(bool memory);
  bool has_checkpoint() const;
  /// What is done at the frame, in the relay's thread.
  Fate at_frame(FaultKind kind);
  /// What follows.
  void after(FaultKind kind, Phase phase);
  void after_full_disk();
  /// How the root ends that has lost a rank of MemoryX, and whether that is what it says.
  static constexpr int kLostMemory = 130;
  static bool says_lost(const std::string& errors);
  /// Such a root goes back into the queue. False: it has done so too often.
  bool requeued();
  void after_lost_memory(Phase phase);
  std::size_t some_of(const std::vector<Member>& members);
  int nodes() const { return node_runs_ ? 1 : 0; }
  int memory() const { return static_cast<int>(memory_.size()); }
  int first_wafer() const { return 2 + memory() + nodes(); }  // its rank
  int last_wafer() const { return first_wafer() + kWafers - 1; }
  void fill_disk(std::uintmax_t bytes);
  /// SIGCONT, after `time` or at the end.
  void go_on_later(const StartedProgram& program, std::chrono::milliseconds time);
  bool at_work();

  std::filesystem::path folder_;
  std::string name_;
  int steps_;
  std::uintmax_t checkpoint_;
  bool node_runs_;
  test::Dice dice_;
  HeldPort port_;
  Relayed records_{port_.number()};  // what the root's side of the relay sends and gets
  FrameRelay memory_relay_, relay_;  // the second uses the first
  std::mutex mutex_;                 // the relay's thread and this one, of what follows
  std::unique_ptr<StartedProgram> root_, data_, node_, full_log_;
  bool data_killed_ = false, node_killed_ = false;
  std::vector<Member> wafers_, memory_;
  std::size_t hurt_ = 0;  // the wafer, or rank of MemoryX, that was
  int requeues_ = 0;
  std::uintmax_t full_at_ = 0;  // bytes of a file, where the disk was full
  std::string trouble_;
  int started_ = 0;
  std::vector<std::jthread> later_;  // last: they use processes
};

}  // namespace weft
