/// Wraps a wafer so that a hang is reported with its root cause.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "sw/deadlock/core_dump.hpp"
#include "verif/wafer.hpp"

namespace weft::inspect {

/// Forwards to `wafer`. If it hangs, the exception begins with the root cause and names two files in `folder`, which is
/// created if necessary: the report, `wafer_0_step_5.hang.txt`, and the core dump, `wafer_0_step_5.weftcore`. `known`
/// returns the core dump without the hang snapshot; it is called only after a hang. A file that cannot be written is
/// reported without hiding the hang. `begins`, if given, is called when an op of a micro-batch begins.
std::unique_ptr<Wafer> watched(std::unique_ptr<Wafer> wafer, std::filesystem::path folder,
                               std::function<deadlock::Core()> known, std::function<void()> begins = {});

}  // namespace weft::inspect
