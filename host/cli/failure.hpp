/// Messages and exit codes of failures.
#pragma once

#include <string>

namespace weft::cli {

struct Failure {
  std::string text;   ///< one line, or one line for each of several errors
  int exit_code = 1;  ///< 1: the run or the machine failed; 2: user error; 130: interrupted
};

/// Describes the exception that is being handled. Rethrows it if it is no std::exception.
Failure current_failure();

}  // namespace weft::cli
