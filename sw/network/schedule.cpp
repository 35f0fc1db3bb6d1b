#include "sw/network/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "sw/base/refusal.hpp"
#include "sw/network/arrays.hpp"
#include "sw/network/operations.hpp"

namespace weft::network {
namespace {

using Op = NetworkOperation;

class Scheduler final : public ScheduleMaker {
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
    for (int op = static_cast<int>(network_.operations.size()) - 1; op >= 0; --op)
      rules_of(operation(op).kind).backward(*this, op);
    add({.kind = Step::Kind::Flags, .name = "flags"});
    return std::move(schedule_);
  }

  Schedule generation() {
    const int loss = static_cast<int>(network_.operations.size()) - 1;
    for (int op = 0; op < loss; ++op)
      if (!rules_of(operation(op).kind).loss) forward(op, "");
    add({.kind = Step::Kind::Logits, .name = "logits", .op = loss, .value = operation(loss).in[0]});
    add({.kind = Step::Kind::Flags, .name = "flags"});
    schedule_.forward = schedule_.steps.size();
    return std::move(schedule_);
  }

  const LayerGraph& network() const override { return network_; }
  const std::vector<int>& consumers(int v) const override { return consumers_[static_cast<std::size_t>(v)]; }
  void add(Step step) override { schedule_.steps.push_back(std::move(step)); }

  [[noreturn]] void fail(const Op& op, const std::string& problem, const std::string& hint) const override {
    throw Refusal("model.network", fmt::format("{}: {}", op.name, problem), hint)
        .at(fmt::format("{}:{}", network_.file, op.line));
  }

  void make_available(const Op& reader, int v) override {
    const NetworkValue& value = network_.value(v);
    if (has(array_of(network_, v), v)) return;
    const Op &maker = operation(value.maker), &source = operation(network_.value(source_of(network_, v)).maker);
    if (is_stream(network_, v) && source.kind != Op::Kind::Norm &&
        (maker.add < 0 || array_of(network_, maker.add) == array_of(network_, v)))
      fail(reader, fmt::format("backward reads {} after its place has another value", value.name),
           reader.keeps ? value.kept ? "give the result another name, and name that in keep:, too"
                                     : fmt::format("name {} in keep:, and the result differently", value.name)
                        : "give each sum of a block another name, or use model.recompute none");
    if (maker.kind == Op::Kind::Norm) {
      make_statistics_available(value.maker);
    } else {
      for (const int in : maker.in) make_available(maker, in);
      if (maker.add >= 0) make_available(maker, maker.add);
      check_kept(maker, maker.in);
    }
    forward(value.maker, ".again");
  }
  void check_kept(const Op& reader, const std::vector<int>& values) const override {
    for (const int v : values)
      if (!has(array_of(network_, v), v))
        fail(reader, fmt::format("backward reads {} after its place has another value", network_.value(v).name),
             "give the arrays that it is made from other names");
  }
  /// last_ records statistics by the norm's output.
  void make_statistics_available(int index) override {
    const Op& norm = operation(index);
    if (has(xhat_of(norm), norm.out[0])) return;
    make_available(norm, norm.in[0]);
    statistics(index, ".again");
  }
  void statistics(int index, const std::string& again) override {
    const Op& norm = operation(index);
    add({.kind = Step::Kind::Statistics, .name = norm.name + again, .op = index});
    last_[xhat_of(norm)] = norm.out[0];
  }
  void reads(const Op& op, int v) const override {
    const auto at = gradient_of_.find(gradient(v));
    if (is_stream(network_, v) || (at != gradient_of_.end() && at->second == v)) return;
    fail(op, fmt::format("the gradient of {} is overwritten before it is read", network_.value(v).name),
         "give values that are needed at once different names");
  }
  void makes(int v) override { gradient_of_[gradient(v)] = v; }
  void not_in_place(const Op& op, int from, int to) const override {
    if (gradient(from) != gradient(to)) return;
    fail(op,
         fmt::format("the gradients of {} and {} are one array", network_.value(from).name, network_.value(to).name),
         "give values that are needed at once different names");
  }

  void only_use(const Op& op, int v) const override {
    if (consumers(v).size() == 1 && !is_stream(network_, v)) return;
    fail(op, fmt::format("{} also has other uses", network_.value(v).name),
         "let only norms and linears share an input");
  }

  void begin_backward(int logits) override {
    if (!first_) first_ = schedule_.steps.size();
    begun_[gradient(logits)] = true;
    makes(logits);
  }

  void adds_to_stream(int v) override {
    bool& begun = begun_[gradient(v)];
    if (!begun) schedule_.steps[*first_].clears.push_back(v);
    begun = true;
  }

  void input_gradient(int v, const std::vector<int>& through) override {
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
               (a.out_by_in || network_.tensor(a, 0).shape[1] == network_.tensor(b, 0).shape[1]);
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

 private:
  const std::string& gradient(int v) const { return gradients_[static_cast<std::size_t>(v)]; }

  void forward(int index, const std::string& again) {
    const Op& op = operation(index);
    rules_of(op.kind).forward(*this, index, again);
    for (const int v : op.out) last_[array_of(network_, v)] = v;
  }

  bool has(const std::string& array, int v) const {
    const auto at = last_.find(array);
    return at != last_.end() && at->second == v;
  }

  /// Forgets values in shared memory, which do not outlive forward.
  void forget() {
    std::erase_if(last_, [&](const auto& entry) {
      const NetworkValue& value = network_.value(entry.second);
      const bool norm = operation(value.maker).kind == Op::Kind::Norm;
      return !value.kept && !norm && !is_stream(network_, entry.second);
    });
  }

  /// "h.0.mlp.c_proj.dx"; "h.0.ln_1.dy" through several linears, whose common input is the output of ln_1.
  std::string input_gradient_name(int v, const std::vector<int>& through) const {
    if (through.size() == 1) return operation(through.front()).name + ".dx";
    const Op& maker = operation(network_.value(v).maker);
    return output(maker, static_cast<std::size_t>(std::ranges::find(maker.out, v) - maker.out.begin())) + ".dy";
  }

  const LayerGraph& network_;
  const std::vector<std::string> gradients_;
  std::vector<std::vector<int>> consumers_;  // [value]: operations that read it, in order
  std::map<std::string, int> last_;          // [array]: the value it holds
  std::map<std::string, int> gradient_of_;   // [gradient's array]: the value whose gradient it holds
  std::map<std::string, bool> begun_;        // [gradient's array]: it holds a sum to which others are added
  std::optional<std::size_t> first_;         // step of backward
  Schedule schedule_;
};

}  // namespace

Schedule training_schedule(const LayerGraph& network) { return Scheduler(network).training(); }
Schedule generation_schedule(const LayerGraph& network) { return Scheduler(network).generation(); }

}  // namespace weft::network
