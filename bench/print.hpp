/// What the benchmarks print: a heading, then lines of a name and a number, with the goal beside it if there is one.
#pragma once

#include <cstdint>
#include <string>

namespace weft::bench {

void heading(const std::string& title);
void fact(const std::string& name, double value, const std::string& unit);
void count(const std::string& name, std::uint64_t value, const std::string& unit);
/// `value` should be at least `goal`.
void goal(const std::string& name, double value, const std::string& unit, double goal);
/// `value` should be at most `goal`.
void limit(const std::string& name, double value, const std::string& unit, double goal);
/// Whether all goals of the benchmarks that ran were reached; prints how many were. The last line of all.
bool verdict();

}  // namespace weft::bench
