#include "host/cli/program.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iostream>
#include <new>

#include "host/cli/boards/board_command.hpp"
#include "host/cli/commands.hpp"
#include "host/cli/environment.hpp"
#include "host/cli/exchange/exchange.hpp"
#include "host/cli/modes/list_configs.hpp"
#include "host/cli/plot/plot_command.hpp"
#include "host/cli/status/status_command.hpp"
#include "host/cli/text/commands.hpp"
#include "host/cli/train/train_command.hpp"
#include "host/config/command_line/arguments.hpp"
#include "host/config/command_line/commands.hpp"
#include "host/config/command_line/completion.hpp"
#include "host/config/file/load.hpp"
#include "host/system/signals.hpp"
#include "host/system/version.hpp"
#include "sw/base/memory_room.hpp"
#include "sw/network/kept_files.hpp"

namespace weft::cli {
namespace {

/// True if options select a wafer of the run to trace.
bool traces(const config::Options& options) {
  return std::ranges::any_of(options, [](const auto& option) { return option.first.starts_with("trace."); });
}

/// Executes weft-inspect with the words of the command line.
int execute_inspect(const std::vector<std::string>& words) {
  const std::string other = program_sibling("weft-inspect");
  std::vector<char*> argv = {const_cast<char*>(other.c_str())};
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  system::release_signals();  // blocked signals would stay blocked in the new program
  ::execv(other.c_str(), argv.data());
  throw Refusal(other, "cannot be started", "make inspect builds it");
}

/// True if standard output is a pipe without a reader, as in `weft configs | head`, which is not a disk failure.
bool reader_is_gone() {
  pollfd out{.fd = STDOUT_FILENO, .events = 0, .revents = 0};
  return ::poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

/// Runs a command that reads files of any size, and reports a lack of memory as a Refusal.
template <class Work>
auto within_memory(const std::string& command, const Work& work) {
  try {
    const MemoryBound bound;
    return work();
  } catch (const std::bad_alloc&) {
    throw Refusal("weft " + command, "needs more memory than is available: " + memory_room().text(),
                  "cut the text into smaller documents or files, use fewer threads, or raise that limit");
  }
}

int done(const config::Arguments& arguments, const std::vector<std::string>& words,
         std::unique_ptr<ranks::RankLog>& log, const Inspection* inspection) {
  const std::string& command = arguments.command;
  if (arguments.help) {
    command.empty() ? config::print_help(std::cout) : config::print_command_help(command, std::cout);
    return 0;
  }
  if (arguments.version) {
    std::cout << system::version_text() << '\n';
    return 0;
  }
  const bool inspects = config::find_command(command)->inspects;
  if (inspection == nullptr && (inspects || traces(arguments.options))) return execute_inspect(words);
  if (inspects) return inspection->command(arguments);
  if (command == "completion") {
    config::print_completion(config::option(arguments.options, "shell", ""), std::cout);
    return 0;
  }
  if (command == "manual") {
    config::print_manual(system::version_text(), std::cout);
    return 0;
  }
  if (command == "configs") return configs_command(arguments, std::cout, std::cerr);
  if (command == "export")
    return within_memory(command, [&] { return export_command(arguments, std::cout, std::cerr, shows_progress()); });
  if (command == "import")
    return within_memory(command, [&] { return import_command(arguments, std::cout, std::cerr, shows_progress()); });
  if (const auto text = text_command(command))
    return within_memory(command,
                         [&] { return text(arguments.options, std::cout, std::cerr, ::isatty(STDERR_FILENO) != 0); });
  if (command == "status") return status_command(arguments.options, std::cout);
  if (command == "plot") return plot_command(arguments.options, std::cout);
  if (command == "train") {
    const config::Arguments run = within_memory(
        command, [&] { return prepare_training(arguments, std::cout, std::cerr, ::isatty(STDERR_FILENO) != 0); });
    return run_command(run, config::load_config(run.params, run.overrides), log, inspection);
  }
  if (command == "board") return board_command(arguments.options, std::cout);
  return run_command(arguments, config::load_config(arguments.params, arguments.overrides), log, inspection);
}

}  // namespace

int program(const std::vector<std::string>& words, std::unique_ptr<ranks::RankLog>& log, const Inspection* inspection) {
  open_standard_streams();
  const system::Interrupts interrupts;  // before any other thread
  const network::KeptNetworkFiles kept;
  raise_file_limit();
  const int code = done(config::parse_arguments(words), words, log, inspection);
  if (std::cout.flush()) return code;
  throw Refusal("standard output", "cannot be written", "make room, or send it elsewhere")
      .caused_by(reader_is_gone() ? EPIPE : EIO);
}

}  // namespace weft::cli
