#include "host/config/file/value.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <set>
#include <span>

#include "host/config/file/document.hpp"
#include "host/config/keys/key_names.hpp"
#include "host/config/keys/model_zoo.hpp"
#include "host/config/keys/path_keys.hpp"
#include "host/config/keys/phases.hpp"
#include "host/config/overloaded.hpp"
#include "sw/base/did_you_mean.hpp"

namespace weft::config {
namespace {

std::string hint_for_phase(std::string_view name) {
  if (const Lacking* lacking = find_lacking(lacking_phase_keys(), name)) return std::string(lacking->nearest);
  std::vector<std::string_view> names;
  for (const auto& key : phase_keys()) names.push_back(key.name);
  const std::string near = nearest(name, names);
  return near.empty() ? fmt::format("keys of a phase are {}", fmt::join(names, ", "))
                      : fmt::format("did you mean {}?", near);
}

/// Formats "a, b or c".
std::string any_of(const std::vector<std::string_view>& choices) {
  const std::span<const std::string_view> all(choices);
  if (all.size() < 2) return std::string(all.front());
  return fmt::format("{} or {}", fmt::join(all.first(all.size() - 1), ", "), all.back());
}

bool same_but_for_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  });
}

/// Converts one value, with the context for error messages.
struct Converter {
  const Limits& limits;
  const std::string& key;
  Place place;

  [[noreturn]] void fail(std::string_view problem, std::string_view hint) const {
    throw place.error(key, problem, hint);
  }

  /// `types`: tags of YAML's core schema that a value may have.
  void check_tag(const YAML::Node& node, std::initializer_list<std::string_view> types) const {
    constexpr std::string_view kCore = "tag:yaml.org,2002:";
    const std::string& tag = node.Tag();
    if (!tag.starts_with(kCore)) return;
    const std::string_view type = std::string_view(tag).substr(kCore.size());
    if (std::ranges::find(types, type) == types.end())
      fail(fmt::format("the tag !!{} is not supported", type), "write the value without it");
  }

  std::string scalar(const YAML::Node& node, std::string_view expected) const {
    if (node.IsNull()) fail("has no value", fmt::format("give it {}", expected));
    if (!node.IsScalar()) {
      fail(fmt::format("a {} where one value belongs", node.IsMap() ? "section" : "list"),
           fmt::format("give it {}", expected));
    }
    return node.Scalar();
  }

  template <class T>
  T number(const YAML::Node& node) const {
    constexpr bool kWhole = std::is_integral_v<T>;
    const std::string text = scalar(node, kWhole ? "an integer" : "a number");
    if (limits.automatic && text == "auto") return 0;
    kWhole ? check_tag(node, {"int"}) : check_tag(node, {"int", "float"});
    const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
    const char* end = text.data() + text.size();
    std::conditional_t<kWhole, long long, double> value{};
    const auto [rest, error] = std::from_chars(begin, end, value);
    if (error == std::errc::invalid_argument || rest != end) {
      fail(fmt::format("\"{}\" is not {}", text, kWhole ? "an integer" : "a number"),
           fmt::format("{}{}", kWhole ? "use digits only, e.g. 4" : "write it like 0.001 or 1e-3",
                       limits.automatic ? ", or auto" : ""));
    }
    const auto digits = std::string_view(begin, end).substr(*begin == '-' ? 1 : 0);
    if (kWhole && digits.size() > 1 && digits[0] == '0')
      fail(fmt::format("{} is octal for some YAML parsers and decimal for others", text), "remove the leading 0");
    if (!kWhole && error == std::errc::result_out_of_range && std::isinf(limits.max))
      fail(fmt::format("{} does not fit in a number of 64 bits", text), "write it like 0.001 or 1e-3");
    const double at = static_cast<double>(value);
    const bool fits = at >= limits.min && (limits.below ? at < limits.max : at <= limits.max);
    if (error == std::errc{} && std::isfinite(at) && fits) return static_cast<T>(value);
    fail(fmt::format("{} is out of range", text),
         limits.min == limits.max ? fmt::format("use {}, the only one supported", limits.min)
         : limits.below           ? fmt::format("use {} or more and below {}", limits.min, limits.max)
         : std::isinf(limits.max) ? fmt::format("use {} or more", limits.min)
                                  : fmt::format("use {} to {}", limits.min, limits.max));
  }

  bool truth(const YAML::Node& node) const {
    const std::string text = scalar(node, "true or false");
    check_tag(node, {"bool"});
    if (text == "true" || text == "True") return true;
    if (text != "false" && text != "False")
      fail(fmt::format("\"{}\" is neither true nor false", text), "use true or false");
    return false;
  }

  std::string text(const YAML::Node& node) const {
    const std::string text = scalar(node, "a text");
    check_tag(node, {"str"});
    if (limits.choices.empty()) return text;
    for (std::size_t at = 0, end = 0; end != std::string::npos; at = end + 1) {
      end = limits.several ? text.find(',', at) : std::string::npos;
      const std::string one = text.substr(at, end - at);
      if (std::ranges::find(limits.choices, one) != limits.choices.end()) continue;
      const auto is = [&](std::string_view choice) { return !limits.several && same_but_for_case(choice, one); };
      if (std::ranges::count_if(limits.choices, is) == 1)
        return std::string(*std::ranges::find_if(limits.choices, is));  // adamw, as in the Model Zoo
      fail(fmt::format("\"{}\" is not known", one), "use " + any_of(limits.choices));
    }
    return text;
  }

  std::vector<double> numbers(const YAML::Node& node) const {
    if (!node.IsSequence()) fail("is not a list of numbers", "write it like [0.9, 0.999]");
    std::vector<double> result;
    for (const auto& entry : node) result.push_back(number<double>(entry));
    return result;
  }

  /// A single text stands for a list of one.
  std::vector<std::string> texts(const YAML::Node& node) const {
    std::vector<std::string> result;
    if (!node.IsSequence()) {
      result.push_back(text(node));
      if (limits.repeats && result[0].empty()) result.clear();
      return result;
    }
    for (const auto& entry : node) result.push_back(text(entry));
    if (result.empty() && !limits.repeats) fail("is an empty list", "name something, or leave the key out");
    return result;
  }

  LearningRatePhase phase(const YAML::Node& node) const {
    LearningRatePhase result;
    const Place here = place_of(node, place);
    if (!node.IsMap())
      throw here.error(key, "a phase is not a section",
                       "write \"- scheduler: Constant\" and below it \"  learning_rate: 0.001\"");
    bool has_scheduler = false;
    std::set<std::string_view> names;
    for (const DocumentEntry& entry : read_section(key, node, here).entries) {
      const std::string shown = key + "." + entry.name;
      const bool none = entry.value.IsScalar() && (entry.value.Scalar() == "false" || entry.value.Scalar() == "False");
      if (none && find_lacking(lacking_phase_keys(), entry.name) != nullptr) continue;  // Weft's behavior anyway
      const std::string_view own = own_phase_key(entry.name);
      if (!names.insert(own).second)
        throw entry.place.error(shown, fmt::format("sets {}, which the phase already has", own), "remove one");
      const auto& known = find_key(phase_keys(), own, shown, entry.place, hint_for_phase);
      if (left_out(known, entry.value, result)) continue;
      set_value(known.slot(result), {known.min, known.max, known.choices}, entry.value, shown, entry.place);
      has_scheduler |= entry.name == "scheduler";
    }
    if (!has_scheduler) throw here.error(key, "a phase has no scheduler", "add scheduler: Constant");
    LearningRatePhase defaults;
    for (const auto& known : phase_keys())
      if (!has_part(result, known.name) && value_text(known.slot(result)) != value_text(known.slot(defaults)))
        throw here.error(fmt::format("{}.{}", key, known.name), "does not apply to " + result.scheduler,
                         "leave it out; weft run --help lists where it applies");
    return result;
  }

  std::vector<LearningRatePhase> learning_rate(const YAML::Node& node) const {
    if (node.IsMap()) return {phase(node)};
    if (!node.IsSequence()) return {LearningRatePhase{.learning_rate = number<double>(node)}};
    std::vector<LearningRatePhase> phases;
    for (const auto& entry : node) phases.push_back(phase(entry));
    if (phases.empty()) fail("no phases", "give it a number, e.g. 0.001");
    return phases;
  }
};

}  // namespace

bool means_nothing(const Slot& by_default) {
  return std::visit(Overloaded{[](bool*) { return false; },
                               [](auto* value) {
                                 if constexpr (std::is_arithmetic_v<std::remove_pointer_t<decltype(value)>>)
                                   return *value == 0;
                                 else
                                   return value->empty();
                               }},
                    by_default);
}

void copy_value(const Slot& slot, const Slot& from) {
  std::visit([&](auto* to) { *to = *std::get<decltype(to)>(from); }, slot);
}

void set_value(const Slot& slot, const Limits& limits, const YAML::Node& node, const std::string& key,
               const Place& place) {
  const Converter from{limits, key, place};
  if (auto* to = std::get_if<int*>(&slot)) **to = from.number<int>(node);
  if (auto* to = std::get_if<float*>(&slot)) **to = from.number<float>(node);
  if (auto* to = std::get_if<double*>(&slot)) **to = from.number<double>(node);
  if (auto* to = std::get_if<bool*>(&slot)) **to = from.truth(node);
  if (auto* to = std::get_if<std::string*>(&slot))
    **to = key.ends_with(".data_dir") ? joined_paths(from.texts(node)) : from.text(node);
  if (auto* to = std::get_if<std::vector<double>*>(&slot)) **to = from.numbers(node);
  if (auto* to = std::get_if<std::vector<std::string>*>(&slot)) **to = from.texts(node);
  if (auto* to = std::get_if<std::vector<LearningRatePhase>*>(&slot)) **to = from.learning_rate(node);
}

}  // namespace weft::config
