#include "host/cli/modes/modes.hpp"

#include <unistd.h>

#include <iostream>

#include "host/train/train.hpp"

namespace weft::cli {

int run_mode(const config::Config& config, const swarmx::MakeWafer& make_wafer, std::ostream& out,
             const ranks::RunContext& context) {
  const std::string& mode = config.runconfig.mode;
  if (mode == "validate_only") return validate_only(config, out, context);
  if (mode == "compile_only") return compile_only(config, out, context);
  if (mode == "eval") return evaluate(config, make_wafer, out, out, context);
  if (mode == "generate")  // a terminal shows the text itself
    return generate(config, make_wafer, out, std::cerr,
                    ::isatty(STDOUT_FILENO) != 0 ? nullptr : context.progress.get());
  return train::train(config, make_wafer, out, context);  // train, train_and_eval
}

}  // namespace weft::cli
