/// A stream in words that another commit's program can compare and print.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sw/compiler/plan.hpp"
#include "sw/machine/state.hpp"

namespace weft::bisect {

/// Checksums of a stream's data messages and of its commands. A CALL counts by its kernel's name, as addresses move
/// when kernels change.
struct StreamSums {
  std::string data, control;
};
StreamSums sums(std::span<const Message> messages, const Program& program);

/// Each message as `f0120003 W 17 -> row 3 0.0625 = h.0.ln_1.weight[5]`; instructions of a load with their place.
/// `op`: whose stream it is, or null.
std::vector<std::string> describe(std::span<const Message> messages, const Op* op, const Plan& plan);

/// `h.0.attn.c_attn.weight[3][17]`: an element of the flat parameter vector.
std::string element_name(const std::string& tensor, const std::vector<int>& dims, std::uint64_t element);

/// The arrays of a PE's memory: "0120 residual", by rising address.
std::vector<std::string> arrays(const Plan& plan);

/// "BAD_ROUTE NO_ROW", or "none".
std::string flag_words(std::uint8_t flags);

/// Those of a tile's router that lead somewhere: "route RING RAMP -> SOUTH", port by port.
std::vector<std::string> route_words(const TileState& state);

}  // namespace weft::bisect
