/// The program `weft`. Exit codes: 0 done, 1 the run failed, 2 the user's mistake, 130 interrupted.
#include <sys/resource.h>
#include <unistd.h>

#include <boost/system/system_error.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "host/appliance/compile_plan.hpp"
#include "host/appliance/config/arguments.hpp"
#include "host/appliance/config/commands.hpp"
#include "host/appliance/config/completion.hpp"
#include "host/appliance/config/show.hpp"
#include "host/appliance/exchange/exchange.hpp"
#include "host/appliance/modes/backend.hpp"
#include "host/appliance/modes/host_memory.hpp"
#include "host/appliance/modes/list_configs.hpp"
#include "host/appliance/modes/modes.hpp"
#include "host/appliance/modes/valves.hpp"
#include "host/appliance/progress.hpp"
#include "host/appliance/ranks/data.hpp"
#include "host/appliance/ranks/joining.hpp"
#include "host/appliance/ranks/node.hpp"
#include "host/appliance/ranks/part.hpp"
#include "host/appliance/ranks/rank_log.hpp"
#include "host/appliance/ranks/wafer.hpp"
#include "host/appliance/saved_plan.hpp"
#include "host/appliance/status/status_command.hpp"
#include "host/appliance/text/commands.hpp"
#include "host/appliance/train/interrupt.hpp"
#include "host/appliance/version.hpp"
#include "host/checkpoint/error.hpp"
#include "host/look/check/check.hpp"
#include "host/look/debug/core_command.hpp"
#include "host/look/hang/watched_wafer.hpp"
#include "host/look/traced_wafer.hpp"
#include "host/swarmx/error.hpp"
#include "sw/base/allocator.hpp"
#include "sw/compiler/plan_file.hpp"
#include "sw/network/kept_files.hpp"
#ifdef WEFT_LOOK
#include "host/look/applies.hpp"
#include "host/look/bisect/command.hpp"
#include "host/look/debug/command.hpp"
#include "host/look/profile/command.hpp"
#include "host/look/waves.hpp"
#endif

namespace {

/// What stands beside this program.
std::filesystem::path beside(const char* name) {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / name;
}

int refused(const std::string& what) {
  std::cerr << "weft: the system refuses: " << what
            << ". HINT: use fewer wafers (runconfig.num_csx), or raise the system's limits (ulimit -a).\n";
  return 2;
}

/// What belongs to mode compile_only alone.
weft::CompileOptions compile_options(const weft::Options& options, const std::string& mode) {
  for (const char* name : {"json", "measure", "clock", "save"})
    if (options.contains(name) && mode != "compile_only")
      throw weft::Refusal("--" + std::string(name), "means nothing to mode " + mode, "use it with --mode compile_only");
  const std::uint64_t mhz = weft::number(options, "clock", 50);
  if (mhz == 0) throw weft::Refusal("--clock", "0 MHz is no clock", "write how many million cycles a second has");
  const auto save = options.find("save");
  return {.json = options.contains("json"),
          .measure = options.contains("measure"),
          .clock_mhz = static_cast<double>(mhz),
          .save = save == options.end() ? "" : save->second};
}

/// On a terminal that can clear a line.
bool shows_progress() {
  const char* terminal = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

/// What is refused of a key is said of the place where that was set. `log`: of a rank that trains; it is to outlive
/// what is said of a failure.
int run(const weft::Arguments& arguments, weft::Config config, std::unique_ptr<weft::RankLog>& log) {
  const bool json = arguments.options.contains("json");
  const bool text_alone = config.runconfig.mode == "generate" || json;
  try {
    const weft::CompileOptions plan_only = compile_options(arguments.options, config.runconfig.mode);
    weft::meet_boards(config, text_alone ? std::cerr : std::cout);
    weft::check_fit(config);
    if (const auto plan = arguments.options.find("plan"); plan != arguments.options.end()) {
      if (config.runconfig.mode == "generate" || config.runconfig.mode == "validate_only")
        throw weft::Refusal("--plan", "means nothing to mode " + config.runconfig.mode, "leave it out");
      weft::use_plan(config, plan->second, text_alone ? std::cerr : std::cout);
    }
    weft::choose_sequence_columns(config);
    weft::choose_valves(config);
    const auto trace = weft::trace_request(config, arguments.options, beside("weft-words"));
    const auto known = [&] {
      weft::Plan plan = config.plan != nullptr ? config.plan->plan : weft::compile_plan(config, {});
      return weft::hang::Core{.standstill = {},
                              .program = std::move(plan.program),
                              .arrays = std::move(plan.arrays),
                              .width = plan.tokens_per_column,
                              .options = weft::options_to_look(arguments)};
    };
    const auto environment = [](const char* name) -> const char* { return std::getenv(name); };
    const auto ranks = weft::ranks_of(environment);
    if (ranks) config.joining = weft::join_ranks(config, *ranks);
    const auto note = ranks ? std::nullopt : weft::note_alone(config, environment("RANK") != nullptr);
    if (ranks && config.runconfig.mode != "eval")
      log = std::make_unique<weft::RankLog>(config.runconfig.model_dir, ranks->rank);
    if (!text_alone && (!ranks || ranks->root())) weft::print_config(config, std::cout);
    if (note) std::cout << *note << '\n';
    if (config.runconfig.mode == "compile_only") return weft::compile_only(config, std::cout, plan_only);
    if (config.runconfig.mode != "validate_only") {
      const int all = config.wafers() - config.boards_before(config.wafers());
      weft::check_host_memory(config, !ranks ? all : !config.joining->is_wafer(*ranks) ? 0 : 1);
    }
    if (!ranks && !arguments.options.contains("quiet") && shows_progress())
      config.progress = std::make_shared<weft::Progress>(std::cerr, true);
    const auto tally = std::make_shared<weft::board::Tally>();
    const weft::MakeWafer make = [&](int id) {
      auto wafer = trace && trace->wafer == id
                       ? weft::traced(weft::make_clocked_wafer(config.wafer), *trace, [&] { return known().program; })
                       : weft::make_wafer(config, id, tally);
      std::function<void()> begins;
      if (config.progress) begins = [progress = config.progress] { progress->add(); };
      return weft::watched(std::move(wafer), config.runconfig.model_dir, known, std::move(begins));
    };
    if (ranks && config.joining->is_data(*ranks)) return weft::run_data(config, *config.joining, std::cout);
    if (ranks && config.joining->is_part(*ranks)) return weft::run_part(config, *ranks, *config.joining, std::cout);
    if (ranks && config.joining->is_node(*ranks)) return weft::run_node(config, *ranks, *config.joining, std::cout);
    if (const std::string file = weft::option(arguments.options, "logits", ""); !file.empty()) {
      if (config.runconfig.mode != "eval" || ranks)
        throw weft::Refusal("--logits", "is for mode eval, in one process", "leave it out, or use --mode eval");
      const int code = weft::evaluate(config, make, std::cout, file);
      std::cout << tally->text();
      return code;
    }
    const int code = ranks && !ranks->root() ? weft::run_wafer(config, *ranks, *config.joining, make, std::cout)
                                             : weft::run_mode(config, make, std::cout);
    (text_alone ? std::cerr : std::cout) << tally->text();
    return code;
  } catch (const weft::Refusal& refusal) {
    throw config.placed(refusal);
  }
}

int check(const weft::Arguments& arguments) {
  weft::Config config = weft::load_config(arguments.params, arguments.overrides);
  try {
    weft::check_fit(config);
    weft::choose_sequence_columns(config);
    weft::choose_valves(config);
    return weft::check_command(config, arguments.options, std::cout);
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

#ifdef WEFT_LOOK
/// On a terminal, unless NO_COLOR is set and not empty.
bool shows_colors() {
  const char* none = std::getenv("NO_COLOR");
  return ::isatty(STDOUT_FILENO) != 0 && (none == nullptr || *none == '\0');
}

int look(const weft::Arguments& arguments, weft::Config config) {
  try {
    weft::check_applies(arguments.command, config);
    if (arguments.command == "profile" && config.backend_of(0) == "fpga") {
      config.runconfig.num_csx = 1;  // the board that is measured, and no other
      weft::meet_boards(config, std::cout);
    }
    weft::check_fit(config);
    weft::choose_sequence_columns(config);
    weft::choose_valves(config);
    if (arguments.command == "trail") return weft::bisect::trail_command(config, arguments.options, std::cout);
    if (arguments.command == "debug")
      return weft::debug_live(config, arguments.options, std::cin, ::isatty(STDIN_FILENO) != 0, std::cout);
    if (arguments.command == "profile")
      return weft::profile_command(config, arguments.options, shows_colors(), std::cout);
    return weft::waves(config, arguments.options, beside("weft-words"), std::cout);
  } catch (const weft::Refusal& refusal) {
    throw config.placed(refusal);
  }
}
#else
/// The same program with the RTL for looking inside does it.
int look(const std::vector<std::string>& words) {
  const std::string other = beside("weft-look");
  std::vector<char*> argv = {const_cast<char*>(other.c_str())};
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  weft::release_signals();  // what is kept back here would be there, too
  ::execv(other.c_str(), argv.data());
  throw weft::Refusal(other, "cannot be started", "make look builds it");
}
#endif

int flushed(int code) {
  if (std::cout.flush()) return code;
  throw weft::Refusal("standard output", "cannot be written", "make room, or send it elsewhere");
}

int program(const std::vector<std::string>& words, std::unique_ptr<weft::RankLog>& log) {
  const weft::Interrupts interrupts;  // before any other thread
  const weft::KeptNetworkFiles kept;
  raise_limits();
  const weft::Arguments arguments = weft::parse_arguments(words);
  if (arguments.help) {
    arguments.command.empty() ? weft::print_help(std::cout) : weft::print_command_help(arguments.command, std::cout);
    return 0;
  }
  if (arguments.version) {
    std::cout << weft::version_text() << '\n';
    return flushed(0);
  }
  if (arguments.command == "completion") {
    weft::print_completion(weft::option(arguments.options, "shell", ""), std::cout);
    return flushed(0);
  }
  if (arguments.command == "manual") {
    weft::print_manual(weft::version_text(), std::cout);
    return flushed(0);
  }
  if (arguments.command == "configs") return flushed(weft::configs_command(arguments, std::cout, std::cerr));
  if (arguments.command == "export") return flushed(weft::export_command(arguments, std::cout));
  if (arguments.command == "import") return flushed(weft::import_command(arguments, std::cout));
  if (const auto text = weft::text_command(arguments.command))
    return flushed(text(arguments.options, std::cout, std::cerr, ::isatty(STDERR_FILENO) != 0));
  if (arguments.command == "status") return flushed(weft::status_command(arguments.options, std::cout));
  const bool live = arguments.command == "debug" && !arguments.options.contains("core");
  if (live && arguments.params.empty())
    throw weft::Refusal("weft debug", "has nothing to look at", "name a core dump, or --params FILE and --phase NAME");
  const bool looks = live || weft::find_command(arguments.command)->looks;
  if (arguments.command == "check") return flushed(check(arguments));
  if (arguments.command == "debug" && !live && !(arguments.params.empty() && arguments.overrides.empty()))
    throw weft::Refusal("weft debug", "a core dump needs no configuration",
                        "leave --params and all keys out; or leave the core dump out, and name a --phase");
  if (arguments.command == "debug" && !live)
    return flushed(weft::debug_core(arguments.options, std::cin, ::isatty(STDIN_FILENO) != 0, std::cout));
#ifdef WEFT_LOOK
  if (arguments.command == "bisect") return weft::bisect::bisect_command(arguments, beside("weft"), std::cout);
  const weft::Config config = weft::load_config(arguments.params, arguments.overrides);
  const int code = looks ? look(arguments, config) : run(arguments, config, log);
#else
  if (looks) return look(words);
  const int code = run(arguments, weft::load_config(arguments.params, arguments.overrides), log);
#endif
  return flushed(code);
}

}  // namespace

int main(int argc, char** argv) {
  weft::keep_what_is_freed();
  std::unique_ptr<weft::RankLog> log;
  try {
    return program({argv + 1, argv + argc}, log);
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
  } catch (const weft::MemoryLost& e) {
    std::cerr << "weft: " << e.what() << '\n';
    return weft::kInterruptedExit;
  } catch (const std::exception& e) {
    std::cerr << "weft: " << e.what() << '\n';
    return 1;
  }
}
