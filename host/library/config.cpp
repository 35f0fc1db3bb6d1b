#include "weft/config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "host/config/command_line/commands.hpp"
#include "host/config/command_line/flags.hpp"
#include "host/config/file/load.hpp"
#include "host/config/file/show.hpp"
#include "host/config/keys/keys.hpp"
#include "host/config/keys/phases.hpp"
#include "host/config/overloaded.hpp"
#include "host/library/config_impl.hpp"
#include "host/library/translate.hpp"
#include "sw/base/json_parse.hpp"

namespace weft::library {
namespace {

/// Throws Refusal for an option of `weft run` that prints, or that the library cannot follow.
void check_options(const config::Arguments& arguments) {
  constexpr std::string_view kUsed[] = {"allow_other_bits", "plan", "quiet"};
  if (arguments.help || arguments.version)
    throw Refusal(arguments.help ? "--help" : "--version", "does not apply to a program", "leave it out");
  for (const auto& [name, value] : arguments.options)
    if (std::ranges::find(kUsed, name) == std::end(kUsed))
      throw Refusal("--" + name, "does not apply to a program", "leave it out, or use weft run");
}

/// The key that a setting's name stands for: a key of runconfig needs no section, if no flag has its name.
std::string full_name(const std::string& name) {
  const auto flags = config::key_flags();
  if (std::ranges::find(flags, name, &config::Flag::name) != flags.end()) return name;
  const std::string key = "runconfig." + name;
  const auto& keys = config::config_keys();
  return std::ranges::find(keys, key, &config::Key<config::Config>::name) != keys.end() ? key : name;
}

/// True for a flag without a value.
bool is_switch(const std::string& name) {
  const auto matches = [&](const auto& flag) { return flag.name == name && flag.value.empty(); };
  return std::ranges::any_of(config::key_flags(), matches) ||
         std::ranges::any_of(config::find_command("run")->flags, matches);
}

/// True for a key of texts that is given once for each text.
bool repeats(const std::string& name) {
  const auto flags = config::key_flags();
  const auto flag = std::ranges::find(flags, name, &config::Flag::name);
  const std::string_view key = flag == flags.end() ? std::string_view(name) : flag->key;
  return std::ranges::any_of(config::config_keys(), [&](const auto& k) { return k.name == key && k.repeats; });
}

/// Adds the words of a setting to a command line.
void add_words(const Setting& setting, std::vector<std::string>& words) {
  const std::string name = full_name(setting.name), flag = "--" + name;
  if (!setting.value || (is_switch(name) && *setting.value == "true")) {
    words.push_back(flag);
    return;
  }
  if (is_switch(name) && *setting.value == "false") return;
  if (repeats(name) && setting.value->starts_with('[')) {
    const auto list = parse_json_or_discard(*setting.value);
    if (list.is_array() && std::ranges::all_of(list, [](const auto& text) { return text.is_string(); })) {
      for (const nlohmann::json& text : list) words.push_back(flag + "=" + text.get<std::string>());
      return;
    }
  }
  words.push_back(flag + "=" + *setting.value);
}

nlohmann::ordered_json json_of(const config::Slot& slot) {
  return std::visit(config::Overloaded{[](std::vector<config::LearningRatePhase>* phases) {
                                         auto list = nlohmann::ordered_json::array();
                                         for (config::LearningRatePhase& phase : *phases) {
                                           nlohmann::ordered_json entry;
                                           for (const auto& key : config::phase_keys())
                                             if (config::has_part(phase, key.name))
                                               entry[std::string(key.name)] = json_of(key.slot(phase));
                                           list.push_back(std::move(entry));
                                         }
                                         return list;
                                       },
                                       [](float* number) {  // with the digits of a float
                                         return parse_ordered_json_or_discard(fmt::format("{}", *number));
                                       },
                                       [](auto* value) { return nlohmann::ordered_json(*value); }},
                    slot);
}

}  // namespace

ReadConfig read_config(std::optional<std::string> text, const std::string& name, std::vector<Setting> settings) {
  std::vector<std::string> words = {"run", "--params=" + name};
  for (const Setting& setting : settings) add_words(setting, words);
  config::Arguments arguments = config::parse_arguments(words);
  check_options(arguments);
  config::Config config = text ? config::parse_config(*text, name, arguments.overrides)
                               : config::load_config(arguments.params, arguments.overrides);
  return {.text = std::move(text),
          .settings = std::move(settings),
          .arguments = std::move(arguments),
          .config = std::move(config)};
}

std::string config_json(const config::Config& config) {
  config::Config copy = config;  // slots need a mutable object
  nlohmann::ordered_json all;
  for (const auto& key : config::config_keys()) {
    const config::Slot slot = key.slot(copy);
    const std::string section(config::section_of(key.name));
    const bool is_auto = key.automatic && *std::get<int*>(slot) == 0;
    all[section][std::string(key.name.substr(section.size() + 1))] =
        is_auto ? nlohmann::ordered_json("auto") : json_of(slot);
  }
  return dump_json(all, {.replace = true});
}

}  // namespace weft::library

namespace weft {
inline namespace v0 {
namespace {

std::shared_ptr<const Config::Impl> read(std::optional<std::string> text, const std::string& name,
                                         std::vector<Setting> settings) {
  return library::called([&](const auto&) {
    return std::make_shared<const Config::Impl>(library::read_config(std::move(text), name, std::move(settings)));
  });
}

}  // namespace

Config::Config(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

Config::Config(const std::string& file, const std::vector<Setting>& settings) : Config(read({}, file, settings)) {}

Config Config::from_text(const std::string& yaml, const std::string& name, const std::vector<Setting>& settings) {
  return Config(read(yaml, name, settings));
}

Config Config::with(const std::vector<Setting>& settings) const {
  std::vector<Setting> all = impl_->settings;
  all.insert(all.end(), settings.begin(), settings.end());
  return Config(read(impl_->text, impl_->arguments.params, std::move(all)));
}

std::string Config::yaml() const { return config::config_yaml(impl_->config); }

std::string Config::json() const { return library::config_json(impl_->config); }

}  // namespace v0
}  // namespace weft
