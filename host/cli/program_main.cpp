#include <iostream>
#include <memory>

#include "host/cli/failure.hpp"
#include "host/cli/program.hpp"
#include "sw/base/allocator.hpp"

namespace weft::cli {

int program_main(int argc, char** argv, const Inspection* inspection) {
  keep_what_is_freed();
  std::unique_ptr<ranks::RankLog> log;
  try {
    return program({argv + 1, argv + argc}, log, inspection);
  } catch (...) {
    const Failure failure = current_failure();
    std::cerr << failure.text << '\n';
    return failure.exit_code;
  }
}

}  // namespace weft::cli
