/// Measured runs as arrays, text and JSON, with the parts of `weft profile`.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "host/programs/measured_run.hpp"
#include "sw/machine/shape.hpp"

namespace weft::library {

/// Cycles of the last run by "thread.reason", [row * cols + col]; reasons without cycles are left out. Throws Refusal
/// if there is no run.
std::map<std::string, std::vector<std::uint64_t>> stalls(const std::vector<programs::MeasuredRun>& runs);
/// Table, map and losses as of `weft profile`.
std::string profile(const machine::WaferShape& shape, const std::vector<programs::MeasuredRun>& runs);
/// Writes Chrome's JSON trace events. Throws Refusal if the file cannot be written.
void save_profile(const machine::WaferShape& shape, const std::vector<programs::MeasuredRun>& runs,
                  const std::string& file);

}  // namespace weft::library
