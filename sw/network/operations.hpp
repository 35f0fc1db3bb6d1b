/// The kinds of operations that a network's file may have.
///
/// A kind NAME is six files: sw/network/operations/NAME.cpp, which describes it in NAME_rules(), its lowering in
/// sw/compiler/operations/NAME.cpp, kernels in sw/kernels/NAME.s, the reference in tests/reference/network.cpp, its
/// line in tests/network/random_network.hpp, and its row in docs/reference/network.md. The build finds the files and
/// makes OperationKind (operation_kinds.hpp) and the tables. All element-wise functions are one kind (function.hpp).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sw/network/blueprint.hpp"
#include "sw/network/network.hpp"
#include "sw/network/step.hpp"

namespace weft::network {

/// The network that is being made of a file. `from` is an operation as written, for errors.
class NetworkMaker {
 public:
  using Written = Blueprint::Operation;
  virtual ~NetworkMaker() = default;

  [[noreturn]] virtual void fail(const Written& from, const std::string& problem, const std::string& hint) const = 0;
  /// Index of a tensor; -1 if it is not `wanted` and not there.
  virtual int tensor(const Written& from, const std::string& name, bool wanted = true) const = 0;
  /// Index of a tensor, which must have this shape.
  virtual int tensor(const Written& from, const std::string& name,
                     const std::vector<NetworkTensor::Axis>& shape) const = 0;
  virtual const NetworkTensor& tensor(int index) const = 0;
  virtual Role role(int value) const = 0;
  /// Makes an output, a value of this name. Returns its index.
  virtual int make(const Written& from, int layer, const std::string& name, Role role) = 0;

  void need_inputs(const Written& from, std::size_t n) const;
  void need_outputs(const Written& from, std::size_t n) const;
};

/// The schedule that is being made. Checks fail with a Refusal that names `op`.
class ScheduleMaker {
 public:
  virtual ~ScheduleMaker() = default;

  virtual const LayerGraph& network() const = 0;
  const NetworkOperation& operation(int index) const { return network().operations[static_cast<std::size_t>(index)]; }
  /// The forward phase that computes output n: "h.0.attn.c_attn.q", or the operation's name if it has one output.
  std::string output(const NetworkOperation& op, std::size_t n) const;
  /// Operations that read a value, in order.
  virtual const std::vector<int>& consumers(int value) const = 0;
  [[noreturn]] virtual void fail(const NetworkOperation& op, const std::string& problem,
                                 const std::string& hint) const = 0;
  virtual void add(Step step) = 0;

  // Backward:
  /// Makes a value available: computes it again if its array has been overwritten.
  virtual void make_available(const NetworkOperation& reader, int value) = 0;
  /// Checks that computing one of the values again has not overwritten another.
  virtual void check_kept(const NetworkOperation& reader, const std::vector<int>& values) const = 0;
  /// As make_available(), for the statistics of norm `index`.
  virtual void make_statistics_available(int index) = 0;
  /// Adds the step of a norm's statistics.
  virtual void statistics(int index, const std::string& again) = 0;
  /// Checks that the array of a value's gradient holds that gradient. Values of one name share an array.
  virtual void reads(const NetworkOperation& op, int value) const = 0;
  /// Records that the next step computes the gradient of a value.
  virtual void makes(int value) = 0;
  /// Checks that two gradients have different arrays.
  virtual void not_in_place(const NetworkOperation& op, int from, int to) const = 0;
  /// Checks that only this operation reads a value that does not belong to the residual stream.
  virtual void only_use(const NetworkOperation& op, int value) const = 0;
  /// Records that the next step is the first of a loss's backward, the gradient of `logits`.
  virtual void begin_backward(int logits) = 0;
  /// Records that the next step adds to the gradient of a value of the residual stream, which the first step of
  /// backward clears if nothing was added before.
  virtual void adds_to_stream(int value) = 0;
  /// Adds the gradient of a value through all these linears.
  virtual void input_gradient(int value, const std::vector<int>& through) = 0;
};

struct OperationRules {
  OperationKind kind;
  std::string_view name;  ///< the word in a file
  int listed = 100;       ///< position in messages that list all kinds
  /// Further keys in a file: `in`, `out`, `add`, `tokens`, `positions`, `segments`, `form`, `causal`, `p`. Only linears
  /// and dropouts may use `add`, which NetworkMaker checks.
  std::vector<std::string_view> keys = {"in", "out", "add"};
  bool loss = false;               ///< returns a loss, at which backward begins
  bool in_place = false;           ///< outputs lie in the arrays of inputs, unless it adds
  bool gradient_in_place = false;  ///< the gradient of the input takes the place of the output's, unless it adds
  std::string_view scratch = {};   ///< an array that only the gradient of the input uses; the lowering has its size
  /// Checks inputs and tensors, and makes the outputs of `op`, whose inputs are set.
  void (*make)(NetworkMaker& maker, const Blueprint::Operation& from, NetworkOperation& op);
  /// Adds the steps of forward. `again`: the end of their names, ".again" in backward.
  void (*forward)(ScheduleMaker& maker, int op, const std::string& again);
  void (*backward)(ScheduleMaker& maker, int op);
  /// The values and gradients that a step of this kind reads and writes.
  std::vector<ArrayUse> (*uses)(const Step& step, const NetworkOperation& op);
};

/// All kinds, in the order of `listed`.
std::span<const OperationRules* const> all_operations();
const OperationRules& rules_of(OperationKind kind);
/// The arrays that a step reads and writes; their lifetimes follow.
std::vector<ArrayUse> uses_of(const Step& step, const LayerGraph& network);

}  // namespace weft::network
