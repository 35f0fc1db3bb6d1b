/// Two wafers that must agree: the same stream into both, every outlet message and every memory compared.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "verif/wafer.hpp"

namespace weft {

/// The two differ; `what()` says where first, and what each said.
struct LockstepMismatch : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Acts like either. Outlet messages are compared as soon as both have delivered them (await), memories and counted
/// work when both are at rest (settle); LockstepMismatch is thrown at the first difference. Names are for its text.
///
/// Cycles and flags are those of `second`, WaferStuck is thrown by whoever stands still, `first` before it. Both have
/// the same shape.
std::unique_ptr<Wafer> make_lockstep_wafer(std::string first_name, std::unique_ptr<Wafer> first,
                                           std::string second_name, std::unique_ptr<Wafer> second);

}  // namespace weft
