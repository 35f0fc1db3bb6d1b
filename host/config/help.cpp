#include <fmt/format.h>

#include <cmath>
#include <ostream>

#include "host/config/arguments.hpp"
#include "host/config/commands.hpp"
#include "host/config/flags.hpp"
#include "host/config/keys.hpp"
#include "host/config/overloaded.hpp"
#include "host/config/phases.hpp"

namespace weft {
namespace {

template <class Owner>
std::string notes_of(const Key<Owner>& key, const Slot& slot) {
  std::string notes = key.required
                          ? "required"
                          : "default " + (key.automatic && *std::get<int*>(slot) == 0 ? "auto" : value_text(slot));
  if (!key.choices.empty()) {
    notes += fmt::format("; {}", fmt::join(key.choices, ", "));
  } else if (key.min == key.max) {
    notes += "; the only one built";
  } else if (std::holds_alternative<int*>(slot) && key.max < (1 << 30)) {
    notes += fmt::format("; {}..{}", key.min, key.max);
  }
  return notes;
}

template <class Owner>
void print_key(std::ostream& out, const Key<Owner>& key, const Slot& slot) {
  out << fmt::format("  {:<32} {:<13} {}{}[{}]\n", key.name, type_name(slot), key.help, key.help.empty() ? "" : " ",
                     notes_of(key, slot));
}

}  // namespace

std::string key_notes(const Key<Config>& key, const Slot& slot) { return notes_of(key, slot); }

std::string_view type_name(const Slot& slot) {
  return std::visit(
      Overloaded{[](int*) { return "integer"; }, [](float*) { return "number"; }, [](double*) { return "number"; },
                 [](bool*) { return "true or false"; }, [](std::string*) { return "text"; },
                 [](std::vector<double>*) { return "numbers"; }, [](std::vector<std::string>*) { return "texts"; },
                 [](std::vector<LearningRatePhase>*) { return "number or list"; }},
      slot);
}

std::string value_text(const Slot& slot) {
  return std::visit(Overloaded{[](std::string* s) { return s->empty() ? "\"\"" : *s; },
                               [](std::vector<double>* v) { return fmt::format("[{}]", fmt::join(*v, ", ")); },
                               [](std::vector<std::string>* v) { return fmt::format("[{}]", fmt::join(*v, ", ")); },
                               [](std::vector<LearningRatePhase>* phases) { return phases_text(*phases, false); },
                               [](auto* value) { return fmt::format("{}", *value); }},
                    slot);
}

void print_keys(std::ostream& out) {
  Config defaults;
  std::string_view section;
  for (const auto& key : config_keys()) {
    const std::string_view own = key.name.substr(0, key.name.find('.'));
    if (own != section) out << '\n';
    section = own;
    print_key(out, key, key.slot(defaults));
  }
  out << "\nA phase of optimizer.learning_rate:\n";
  LearningRatePhase phase;
  for (const auto& key : phase_keys()) print_key(out, key, key.slot(phase));
}

void print_help(std::ostream& out) {
  out << "Weft trains a GPT on weight-streaming wafers.\n\n"
         "  weft COMMAND --params FILE [flags] [--section.key VALUE ...]\n"
         "  weft --version\n\n";
  for (const CommandInfo& command : commands()) out << fmt::format("  {:<10} {}\n", command.name, command.help);
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
