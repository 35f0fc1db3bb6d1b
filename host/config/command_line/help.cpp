#include <fmt/format.h>

#include <ostream>
#include <utility>

#include "host/config/command_line/arguments.hpp"
#include "host/config/command_line/commands.hpp"
#include "host/config/command_line/flags.hpp"
#include "host/config/help_lines.hpp"
#include "host/config/keys/keys.hpp"

namespace weft::config {
namespace {

constexpr std::pair<Use, std::string_view> kUses[] = {
    {Use::Train, "Train"},   {Use::Look, "Inspect a run"}, {Use::Prepare, "Prepare data and models"},
    {Use::Boards, "Boards"}, {Use::Shell, "Shell"},
};

void print_flag(std::string_view name, std::string_view value, std::string_view help, std::ostream& out) {
  print_item(fmt::format("  --{:<15} {:<6} ", name, value), help, out);
}

}  // namespace

void print_help(std::ostream& out) {
  out << "Weft trains language models on weight-streaming wafers.\n\n"
         "  weft COMMAND [flags]\n"
         "  weft --version\n";
  for (const auto& [use, title] : kUses) {
    out << '\n' << title << '\n';
    for (const CommandInfo& command : commands())
      if (command.use == use) print_item(fmt::format("  {:<11} ", command.name), command.help, out);
  }
  out << "\n  weft COMMAND --help   flags of the command; weft run --help also lists the keys of a parameter file\n\n"
         "Example: weft run --params configs/gpt_tiny.yaml --num_csx 4 --model_dir out --num_steps 20 --mode train\n";
}

void print_command_help(const std::string& name, std::ostream& out) {
  const CommandInfo& command = *find_command(name);
  const bool run = command.name == "run";
  out << fmt::format("weft {}{}\n", name,
                     !command.keys    ? " [flags]"
                     : command.config ? " --params FILE [flags] [--section.key VALUE ...]"
                                      : " [flags] [--section.key VALUE ...]");
  print_item("  ", command.help, out);
  out << fmt::format("  Example: {}\n\n", command.example);
  for (const CommandFlag& flag : command.flags) print_flag(flag.name, flag.value, flag.help, out);
  if (!command.keys) return;
  if (!command.flags.empty()) out << '\n';
  for (const CommandFlag& flag : command.run_flags) print_flag(flag.name, flag.value, flag.help, out);
  for (const Flag& flag : key_flags()) {
    if (flag.run_alone && !run) continue;
    if (flag.key.empty() && command.writes_config) continue;
    print_flag(flag.name, flag.value,
               fmt::format("{}{}{}", flag.help, flag.key.empty() && command.config ? " (required)" : "",
                           flag.letter == 0 ? "" : fmt::format("; or -{}", flag.letter)),
               out);
  }
  if (!run) {
    out << "\nKeys of the parameter file can be overridden: --section.key VALUE. weft run --help lists them.\n";
    return;
  }
  out << "\nKeys of a parameter file. Each can be overridden: --model.num_heads 4, --optimizer.betas=\"[0.9, "
         "0.99]\".\n";
  print_keys(out);
}

}  // namespace weft::config
