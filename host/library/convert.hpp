/// States of runs in the form of the public headers.
#pragma once

#include <span>

#include "host/checkpoint/checkpoint.hpp"
#include "sw/compiler/plan/plan.hpp"
#include "weft/checkpoint.hpp"

namespace weft::library {

/// The state of a run with these tensors, in the order of a checkpoint's file.
weft::Checkpoint public_checkpoint(const checkpoint::Checkpoint& state, std::span<const compiler::TensorInfo> tensors);

}  // namespace weft::library
