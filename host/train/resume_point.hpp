/// Starting point of a run: the checkpoint that it resumes or takes its weights from, or its seed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "host/checkpoint/reader.hpp"

namespace weft::train {

struct ResumePoint {
  std::shared_ptr<const checkpoint::CheckpointReader> checkpoint;  ///< null: start from the seed
  bool resumed = false;                                            ///< the checkpoint is from model_dir
  std::string file;                                                ///< path of the checkpoint; empty: none
  std::vector<std::string> lines;                                  ///< messages for the user

  std::uint64_t step() const { return checkpoint ? checkpoint->step : 0; }  ///< number of steps done
};

}  // namespace weft::train
