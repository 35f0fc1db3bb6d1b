/// RTL for inspection, which counts stalls. It is in a library of its own: its modules have the names of those of the
/// RTL that libweft has.
#pragma once

#include <memory>

#include "sw/machine/shape.hpp"
#include "verif/wafer.hpp"

namespace weft::programs {

/// Name of the library, next to libweft, and of the function in it: Wafer* (const machine::WaferShape*, int threads).
inline constexpr const char* kInspectedLibrary = "libweft-inspected.so";
inline constexpr const char* kInspectedFunction = "weft_make_inspected_wafer";

/// As make_rtl_wafer, with tiles that count their cycles by stall reason: of this program if its RTL counts, otherwise
/// of the library. Throws Refusal if the library is missing.
std::unique_ptr<Wafer> make_inspected_wafer(const machine::WaferShape& shape, int threads);

}  // namespace weft::programs
