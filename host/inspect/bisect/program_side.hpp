/// Side of a comparison that is the command line of a weft program, of any commit that has `fingerprint`, or `trail`,
/// its old name.
#pragma once

#include <filesystem>

#include "host/inspect/bisect/side.hpp"
#include "host/system/progress.hpp"

namespace weft::inspect::bisect {

class ProgramSide : public Side {
 public:
  /// `words`: PROGRAM ARGUMENTS, with or without the command `run` after the program. `folder` must exist; fingerprints
  /// are written there as `name`.*. `progress`, if given, displays how long the program runs. Throws Refusal of
  /// `option` if there is nothing to run.
  ProgramSide(std::vector<std::string> words, std::filesystem::path folder, std::string name,
              system::Progress* progress = nullptr);

  Steps steps() override;
  State state(std::uint64_t step) override;
  Phases phases(std::uint64_t step) override;
  Phase phase(const Request& request) override;

 private:
  /// Runs the program and returns the file that it wrote. Throws Refusal with the program's last line if it fails.
  std::filesystem::path record(Level level, const std::vector<std::string>& more);

  std::vector<std::string> words_;
  std::filesystem::path folder_;
  std::string name_;
  system::Progress* progress_;
};

}  // namespace weft::inspect::bisect
