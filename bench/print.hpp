/// Output of the benchmarks: a heading, then lines with a name, a number, and the goal if there is one; or, with
/// `json(true)`, an object per line: `bench`, `name`, `value`, `unit`, and `goal` and `reached` if there is a goal.
#pragma once

#include <cstdint>
#include <string>

namespace weft::bench {

void json(bool on);
/// Sets the benchmark that prints from now on.
void begin(const std::string& bench);

void heading(const std::string& title);
/// Prints lines of a table for human readers; not in JSON.
void text(const std::string& lines);
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
