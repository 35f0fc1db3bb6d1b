/// Makes a layout ready for a wafer.
#pragma once

#include "host/programs/image.hpp"

namespace weft::programs {

/// Throws Refusal for what the layout lacks or does not fit: docs/reference/programs.md lists the reasons.
Image build(const Layout& layout, const machine::WaferShape& shape);

}  // namespace weft::programs
