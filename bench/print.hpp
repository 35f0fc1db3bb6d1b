/// Output of the benchmarks: a heading, then lines with a name, a number, and the goal if there is one; and tables.
/// With `json(true)`, an object per line instead: `bench`, `name`, `value`, `unit`, and `goal` and `reached` if there
/// is a goal; for a row of a table `bench`, `table`, and a key per column.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace weft::bench {

void json(bool on);
/// Sets the benchmark that prints from now on.
void begin(const std::string& bench);
/// The lines that the benchmark has printed since begin(), or would have printed with json(true).
const std::string& results();

void heading(const std::string& title);
/// Prints lines of a table for human readers; not in JSON.
void text(const std::string& lines);
/// Prints a row of a table: an object with a value (a number, a string, a truth value or null) for each column. All
/// rows of a table have the same columns.
void row(const std::string& table, const nlohmann::ordered_json& columns);
/// Prints a value of a table for programs; only in JSON.
void point(const std::string& name, double value, const std::string& unit);
void fact(const std::string& name, double value, const std::string& unit);
void count(const std::string& name, std::uint64_t value, const std::string& unit);
/// Prints `value`, which should be at least `goal`.
void goal(const std::string& name, double value, const std::string& unit, double goal);
/// Prints `value`, which should be at most `goal`.
void limit(const std::string& name, double value, const std::string& unit, double goal);
/// Returns true if all goals of the benchmarks that ran were reached; prints their number as the last line, except in
/// JSON. Throws runtime_error if some output could not be written.
bool verdict();

}  // namespace weft::bench
