#include "tests/fault_injection/outcomes.hpp"

#include <fmt/format.h>

#include <set>

namespace weft::fault_injection {
namespace {

/// The part of a complaint that all runs share: without the quoted error line.
std::string head(const std::string& text) { return text.substr(0, text.find(" | ")); }

}  // namespace

void Outcomes::add(const Report& report) {
  for (const Outcome& outcome : report.outcomes) {
    Row& row = rows_[outcome.kind->name];
    if (outcome.state == Outcome::Skipped) ++row.skipped;
    if (outcome.state == Outcome::TooLate) ++row.late;
    if (outcome.state != Outcome::Injected) continue;
    ++row.injected;
    ++row.codes[outcome.code];
    row.equal += outcome.equal;
  }
  for (const Violation& v : report.violations) violations_[{v.kinds, head(v.text)}].push_back(v.seed);
}

std::string Outcomes::table() const {
  constexpr const char* kRow = "{:<26} {:>8} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>7} {:>7}\n";
  std::string text = fmt::format(fmt::runtime(kRow), "kind", "injected", "0", "1", "2", "130", "137", "other", "equal",
                                 "late", "skipped");
  for (const Kind& kind : kinds()) {
    const auto at = rows_.find(kind.name);
    const Row row = at == rows_.end() ? Row() : at->second;
    int known = 0;
    const auto ended = [&](int code) {
      const auto found = row.codes.find(code);
      const int count = found == row.codes.end() ? 0 : found->second;
      known += count;
      return count;
    };
    const int zero = ended(0), one = ended(1), two = ended(2), interrupted = ended(130), killed = ended(137);
    text += fmt::format(fmt::runtime(kRow), kind.name, row.injected, zero, one, two, interrupted, killed,
                        row.injected - known, row.equal, row.late, row.skipped);
  }
  return text;
}

std::string Outcomes::violations() const {
  std::string text;
  for (const auto& [what, seeds] : violations_) {
    const std::set<std::uint64_t> all(seeds.begin(), seeds.end());
    text += fmt::format("{:<26} {:>4} x {} (seed", what.first, seeds.size(), what.second);
    int shown = 0;
    for (const std::uint64_t seed : all) text += ++shown <= 3 ? fmt::format(" {}", seed) : "";
    text += all.size() > 3 ? " ...)\n" : ")\n";
  }
  return text;
}

std::vector<std::string> Outcomes::missing() const {
  std::vector<std::string> names;
  for (const Kind& kind : kinds()) {
    const auto at = rows_.find(kind.name);
    if (at == rows_.end() || (at->second.injected == 0 && at->second.skipped == 0)) names.push_back(kind.name);
  }
  return names;
}

}  // namespace weft::fault_injection
