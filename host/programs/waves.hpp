/// Traces of runs for GTKWave and Surfer.
#pragma once

#include <string>

#include "host/programs/image.hpp"
#include "verif/sim/clocked_wafer.hpp"
#include "verif/trace/trace.hpp"

namespace weft::programs {

/// Tiles and cycles of a run to be traced.
struct WaveRequest {
  std::string file;  ///< the FST file; a view of GTKWave and other files are next to it
  std::vector<sim::TilePlace> tiles;
  trace::CycleWindow window;  ///< counted from the begin of the run
};

/// Reads `tiles`, "0,0", "0-3,1" or "all", and `cycles`, "100-400", "100-" or "" for all. Throws Refusal of waves, also
/// if the tiles do not run one program, whose names the trace has.
WaveRequest wave_request(const std::string& file, const std::string& tiles, const std::string& cycles,
                         const Image& image);

/// Traces a wafer from its construction to end().
class RunTrace {
 public:
  /// Creates the folder of the file. All arguments must outlive the object. Throws Refusal of waves.
  RunTrace(const WaveRequest& request, sim::ClockedWafer& wafer, const Image& image, const std::string& kernel);
  /// Without end(), no file is written.
  ~RunTrace();
  RunTrace(const RunTrace&) = delete;
  RunTrace& operator=(const RunTrace&) = delete;

  /// Writes the files. Throws Refusal of waves if none of the cycles was run, or the disk is full.
  void end();

 private:
  sim::ClockedWafer& wafer_;
  trace::Trace trace_;
};

}  // namespace weft::programs
