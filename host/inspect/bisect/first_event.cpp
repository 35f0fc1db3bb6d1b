#include "host/inspect/bisect/first_event.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "verif/trace/words.hpp"

namespace weft::inspect::bisect {
namespace {

using ByPlace = std::map<std::string, std::vector<std::size_t>>;  // event numbers by place

ByPlace by_place(const std::vector<Event>& events) {
  ByPlace places;
  for (std::size_t n = 0; n < events.size(); ++n) places[events[n].place].push_back(n);
  return places;
}

/// "M[0x125] (residual + 5)": names the last array that begins at or before the element.
std::string with_array(unsigned element, const std::vector<std::string>& arrays) {
  const std::string* last = nullptr;
  for (const std::string& array : arrays)
    if (std::stoul(array, nullptr, 16) <= element) last = &array;
  const std::string place = fmt::format("M[{:#x}]", element);
  if (last == nullptr) return place;
  return fmt::format("{} ({} + {})", place, last->substr(5), element - std::stoul(*last, nullptr, 16));
}

std::string with_array(const std::string& place, const std::vector<std::string>& arrays) {
  if (!place.starts_with("M[")) return place;
  return with_array(static_cast<unsigned>(std::stoul(place.substr(2), nullptr, 16)), arrays);
}

std::string last_writer(const Phase& phase, const std::string& place) {
  const auto at = std::ranges::find(phase.events.rbegin(), phase.events.rend(), place, &Event::place);
  return at == phase.events.rend() ? "not written in this phase" : at->by;
}

}  // namespace

bool first_event(const Phase& a, const Phase& b, Finding& finding) {
  const ByPlace of_a = by_place(a.events), of_b = by_place(b.events);
  const Event *first_a = nullptr, *first_b = nullptr;
  std::size_t when = a.events.size() + b.events.size();
  const auto offer = [&](const Event* x, const Event* y, std::size_t n) {
    if (n >= when) return;
    when = n;
    first_a = x;
    first_b = y;
  };
  for (const auto& [place, in_a] : of_a) {
    const auto other = of_b.find(place);
    const std::vector<std::size_t> none, &in_b = other == of_b.end() ? none : other->second;
    for (std::size_t k = 0; k < std::max(in_a.size(), in_b.size()); ++k) {
      const Event* x = k < in_a.size() ? &a.events[in_a[k]] : nullptr;
      const Event* y = k < in_b.size() ? &b.events[in_b[k]] : nullptr;
      if (x != nullptr && y != nullptr && x->value == y->value) continue;
      offer(x, y, x != nullptr ? in_a[k] : in_b[k]);
      break;
    }
  }
  for (const auto& [place, in_b] : of_b)
    if (!of_a.contains(place)) offer(nullptr, &b.events[in_b[0]], in_b[0]);
  if (first_a == nullptr && first_b == nullptr) return false;
  finding.place = with_array((first_a != nullptr ? first_a : first_b)->place, (first_a != nullptr ? a : b).arrays);
  finding.a = first_a != nullptr ? first_a->value : "nothing";
  finding.b = first_b != nullptr ? first_b->value : "nothing";
  finding.by_a = first_a != nullptr ? first_a->by : "";
  finding.by_b = first_b != nullptr ? first_b->by : "";
  return true;
}

bool first_element(const Phase& a, const Phase& b, Finding& finding) {
  const std::size_t size = std::min(a.memory.size(), b.memory.size());
  for (std::size_t at = 0; at + 4 <= size; at += 4) {
    if (a.memory.compare(at, 4, b.memory, at, 4) == 0) continue;
    const auto value = [&](const Phase& p) {
      const std::string digits = p.memory.substr(at, 4);
      return fmt::format("{} {}", digits,
                         trace::decimal_bf16(static_cast<std::uint16_t>(std::stoul(digits, nullptr, 16))));
    };
    const auto element = static_cast<unsigned>(at / 4);
    finding.place = with_array(element, a.arrays);
    finding.a = value(a);
    finding.b = value(b);
    finding.by_a = last_writer(a, fmt::format("M[{:#x}]", element));
    finding.by_b = last_writer(b, fmt::format("M[{:#x}]", element));
    return true;
  }
  return false;
}

}  // namespace weft::inspect::bisect
