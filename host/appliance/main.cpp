/// The program `weft`. Exit codes: 0 done, 1 the run failed, 2 the user's mistake, 130 interrupted.
#include <sys/resource.h>

#include <boost/system/system_error.hpp>
#include <iostream>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "host/appliance/compile_plan.hpp"
#include "host/appliance/config/arguments.hpp"
#include "host/appliance/config/show.hpp"
#include "host/appliance/modes/backend.hpp"
#include "host/appliance/modes/modes.hpp"
#include "host/appliance/train/interrupt.hpp"
#include "host/checkpoint/error.hpp"
#include "host/look/hang/watched_wafer.hpp"

namespace {

int refused(const std::string& what) {
  std::cerr << "weft: the system refuses: " << what
            << ". HINT: use fewer wafers (runconfig.num_csx), or raise the system's limits (ulimit -a).\n";
  return 2;
}

/// What is refused of a key is said of the place where that was set.
int run(const weft::Config& config) {
  try {
    weft::check_fit(config);
    if (config.runconfig.mode != "generate") weft::print_config(config, std::cout);  // there, the text alone
    return weft::run_mode(
        config,
        [&](int) {
          return weft::watched(weft::make_wafer(config), config.runconfig.model_dir,
                               [&] { return weft::compile_plan(config, {}).program; });
        },
        std::cout);
  } catch (const weft::Refusal& refusal) {
    throw config.placed(refusal);
  }
}

/// A wafer takes a handful of descriptors: as many as the system allows are ours.
void raise_limits() {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);  // if not, what is there has to do
}

int program(const std::vector<std::string>& words) {
  const weft::Interrupts interrupts;  // before any other thread
  raise_limits();
  const weft::Arguments arguments = weft::parse_arguments(words);
  if (arguments.help) {
    (arguments.command.empty() ? weft::print_help : weft::print_run_help)(std::cout);
    return 0;
  }
  const int code = run(weft::load_config(arguments.params, arguments.overrides));
  if (std::cout.flush()) return code;
  throw weft::Refusal("standard output", "cannot be written", "make room, or send it elsewhere");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return program({argv + 1, argv + argc});
  } catch (const weft::Refusal& e) {
    std::cerr << e.what() << '\n';
    return 2;
  } catch (const std::bad_alloc&) {
    std::cerr << "weft: not enough memory. HINT: use fewer wafers (runconfig.num_csx) or a smaller model.\n";
    return 2;
  } catch (const std::system_error& e) {  // threads
    return refused(e.code().message());
  } catch (const boost::system::system_error& e) {  // sockets
    return refused(e.code().message());
  } catch (const std::exception& e) {
    std::cerr << "weft: " << e.what() << '\n';
    return 1;
  }
}
