/// Builds one op: the kernels it calls, the sweep of the last one, and what comes back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sw/compiler/call.hpp"
#include "sw/compiler/plan.hpp"
#include "sw/compiler/sweep_counts.hpp"

namespace weft {

class OpBuilder {
 public:
  /// `program`: null as long as there is none. Then a call is its kernel's name, and has no commands.
  OpBuilder(const WaferShape& wafer, const Program* program, std::string name);

  OpBuilder& call(std::string_view kernel, const std::vector<Argument>& arguments);
  /// It sends parameters of this tensor.
  OpBuilder& reads(int tensor);
  /// Behind all calls. Of indices, each word comes back.
  OpBuilder& sweep(Sweep sweep, Returns kind = Returns::Gradient);
  /// The same of a gradient, whose indices have been counted.
  OpBuilder& sweep(Sweep sweep, const SweepCounts& counts);
  /// Row r's outlet will deliver words[r].
  OpBuilder& returns(Returns kind, std::vector<std::uint32_t> words);

  Op take();
  /// The kernels of all calls.
  const std::vector<std::string>& kernels() const { return kernels_; }

 private:
  const Program* program_;
  std::vector<std::string> kernels_;
  Op op_;
};

}  // namespace weft
