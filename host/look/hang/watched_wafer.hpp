/// A wafer whose standstills are told with their culprits.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "sw/asm/assembler.hpp"
#include "verif/wafer.hpp"

namespace weft {

/// `wafer`, and if it stands still, what it throws begins with the culprit and names two files in `folder`, which is
/// made if it is not there: the report, `wafer_0_step_5.hang.txt`, and the core dump, `wafer_0_step_5.weftcore`.
/// `program` says what the wafer runs; it is asked only then. What cannot be written is said, and hides nothing.
std::unique_ptr<Wafer> watched(std::unique_ptr<Wafer> wafer, std::filesystem::path folder,
                               std::function<Program()> program);

}  // namespace weft
