/// A wafer that compares two others: both receive the same stream, and every outlet message and every memory is
/// compared.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "verif/wafer.hpp"

namespace weft::cosim {

/// The two wafers differ; `what()` names the place of the first difference and both values.
struct CosimMismatch : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Acts like either wafer. Outlet messages are compared as soon as both have delivered them (await), memories and
/// counted work when both are at rest (settle); CosimMismatch is thrown at the first difference, with the given
/// names.
///
/// Cycles and flags are those of `second`. WaferHang is thrown by the wafer that deadlocks, `first` before `second`.
/// Both must have the same shape.
std::unique_ptr<Wafer> make_cosim_wafer(std::string first_name, std::unique_ptr<Wafer> first, std::string second_name,
                                        std::unique_ptr<Wafer> second);

}  // namespace weft::cosim
