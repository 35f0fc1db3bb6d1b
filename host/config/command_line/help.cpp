#include <fmt/format.h>

#include <ostream>

#include "host/config/command_line/arguments.hpp"
#include "host/config/command_line/commands.hpp"
#include "host/config/command_line/flags.hpp"
#include "host/config/keys/keys.hpp"

namespace weft {

void print_help(std::ostream& out) {
  out << "Weft trains a GPT on weight-streaming wafers.\n\n"
         "  weft COMMAND --params FILE [flags] [--section.key VALUE ...]\n"
         "  weft --version\n\n";
  for (const CommandInfo& command : commands()) out << fmt::format("  {:<11} {}\n", command.name, command.help);
  out << "\n  weft COMMAND --help   its flags, and all keys\n\n"
         "Example: weft run --params configs/gpt_tiny.yaml --num_csx 4 --model_dir out --num_steps 20 --mode train\n";
}

void print_command_help(const std::string& name, std::ostream& out) {
  const CommandInfo& command = *find_command(name);
  out << fmt::format("weft {}{}\n  {}\n\n", name,
                     command.keys ? " --params FILE [flags] [--section.key VALUE ...]" : " [flags]", command.help);
  for (const CommandFlag& flag : command.flags)
    out << fmt::format("  --{:<15} {:<6} {}\n", flag.name, flag.value, flag.help);
  if (!command.keys) return;
  if (!command.flags.empty()) out << '\n';
  for (const Flag& flag : key_flags())
    out << fmt::format("  --{:<15} {:<6} {}{}\n", flag.name, flag.value, flag.help,
                       flag.letter == 0 ? "" : fmt::format("; or -{}", flag.letter));
  out << "\nKeys of a parameter file. Each can be overridden: --model.num_heads 4, --optimizer.betas=\"[0.9, "
         "0.99]\".\n";
  print_keys(out);
}

}  // namespace weft
