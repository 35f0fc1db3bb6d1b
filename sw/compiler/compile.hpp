/// The compiler: from a model, a wafer and a mask to a plan.
#pragma once

#include <cstdint>
#include <memory>

#include "sw/compiler/model/mask.hpp"
#include "sw/compiler/model/model_shape.hpp"
#include "sw/compiler/plan/plan.hpp"
#include "sw/machine/shape.hpp"

namespace weft::compiler {

/// Placement of features on rows: those with the most non-zero weights first, to balance the rows, or in their order.
/// Both are equal if all features have equally many weights.
enum class Placement : std::uint8_t { ByLoad, InOrder };

/// Weights for which gradients are returned: those that the mask keeps, or all, including pruned ones, which are zero.
enum class Gradients : std::uint8_t { OfKept, OfAll };

/// First half of compile(): everything that does not depend on the mask, that is graph, memory map and assembled
/// program. Throws Refusal, of a configuration's key, if the model does not fit the wafer or the shapes are impossible;
/// the message has numbers of bytes and a hint.
std::shared_ptr<const Prepared> prepare(const ModelShape& model, const machine::WaferShape& wafer);

/// Second half of compile(), which depends on the mask: placements, the constants that describe them, ops with their
/// descriptors. May be called any number of times, in any thread. Throws std::invalid_argument if `mask` is not of this
/// model's tensors.
///
/// Plans of one `prepared` have the same program and the same addresses. If their `load` is equal as well, a wafer that
/// ran one of them can run the other. `load` is equal unless masks are so uneven that rows have different numbers of
/// features, or masks leave out positions.
Plan with_mask(const std::shared_ptr<const Prepared>& prepared, const Mask& mask,
               Placement placement = Placement::ByLoad, Gradients gradients = Gradients::OfKept);

/// As above, for the Prepared of `plan`, with features placed by load. Throws std::invalid_argument also if `plan`
/// comes from a file.
Plan with_mask(const Plan& plan, const Mask& mask, Gradients gradients = Gradients::OfKept);

/// Both halves: prepare() and with_mask(). Throws as they do.
Plan compile(const ModelShape& model, const machine::WaferShape& wafer, const Mask& mask = {},
             Placement placement = Placement::ByLoad);

/// A plan that returns the logits of a text's next token instead of a loss: forward ops only, with `texts` texts at a
/// time in place of a micro-batch. The program and every value before the logits are those of compile() with such a
/// micro-batch, except that a text is always one document. Throws as compile().
Plan compile_generation(const ModelShape& model, const machine::WaferShape& wafer, const Mask& mask = {},
                        int texts = 1);

/// A plan that continues texts by one token each, with keys and values kept on the wafer (decode.hpp): model.seq
/// positions of wafer.cols * wafer.lanes texts (plan.model.micro_batch). Every value is bit-identical to that of
/// compile_generation(). `wafer.sequence_columns` and `model.recompute` are ignored. Throws Refusal if there is no
/// room, or if the network's keys and values cannot be kept; otherwise as compile().
Plan compile_decode(const ModelShape& model, const machine::WaferShape& wafer, const Mask& mask = {});

}  // namespace weft::compiler
