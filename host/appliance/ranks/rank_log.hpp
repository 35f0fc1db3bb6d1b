/// A rank's log: what it says on its console, also in model_dir/logs/rank_N.log.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <memory>

namespace weft {

/// While it lives, each line that std::cout and std::cerr get is appended to the file as well, after the time:
///
///   2026-11-25 14:43:27 14:43:27 swarm   wafer 3 is here
///
/// Model_dir is the root's to make: until it is there, lines wait, 64 KiB at most. What cannot be written is left out,
/// and the console has it. Streams may be used from several threads. (A line that answers a signal goes to the console
/// alone: nothing may wait there.)
class RankLog {
 public:
  RankLog(const std::filesystem::path& model_dir, int rank);
  /// The streams are as before. A line that is not at its end yet is written.
  ~RankLog();
  RankLog(const RankLog&) = delete;
  RankLog& operator=(const RankLog&) = delete;

 private:
  class File;
  class Tee;
  std::unique_ptr<File> file_;
  std::unique_ptr<Tee> out_, errors_;
};

}  // namespace weft
