/// Messages of W that vdot's lists hold, as in rtl/pe/weft_pe_gather.sv.
#pragma once

#include <cstddef>

namespace weft::model {

struct Machine;

/// Number of messages of W that the lists hold when nothing moves: those of the running vdot, as many as have room, or
/// up to its CR; then those of the next instruction, if it is a vdot that waits for the running one. 0 if no vdot runs.
std::size_t gathered(const Machine& m);

}  // namespace weft::model
