/// Copies a rank's console output to model_dir/logs/rank_N.log.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <memory>

namespace weft::ranks {

/// While an instance exists, each line written to std::cout and std::cerr is also appended to the file, after a time
/// stamp:
///
///   2026-11-25 14:43:27 14:43:27 swarm   wafer 3 has joined
///
/// The root creates model_dir; until then, up to 64 KiB of lines are buffered. Lines that cannot be written are dropped
/// from the file, not from the console. The streams may be used by several threads. (Responses to signals are written
/// to the console only, because they must not block.)
class RankLog {
 public:
  RankLog(const std::filesystem::path& model_dir, int rank);
  /// Restores the streams, and writes an incomplete last line.
  ~RankLog();
  RankLog(const RankLog&) = delete;
  RankLog& operator=(const RankLog&) = delete;

 private:
  class File;
  class Tee;
  std::unique_ptr<File> file_;
  std::unique_ptr<Tee> out_, errors_;
};

}  // namespace weft::ranks
