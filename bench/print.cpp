#include "bench/print.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace weft::bench {
namespace {

int reached = 0, missed = 0;
bool in_json = false;
std::string bench_name;

struct Goal {
  double value;
  bool reached;
};

template <class Number>
void object(const std::string& name, Number value, const std::string& unit, const Goal* goal = nullptr) {
  nlohmann::ordered_json line{{"bench", bench_name}, {"name", name.substr(name.find_first_not_of(' '))}};
  line["value"] = value;
  line["unit"] = unit;
  if (goal != nullptr) line["goal"] = goal->value, line["reached"] = goal->reached;
  fmt::print("{}\n", line.dump());
  std::fflush(stdout);
}

/// Formats a value with three significant digits.
std::string number(double value) { return value >= 100 ? fmt::format("{:.0f}", value) : fmt::format("{:#.3g}", value); }

void line(const std::string& name, const std::string& value, const std::string& unit, const std::string& rest = "") {
  fmt::print("{}\n", fmt::format("  {:<58} {:>9} {:<18}{}", name, value, unit, rest));
  std::fflush(stdout);
}

}  // namespace

void json(bool on) { in_json = on; }
void begin(const std::string& bench) { bench_name = bench; }

void heading(const std::string& title) { text("\n" + title + "\n"); }

void text(const std::string& lines) {
  if (!in_json) fmt::print("{}", lines);
}

void point(const std::string& name, double value, const std::string& unit) {
  if (in_json) object(name, value, unit);
}

void fact(const std::string& name, double value, const std::string& unit) {
  in_json ? object(name, value, unit) : line(name, number(value), unit);
}

void count(const std::string& name, std::uint64_t value, const std::string& unit) {
  in_json ? object(name, value, unit) : line(name, std::to_string(value), unit);
}

void goal(const std::string& name, double value, const std::string& unit, double goal) {
  const bool ok = value >= goal;
  ++(ok ? reached : missed);
  const Goal wanted{goal, ok};
  in_json ? object(name, value, unit, &wanted)
          : line(name, number(value), unit, fmt::format(" goal {:<6} {}", number(goal), ok ? "ok" : "below"));
}

void limit(const std::string& name, double value, const std::string& unit, double goal) {
  const bool ok = value <= goal;
  ++(ok ? reached : missed);
  const Goal wanted{goal, ok};
  in_json ? object(name, value, unit, &wanted)
          : line(name, number(value), unit, fmt::format(" at most {:<6} {}", number(goal), ok ? "ok" : "above"));
}

bool verdict() {
  text(fmt::format("\ngoals: {} reached, {} missed\n", reached, missed));
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    throw std::runtime_error("standard output cannot be written");
  return missed == 0;
}

}  // namespace weft::bench
