#include "bench/print.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace weft::bench {
namespace {

int goals = 0, met = 0;

/// Three digits that count.
std::string number(double value) { return value >= 100 ? fmt::format("{:.0f}", value) : fmt::format("{:#.3g}", value); }

void line(const std::string& name, const std::string& value, const std::string& unit, const std::string& rest = "") {
  fmt::print("{}\n", fmt::format("  {:<58} {:>9} {:<18}{}", name, value, unit, rest));
  std::fflush(stdout);
}

}  // namespace

void heading(const std::string& title) { fmt::print("\n{}\n", title); }

void fact(const std::string& name, double value, const std::string& unit) { line(name, number(value), unit); }

void count(const std::string& name, std::uint64_t value, const std::string& unit) {
  line(name, std::to_string(value), unit);
}

void goal(const std::string& name, double value, const std::string& unit, double goal) {
  const bool ok = value >= goal;
  ++goals;
  met += ok;
  line(name, number(value), unit, fmt::format(" goal {:<6} {}", number(goal), ok ? "ok" : "below"));
}

void limit(const std::string& name, double value, const std::string& unit, double goal) {
  const bool ok = value <= goal;
  ++goals;
  met += ok;
  line(name, number(value), unit, fmt::format(" at most {:<6} {}", number(goal), ok ? "ok" : "above"));
}

void verdict() {
  if (goals > 0) fmt::print("\n{} of {} goals met\n", met, goals);
}

}  // namespace weft::bench
