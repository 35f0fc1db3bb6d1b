/// What the benchmarks print: a heading, then lines of a name and a number, with the goal beside it if there is one;
/// or, with `json(true)`, an object a line: `bench`, `name`, `value`, `unit`, and `goal` and `reached` where there is
/// one.
#pragma once

#include <cstdint>
#include <string>

namespace weft::bench {

void json(bool on);
/// The benchmark that prints from now on.
void begin(const std::string& bench);

void heading(const std::string& title);
/// For people: of a table, not in JSON.
void text(const std::string& lines);
/// The same for programs: a value of a table, in JSON alone.
void point(const std::string& name, double value, const std::string& unit);
void fact(const std::string& name, double value, const std::string& unit);
void count(const std::string& name, std::uint64_t value, const std::string& unit);
/// `value` should be at least `goal`.
void goal(const std::string& name, double value, const std::string& unit, double goal);
/// `value` should be at most `goal`.
void limit(const std::string& name, double value, const std::string& unit, double goal);
/// Whether all goals of the benchmarks that ran were reached; prints how many were, the last line of all, but not in
/// JSON. Throws runtime_error if not all that was printed has been written.
bool verdict();

}  // namespace weft::bench
