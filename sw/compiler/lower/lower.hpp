/// Lowering of a schedule's steps to ops of one wafer.
#pragma once

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sw/compiler/graph/operation_lowering.hpp"
#include "sw/compiler/lower/layout.hpp"
#include "sw/compiler/lower/tools.hpp"
#include "sw/network/schedule.hpp"

namespace weft::compiler {

class Lowering : private LoweringTools {
 public:
  /// The arguments are those of LoweringTools.
  Lowering(const Layout& layout, std::shared_ptr<const Spaces> spaces, std::shared_ptr<const std::vector<bool>> kept,
           std::shared_ptr<const std::vector<bool>> trained, const assembler::Program* program);

  /// Kernels that the ops of the schedule call, of which the program is made. Generation has the program of training. A
  /// mask changes no base of a kernel, so the only further kernels that it can cause to be called are `gradient_local`,
  /// which every program has, and fallbacks.
  static Kernels kernels_of(const Layout& layout);

  /// Appends the step's ops: one, none if an earlier step did its work, or several if divided by blocks or bases.
  void lower(const network::Step& step);
  std::size_t count() const { return made_->ops.size(); }
  std::vector<Op> take() { return std::move(made_->ops); }

 private:
  Lowering(const Layout& layout, std::shared_ptr<const Spaces> spaces, std::shared_ptr<const std::vector<bool>> kept,
           std::shared_ptr<const std::vector<bool>> trained, const assembler::Program* program,
           std::unique_ptr<Lowered> made);
  /// Returns the logits of the one valid position.
  void logits(const network::Step& step);
  void flags(const network::Step& step);

  std::unique_ptr<Lowered> made_;
};

}  // namespace weft::compiler
