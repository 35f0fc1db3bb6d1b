#include "sw/network/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "sw/base/refusal.hpp"

namespace weft {
namespace {

using Op = NetworkOperation;

class Scheduler {
 public:
  explicit Scheduler(const LayerGraph& network)
      : network_(network), gradients_(gradient_arrays(network)), consumers_(network.values.size()) {
    for (std::size_t op = 0; op < network.operations.size(); ++op)
      for (const int v : network.operations[op].in)
        consumers_[static_cast<std::size_t>(v)].push_back(static_cast<int>(op));
  }

  Schedule training() {
    for (std::size_t op = 0; op < network_.operations.size(); ++op) forward(static_cast<int>(op), "");
    schedule_.forward = schedule_.steps.size();
    forget();
    for (int op = static_cast<int>(network_.operations.size()) - 1; op >= 0; --op) backward(op);
    add({.kind = Step::Kind::Flags, .name = "flags"});
    return std::move(schedule_);
  }

  Schedule generation() {
    const int loss = static_cast<int>(network_.operations.size()) - 1;
    for (int op = 0; op < loss; ++op) forward(op, "");
    add({.kind = Step::Kind::Logits, .name = "logits", .op = loss, .value = operation(loss).in[0]});
    add({.kind = Step::Kind::Flags, .name = "flags"});
    schedule_.forward = schedule_.steps.size();
    return std::move(schedule_);
  }

 private:
  const Op& operation(int op) const { return network_.operations[static_cast<std::size_t>(op)]; }
  /// The forward phase that computes output n: "h.0.attn.c_attn.q", or the operation's name if it has one output.
  std::string output(const Op& op, std::size_t n) const {
    return op.out.size() == 1 ? op.name : op.name + "." + network_.value(op.out[n]).name;
  }
  const std::string& gradient(int v) const { return gradients_[static_cast<std::size_t>(v)]; }
  const std::vector<int>& consumers(int v) const { return consumers_[static_cast<std::size_t>(v)]; }
  void add(Step step) { schedule_.steps.push_back(std::move(step)); }

  /// "wte" of the tensor "wte.weight".
  static std::string table(const std::string& tensor) {
    constexpr std::string_view kWeight = ".weight";
    return tensor.ends_with(kWeight) ? tensor.substr(0, tensor.size() - kWeight.size()) : tensor;
  }

  [[noreturn]] void fail(const Op& op, const std::string& problem, const std::string& hint) const {
    throw Refusal("model.network", fmt::format("{}: {}", op.name, problem), hint)
        .at(fmt::format("{}:{}", network_.file, op.line));
  }

  void forward(int index, const std::string& again) {
    const Op& op = operation(index);
    using Kind = Op::Kind;
    switch (op.kind) {
      case Kind::Embed:
        add({.kind = Step::Kind::Embed, .name = op.name, .op = index});
        break;
      case Kind::Norm:
        if (again.empty()) statistics(index, "");
        add({.kind = Step::Kind::Affine, .name = op.name + ".affine" + again, .op = index});
        break;
      case Kind::Linear:
        for (std::size_t n = 0; n < op.out.size(); ++n)
          add({.kind = Step::Kind::Linear, .name = output(op, n) + again, .op = index, .n = static_cast<int>(n)});
        break;
      case Kind::Gelu:
        add({.kind = Step::Kind::Gelu, .name = op.name + again, .op = index});
        break;
      case Kind::Rotary:
        add({.kind = Step::Kind::Rotary, .name = op.name + again, .op = index});
        break;
      case Kind::Attention:
        add({.kind = Step::Kind::Attention, .name = op.name + again, .op = index});
        break;
      case Kind::Loss:
        add({.kind = Step::Kind::Loss, .name = op.name, .op = index});
        break;
    }
    for (const int v : op.out) last_[array_of(network_, v)] = v;
  }

  /// Makes a value available to backward: computes it again if its array has been overwritten.
  void want(const Op& reader, int v) {
    const NetworkValue& value = network_.value(v);
    if (has(array_of(network_, v), v)) return;
    const Op& maker = operation(value.maker);
    if (is_stream(network_, v) && (maker.add < 0 || array_of(network_, maker.add) == array_of(network_, v)))
      fail(reader, fmt::format("backward reads {} when it is another", value.name),
           reader.keeps ? value.kept ? "give the result another name, and name that in keep:, too"
                                     : fmt::format("name {} in keep:, and the result differently", value.name)
                        : "give each sum of a block another name, or use model.recompute none");
    if (maker.kind == Op::Kind::Norm) {
      want_statistics(value.maker);
    } else {
      for (const int in : maker.in) want(maker, in);
      if (maker.add >= 0) want(maker, maker.add);
      still(maker, maker.in);
    }
    forward(value.maker, ".again");
  }
  bool has(const std::string& array, int v) const {
    const auto at = last_.find(array);
    return at != last_.end() && at->second == v;
  }
  /// Checks that computing one of the values again has not overwritten another.
  void still(const Op& reader, const std::vector<int>& values) const {
    for (const int v : values)
      if (!has(array_of(network_, v), v))
        fail(reader, fmt::format("backward reads {} when it is another", network_.value(v).name),
             "give the arrays that it is made from other names");
  }
  /// Makes a norm's statistics available to backward; last_ records them by the norm's output.
  void want_statistics(int index) {
    const Op& norm = operation(index);
    if (has(xhat_of(norm), norm.out[0])) return;
    want(norm, norm.in[0]);
    statistics(index, ".again");
  }
  void statistics(int index, const std::string& again) {
    const Op& norm = operation(index);
    add({.kind = Step::Kind::Norm, .name = norm.name + again, .op = index});
    last_[xhat_of(norm)] = norm.out[0];
  }
  /// Forgets values in shared memory, which do not outlive forward.
  void forget() {
    std::erase_if(last_, [&](const auto& entry) {
      const NetworkValue& value = network_.value(entry.second);
      const bool norm = operation(value.maker).kind == Op::Kind::Norm;
      return !value.kept && !norm && !is_stream(network_, entry.second);
    });
  }

  void backward(int index) {
    const Op& op = operation(index);
    using Kind = Op::Kind;
    switch (op.kind) {
      case Kind::Loss:
        loss_ = schedule_.steps.size();
        add({.kind = Step::Kind::LossBack, .name = op.name + ".dx", .op = index, .value = op.in[0]});
        begun_[gradient(op.in[0])] = true;
        makes(op.in[0]);
        break;
      case Kind::Linear:
        linear(index, op);
        break;
      case Kind::Gelu:
        only_use(op, op.in[0]);
        want(op, op.in[0]);
        reads(op, op.out[0]), makes(op.in[0]);
        add({.kind = Step::Kind::GeluBack, .name = op.name + ".dx", .op = index});
        break;
      case Kind::Rotary:
        for (const int v : op.in) only_use(op, v);
        for (const int v : op.out) reads(op, v);
        for (const int v : op.in) makes(v);
        add({.kind = Step::Kind::RotaryBack, .name = op.name + ".dx", .op = index});
        break;
      case Kind::Attention:
        for (const int v : op.in) only_use(op, v), want(op, v);
        still(op, op.in);
        reads(op, op.out[0]);
        for (const int v : op.in) not_in_place(op, op.out[0], v), makes(v);
        for (const int v : op.in) reads(op, v);  // their arrays must differ
        add({.kind = Step::Kind::AttentionBack, .name = op.name + ".dx", .op = index});
        break;
      case Kind::Norm:
        norm(index, op);
        break;
      case Kind::Embed:
        for (std::size_t n = 0; n < op.tensors.size(); ++n)
          add({.kind = Step::Kind::EmbedGradient,
               .name = table(network_.tensor(op, n).name) + ".dw",
               .op = index,
               .n = static_cast<int>(n)});
        break;
    }
  }

  /// Checks that the array of v's gradient holds it when a step of backward reads it: values of the same name share an
  /// array for their gradients, too.
  void reads(const Op& op, int v) const {
    const auto at = gradient_of_.find(gradient(v));
    if (is_stream(network_, v) || (at != gradient_of_.end() && at->second == v)) return;
    fail(op, fmt::format("the gradient of {} is another's when it is read", network_.value(v).name),
         "give values that are needed at once different names");
  }
  void makes(int v) { gradient_of_[gradient(v)] = v; }
  void not_in_place(const Op& op, int from, int to) const {
    if (gradient(from) != gradient(to)) return;
    fail(op,
         fmt::format("the gradients of {} and {} are one array", network_.value(from).name, network_.value(to).name),
         "give values that are needed at once different names");
  }

  void only_use(const Op& op, int v) const {
    if (consumers(v).size() == 1 && !is_stream(network_, v)) return;
    fail(op, fmt::format("{} has other uses, too", network_.value(v).name),
         "let only norms and linears share an input");
  }

  void linear(int index, const Op& op) {
    const int v = op.in[0];
    if (op.add >= 0 && std::ranges::any_of(consumers(op.add), [&](int user) { return user > index; }))
      fail(op, fmt::format("{} is read again after it was added", network_.value(op.add).name), "read the sum");
    if (op.add >= 0 && !is_stream(network_, op.add))
      fail(op, fmt::format("{} is not the residual stream", network_.value(op.add).name), "add to the output of embed");
    want(op, v);
    for (std::size_t n = 0; n < op.out.size(); ++n) {
      reads(op, op.out[n]);
      add({.kind = Step::Kind::WeightGradient, .name = output(op, n) + ".dw", .op = index, .n = static_cast<int>(n)});
    }
    const bool stream = is_stream(network_, v);
    if (stream || consumers(v).front() == index) input_gradient(v, stream ? std::vector<int>{index} : consumers(v));
  }

  /// "h.0.mlp.c_proj.dx"; "h.0.ln_1.dy" through several linears, whose common input is the output of ln_1.
  std::string input_gradient_name(int v, const std::vector<int>& through) const {
    if (through.size() == 1) return operation(through.front()).name + ".dx";
    const Op& maker = operation(network_.value(v).maker);
    return output(maker, static_cast<std::size_t>(std::ranges::find(maker.out, v) - maker.out.begin())) + ".dy";
  }

  void input_gradient(int v, const std::vector<int>& through) {
    for (const int op : through)
      if (operation(op).kind != Op::Kind::Linear) only_use(operation(op), v);
    for (const int op : through)
      for (const int out : operation(op).out) reads(operation(op), out), not_in_place(operation(op), out, v);
    makes(v);
    // All matrices of a descriptor have one stride: [in, out] with the same number of outputs, or [out, in].
    std::vector<std::vector<int>> alike;
    for (const int op : through) {
      const auto same = std::ranges::find_if(alike, [&](const auto& group) {
        const Op &a = operation(op), &b = operation(group.front());
        return a.out_by_in == b.out_by_in &&
               (a.out_by_in ||
                (a.out.size() == b.out.size() && network_.value(a.out[0]).role == network_.value(b.out[0]).role));
      });
      same == alike.end() ? alike.push_back({op}) : same->push_back(op);
    }
    bool& begun = begun_[gradient(v)];
    begun &= is_stream(network_, v);
    for (std::size_t n = 0; n < alike.size(); ++n) {
      add({.kind = Step::Kind::InputGradient,
           .name = input_gradient_name(v, alike[n]),
           .op = alike[n].front(),
           .value = v,
           .adds = begun,
           .through = alike[n]});
      begun = true;
    }
    begun = is_stream(network_, v);
  }

  void norm(int index, const Op& op) {
    const int in = op.in[0];
    if (!is_stream(network_, in)) fail(op, "its input is not the residual stream", "normalize the output of embed");
    want_statistics(index);
    reads(op, op.out[0]);
    add({.kind = Step::Kind::ScaleGradient, .name = op.name + ".dw", .op = index});
    bool& begun = begun_[gradient(in)];
    if (!begun) schedule_.steps[loss_].clears.push_back(in);
    begun = true;
    add({.kind = Step::Kind::NormBack, .name = op.name + ".dx", .op = index});
  }

  const LayerGraph& network_;
  const std::vector<std::string> gradients_;
  std::vector<std::vector<int>> consumers_;  // [value]: operations that read it, in order
  std::map<std::string, int> last_;          // [array]: the value it holds
  std::map<std::string, int> gradient_of_;   // [gradient's array]: the value whose gradient it holds
  std::map<std::string, bool> begun_;        // [gradient's array]: it holds a sum to which others are added
  std::size_t loss_ = 0;
  Schedule schedule_;
};

}  // namespace

Schedule training_schedule(const LayerGraph& network) { return Scheduler(network).training(); }
Schedule generation_schedule(const LayerGraph& network) { return Scheduler(network).generation(); }

}  // namespace weft
