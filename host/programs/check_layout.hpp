/// Faults of a layout that its programs' words and names show.
#pragma once

#include "host/programs/image.hpp"

namespace weft::programs {

/// Throws Refusal if the regions of two programs meet, if two programs declare an array of one name, or if a stream has
/// no program that sends, or a receiver without an instruction that takes its words.
void check_programs(const Image& image);

}  // namespace weft::programs
