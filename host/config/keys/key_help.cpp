#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ostream>

#include "host/config/help_lines.hpp"
#include "host/config/keys/keys.hpp"
#include "host/config/keys/phases.hpp"
#include "host/config/overloaded.hpp"

namespace weft::config {
namespace {

template <class Owner>
std::string notes_of(const Key<Owner>& key, const Slot& slot) {
  std::string notes = key.required
                          ? "required"
                          : "default " + (key.automatic && *std::get<int*>(slot) == 0 ? "auto" : value_text(slot));
  if (!key.choices.empty()) {
    notes += fmt::format("; {}", fmt::join(key.choices, ", "));
  } else if (key.min == key.max) {
    notes += "; the only supported value";
  } else if (std::holds_alternative<int*>(slot) && key.max < (1 << 30)) {
    notes += fmt::format("; {}..{}", key.min, key.max);
  }
  return notes;
}

template <class Owner>
void print_key(std::ostream& out, const Key<Owner>& key, const Slot& slot) {
  print_item(fmt::format("  {:<32} {:<13} ", key.name, type_name(slot)),
             fmt::format("{}{}[{}]", key.help, key.help.empty() ? "" : " ", notes_of(key, slot)), out);
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

}  // namespace weft::config
