/// A wafer whose standstills are told with their culprits.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "sw/hang/core.hpp"
#include "verif/wafer.hpp"

namespace weft {

/// `wafer`, and if it stands still, what it throws begins with the culprit and names two files in `folder`, which is
/// made if it is not there: the report, `wafer_0_step_5.hang.txt`, and the core dump, `wafer_0_step_5.weftcore`.
/// `known` says all of the core dump but the standstill; it is asked only then. What cannot be written is said, and
/// hides nothing. `begins`, if there is one, is called when an op of a micro-batch does.
std::unique_ptr<Wafer> watched(std::unique_ptr<Wafer> wafer, std::filesystem::path folder,
                               std::function<hang::Core()> known, std::function<void()> begins = {});

}  // namespace weft
