#include "bench/print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace weft::bench {
namespace {

int reached = 0, missed = 0;
bool in_json = false;
std::string bench_name, open_table, lines;

struct Goal {
  double value;
  bool reached;
};

void object(const nlohmann::ordered_json& columns) {
  const std::string line = columns.dump();
  lines += line + '\n';
  if (!in_json) return;
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

template <class Number>
void object(const std::string& name, Number value, const std::string& unit, const Goal* goal = nullptr) {
  nlohmann::ordered_json line{{"bench", bench_name}, {"name", name.substr(name.find_first_not_of(' '))}};
  line["value"] = value;
  line["unit"] = unit;
  if (goal != nullptr) line["goal"] = goal->value, line["reached"] = goal->reached;
  object(line);
}

/// Formats a value with three significant digits.
std::string number(double value) { return value >= 100 ? fmt::format("{:.0f}", value) : fmt::format("{:#.3g}", value); }

void line(const std::string& name, const std::string& value, const std::string& unit, const std::string& rest = "") {
  if (in_json) return;
  fmt::print("{}\n", fmt::format("  {:<58} {:>9} {:<18}{}", name, value, unit, rest));
  std::fflush(stdout);
}

/// A value of a table, as wide as its column: texts to the left, numbers to the right.
std::string cell(const std::string& column, const nlohmann::ordered_json& value, const std::string& shown) {
  constexpr std::size_t kNarrowest = 9, kText = 32;
  const std::size_t width = std::max(column.size(), kNarrowest);
  return value.is_string() ? fmt::format("  {:<{}}", shown, kText) : fmt::format("  {:>{}}", shown, width);
}

std::string shown(const nlohmann::ordered_json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_null()) return "-";
  return value.is_number_float() ? number(value.get<double>()) : value.dump();
}

}  // namespace

void json(bool on) { in_json = on; }
void begin(const std::string& bench) {
  bench_name = bench;
  open_table.clear();
  lines.clear();
}
const std::string& results() { return lines; }

void heading(const std::string& title) { text("\n" + title + "\n"); }

void text(const std::string& lines) {
  if (!in_json) fmt::print("{}", lines);
}

void row(const std::string& table, const nlohmann::ordered_json& columns) {
  nlohmann::ordered_json line{{"bench", bench_name}, {"table", table}};
  line.update(columns);
  object(line);
  std::string names, values;
  for (const auto& [column, value] : columns.items()) {
    names += cell(column, value, column);
    values += cell(column, value, shown(value));
  }
  if (table != open_table) text("\n" + names + "\n");
  open_table = table;
  text(values + "\n");
}

void point(const std::string& name, double value, const std::string& unit) { object(name, value, unit); }

void fact(const std::string& name, double value, const std::string& unit) {
  object(name, value, unit);
  line(name, number(value), unit);
}

void count(const std::string& name, std::uint64_t value, const std::string& unit) {
  object(name, value, unit);
  line(name, std::to_string(value), unit);
}

void goal(const std::string& name, double value, const std::string& unit, double goal) {
  const bool ok = value >= goal;
  ++(ok ? reached : missed);
  const Goal wanted{goal, ok};
  object(name, value, unit, &wanted);
  line(name, number(value), unit, fmt::format(" goal {:<6} {}", number(goal), ok ? "ok" : "below"));
}

void limit(const std::string& name, double value, const std::string& unit, double goal) {
  const bool ok = value <= goal;
  ++(ok ? reached : missed);
  const Goal wanted{goal, ok};
  object(name, value, unit, &wanted);
  line(name, number(value), unit, fmt::format(" at most {:<6} {}", number(goal), ok ? "ok" : "above"));
}

bool verdict() {
  text(fmt::format("\ngoals: {} reached, {} missed\n", reached, missed));
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    throw std::runtime_error("standard output cannot be written");
  return missed == 0;
}

}  // namespace weft::bench
