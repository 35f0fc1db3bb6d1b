/// What vdot's lists hold of W, as in rtl/pe/pe_gather.sv.
#pragma once

#include <cstddef>

namespace weft::model {

struct Machine;

/// Messages of W that the lists have taken when they do not move any more: of the running vdot, so many as there is
/// room for, or up to its CR; then, if the next instruction is a vdot that waits for it, of that one. 0 without a
/// running vdot.
std::size_t gathered(const Machine& m);

}  // namespace weft::model
