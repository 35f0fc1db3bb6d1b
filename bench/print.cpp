#include "bench/print.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace weft::bench {
namespace {

int reached = 0, missed = 0;

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
  ++(ok ? reached : missed);
  line(name, number(value), unit, fmt::format(" goal {:<6} {}", number(goal), ok ? "ok" : "below"));
}

void limit(const std::string& name, double value, const std::string& unit, double goal) {
  const bool ok = value <= goal;
  ++(ok ? reached : missed);
  line(name, number(value), unit, fmt::format(" at most {:<6} {}", number(goal), ok ? "ok" : "above"));
}

bool verdict() {
  fmt::print("\ngoals: {} reached, {} missed\n", reached, missed);
  return missed == 0;
}

}  // namespace weft::bench
