/// Describes a stream as text that the program of another commit can compare and print.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sw/compiler/plan/plan.hpp"
#include "sw/machine/state.hpp"

namespace weft::inspect::bisect {

/// Checksums of a stream's data messages and of its commands. A CALL is hashed by its kernel's name, because addresses
/// change when kernels do.
struct StreamSums {
  std::string data, control;
};
StreamSums sums(std::span<const machine::Message> messages, const assembler::Program& program);

/// Describes each message like `f0120003 W 17 -> row 3 0.0625 = h.0.ln_1.weight[5]`, and instructions of a load with
/// their source location. `op`: the op that the stream belongs to, or null.
std::vector<std::string> describe(std::span<const machine::Message> messages, const compiler::Op* op,
                                  const compiler::Plan& plan);

/// Name of an element of the flat parameter vector, like `h.0.attn.c_attn.weight[3][17]`.
std::string element_name(const std::string& tensor, const std::vector<int>& dims, std::uint64_t element);

/// Arrays in the memory of a PE, like "0120 residual", by rising address.
std::vector<std::string> arrays(const compiler::Plan& plan);

/// Names of the set flags, like "BAD_ROUTE NO_ROW", or "none".
std::string flag_words(std::uint8_t flags);

/// Routes of a tile's router that have a destination, port by port, like "route RING RAMP -> SOUTH".
std::vector<std::string> route_words(const machine::TileState& state);

}  // namespace weft::inspect::bisect
