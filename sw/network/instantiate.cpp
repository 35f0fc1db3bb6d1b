#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sw/base/refusal.hpp"
#include "sw/network/arrays.hpp"
#include "sw/network/blueprint.hpp"
#include "sw/network/operations.hpp"

namespace weft::network {
namespace {

using Kind = NetworkOperation::Kind;

class Instance final : public NetworkMaker {
 public:
  Instance(const Blueprint& blueprint, const NetworkSizes& sizes) : blueprint_(blueprint), sizes_(sizes) {
    network_.name = blueprint.name;
    network_.file = blueprint.file;
    network_.kernels = blueprint.kernels;
    each(blueprint.tensors, [&](const Blueprint::Tensor& t, int layer) { add(t, layer); });
    each(blueprint.operations, [&](const Blueprint::Operation& op, int layer) { add(op, layer); });
    const auto& ops = network_.operations;
    if (ops.empty() || ops.front().kind != Kind::Embed || !rules_of(ops.back().kind).loss)
      throw Refusal("model.network", blueprint.file + " does not begin with embed and end with loss",
                    "put embed first and loss last");
    for (const Kind once : {Kind::Embed, Kind::Loss, Kind::ClassLoss, Kind::SquaredError})
      if (std::ranges::count(ops, once, &NetworkOperation::kind) > 1)
        throw Refusal("model.network", blueprint.file + " has more than one embed or loss", "leave one of each");
    check_losses();
    find_unread();
    find_unused();
    for (const std::string& name : blueprint.keep)
      if (!sort_of_.contains(name))
        throw Refusal("model.network", fmt::format("keep names {}, which no operation makes", name),
                      "name what an operation has as out:")
            .at(fmt::format("{}:{}", blueprint.file, blueprint.keep_line));
    scale_residual();
    if (sizes.recompute == Recompute::Block) keep_blocks();
    find_one_array_of_two();
  }
  LayerGraph take() { return std::move(network_); }

  [[noreturn]] void fail(const Blueprint::Operation& op, const std::string& problem,
                         const std::string& hint) const override {
    throw Refusal("model.network", fmt::format("{}: {}", op.name, problem), hint)
        .at(fmt::format("{}:{}", blueprint_.file, op.line));
  }

  int tensor(const Blueprint::Operation& op, const std::string& name, bool wanted) const override {
    const auto at = tensor_of_.find(name);
    if (at != tensor_of_.end()) return at->second;
    if (wanted) fail(op, "there is no tensor " + name, "add it to tensors:");
    return -1;
  }
  int tensor(const Blueprint::Operation& op, const std::string& name,
             const std::vector<NetworkTensor::Axis>& shape) const override {
    const int t = tensor(op, name, true);
    const auto& has = tensor(t).shape;
    if (has != shape) fail(op, fmt::format("{} is {}, not {}", name, text(has), text(shape)), "correct shape:");
    return t;
  }
  const NetworkTensor& tensor(int index) const override { return network_.tensors[static_cast<std::size_t>(index)]; }
  Role role(int v) const override { return network_.value(v).role; }

  int make(const Blueprint::Operation& op, int layer, const std::string& name, Role role) override {
    NetworkValue v{.name = name, .role = role, .layer = layer};
    v.maker = static_cast<int>(network_.operations.size());
    v.kept = std::ranges::find(blueprint_.keep, name) != blueprint_.keep.end();
    if (from_in(op, name)) fail(op, fmt::format("makes {} in the place of its input", name), "give out: another name");
    const bool of_another = name.starts_with('d') && sort_of_.contains(name.substr(1));
    if (of_another || sort_of_.contains("d" + name))
      fail(op, fmt::format("{} and {}: one is the other's gradient", name, of_another ? name.substr(1) : "d" + name),
           "give it another name");
    const bool scratch =
        std::ranges::count(all_operations(), name, [](const auto* rules) { return rules->scratch; }) > 0;
    if (scratch || name == "delta_scaled") fail(op, name + " is reserved for kernels", "give it another name");
    const auto kind_of = [](const Blueprint::Operation& o) {
      return o.kind == Kind::Norm ? 1 : o.kind == Kind::Embed || !o.add.empty() ? 2 : 0;
    };
    const auto [known, fresh] = sort_of_.emplace(name, kind_of(op));
    const bool stays = op.kind == Kind::Dropout && op.add.empty();  // in the array of its input
    if (!fresh && !stays && known->second != kind_of(op))
      fail(op, fmt::format("{} is the output of a norm, or the residual stream", name), "give it another name");
    const auto same = std::ranges::find(network_.values, name, &NetworkValue::name);
    if (same != network_.values.end() && same->role != role)
      fail(op, fmt::format("{} has different features in another operation", name), "give it another name");
    network_.values.push_back(std::move(v));
    return value_of_[name] = static_cast<int>(network_.values.size()) - 1;
  }

 private:
  /// Calls f(item, layer) for all items in order: for items of the block once per layer, for others with layer -1.
  template <class List, class F>
  void each(const List& list, const F& f) {
    for (std::size_t first = 0; first < list.size();) {
      std::size_t end = first;
      while (end < list.size() && list[end].block == list[first].block) ++end;
      for (int layer = 0; layer < (list[first].block ? sizes_.layers : 1); ++layer)
        for (std::size_t k = first; k < end; ++k) f(list[k], list[first].block ? layer : -1);
      first = end;
    }
  }

  static std::string prefix(int layer) { return layer < 0 ? "" : fmt::format("h.{}.", layer); }

  [[noreturn]] void fail(const Blueprint::Tensor& t, const std::string& problem, const std::string& hint) const {
    throw Refusal("model.network", fmt::format("{}: {}", t.tensor.name, problem), hint)
        .at(fmt::format("{}:{}", blueprint_.file, t.line));
  }

  [[noreturn]] void fail(const NetworkOperation& op, const std::string& problem, const std::string& hint) const {
    throw Refusal("model.network", fmt::format("{}: {}", op.name, problem), hint)
        .at(fmt::format("{}:{}", blueprint_.file, op.line));
  }

  void add(const Blueprint::Tensor& t, int layer) {
    const std::string name = prefix(layer) + t.tensor.name;
    if (!t.tied.empty() && sizes_.tied) {
      const auto other = tensor_of_.find(t.tied);
      if (other == tensor_of_.end())
        fail(t, fmt::format("is tied to {}, which is not defined above", t.tied), "correct tied:");
      const auto& shape = network_.tensors[static_cast<std::size_t>(other->second)].shape;
      if (shape != t.tensor.shape)
        fail(t, fmt::format("is tied to {}, which has another shape", t.tied), "correct tied:");
      tensor_of_[name] = other->second;
      return;
    }
    if (!tensor_of_.emplace(name, static_cast<int>(network_.tensors.size())).second)
      fail(t, "occurs twice", "remove one");
    network_.tensors.push_back(t.tensor);
    network_.tensors.back().name = name;
    written_.push_back(&t);
  }

  /// A shape as in a file: [hidden, 3 hidden].
  static std::string text(const std::vector<NetworkTensor::Axis>& shape) {
    std::string all;
    for (const NetworkTensor::Axis& axis : shape)
      all += fmt::format("{}{}{}", all.empty() ? "" : ", ", axis.times > 1 ? fmt::format("{} ", axis.times) : "",
                         kRoleNames[static_cast<std::size_t>(axis.role)]);
    return "[" + all + "]";
  }
  int value(const Blueprint::Operation& op, const std::string& name) const {
    const auto at = value_of_.find(name);
    if (at == value_of_.end()) fail(op, "no operation above makes " + name, "name what an operation above has as out:");
    return at->second;
  }

  static bool from_in(const Blueprint::Operation& op, const std::string& name) {
    return (!rules_of(op.kind).in_place || !op.add.empty()) && std::ranges::count(op.in, name) > 0;
  }

  void add(const Blueprint::Operation& from, int layer) {
    NetworkOperation op{.kind = from.kind, .name = prefix(layer) + from.name, .layer = layer};
    op.line = from.line;
    op.function = from.function;
    op.by = from.by;
    for (const std::string& name : from.in) op.in.push_back(value(from, name));
    if (!from.add.empty()) {
      if (from.kind != Kind::Linear && from.kind != Kind::Dropout)
        fail(from, "only a linear or a dropout adds", "remove add:");
      op.add = value(from, from.add);
    }
    rules_of(op.kind).make(*this, from, op);
    if (op.kind == Kind::Dropout || op.p > 0) op.site = sites_++;
    network_.operations.push_back(std::move(op));
  }

  /// Rejects values that nothing reads, which would have no gradient, and values added twice, which would have two.
  void find_unread() const {
    std::vector<int> read(network_.values.size()), added(network_.values.size());
    for (const NetworkOperation& op : network_.operations) {
      for (const int v : op.in) ++read[static_cast<std::size_t>(v)];
      if (op.add < 0) continue;
      if (++added[static_cast<std::size_t>(op.add)] > 1)
        fail(op, fmt::format("{} is added twice", network_.value(op.add).name), "add the array that was made from it");
    }
    for (std::size_t v = 0; v < read.size(); ++v)
      if (read[v] + added[v] == 0)
        fail(network_.operations[static_cast<std::size_t>(network_.values[v].maker)],
             fmt::format("nothing reads {}", network_.values[v].name), "remove it");
  }

  /// Rejects losses whose labels have no place in a sample, and inputs of a loss whose array has another value before
  /// backward begins there.
  void check_losses() const {
    for (const NetworkOperation& op : network_.operations) {
      if (!rules_of(op.kind).loss || &op == &network_.operations.back()) continue;
      if (op.kind != Kind::ClassLoss || network_.operations.back().kind != Kind::Loss)
        fail(op, "two losses are a class_loss, and a loss at the end", "leave one loss, or order them so");
      const std::string& name = network_.value(op.in[0]).name;
      if (std::ranges::count(network_.values, name, &NetworkValue::name) > 1)
        fail(op, fmt::format("{} is also the name of another value", name), "give the input of this loss its own name");
    }
  }

  /// Rejects tensors that no operation uses: nothing would train them. The usual cause is a mistyped name, as of a
  /// bias.
  void find_unused() const {
    std::vector<bool> used(network_.tensors.size());
    for (const NetworkOperation& op : network_.operations)
      for (const int t : op.tensors) used[static_cast<std::size_t>(t)] = true;
    const auto unused = std::ranges::find(used, false);
    if (unused != used.end())
      fail(*written_[static_cast<std::size_t>(unused - used.begin())], "no operation uses it",
           "remove it, or call it as an operation, with .weight or .bias behind");
  }

  /// Radford et al. 2019: projections into the residual stream shrink with the number of additions to it.
  void scale_residual() {
    const auto additions = std::ranges::count_if(network_.operations, [](const auto& op) { return op.add >= 0; });
    for (NetworkTensor& t : network_.tensors)
      if (t.residual && additions > 0)
        t.normal = static_cast<float>(t.normal) / std::sqrt(static_cast<float>(additions));
  }

  /// Keeps of the residual stream only the value with which each block begins; outside of blocks, keeps values as the
  /// file requires.
  void keep_blocks() {
    for (NetworkValue& v : network_.values) v.kept &= v.layer < 0;
    int stream = -1;
    for (NetworkOperation& op : network_.operations) {
      if (op.layer >= 0) op.keeps = false;
      if (stream >= 0 && op.layer >= 0 && network_.value(stream).layer != op.layer)
        for (int v = stream;; v = network_.operations[static_cast<std::size_t>(network_.value(v).maker)].in[0]) {
          network_.values[static_cast<std::size_t>(v)].kept = true;
          if (v == source_of(network_, v)) break;
        }
      if (!op.out.empty() && is_stream(network_, op.out[0])) stream = op.out[0];
    }
  }

  /// Rejects two arrays of the same name. Names may have dots: "h.0.q" could be a value, or the q that layer 0 keeps.
  void find_one_array_of_two() const {
    std::map<std::string, std::string> owners;  // [array]
    const auto own = [&](const NetworkOperation& op, const std::string& array, const std::string& owner) {
      const std::string& other = owners.emplace(array, owner).first->second;
      if (other != owner)
        fail(op, fmt::format("{} and {} are one array, {}", owner, other, array), "give one of them another name");
    };
    for (const NetworkOperation& op : network_.operations) {
      if (op.kind == Kind::Norm) {
        own(op, xhat_of(op), fmt::format("the values that norm {} keeps", op.name.substr(prefix(op.layer).size())));
        own(op, rstd_of(op), fmt::format("the values that norm {} keeps", op.name.substr(prefix(op.layer).size())));
      }
      if (rules_of(op.kind).in_place && op.add < 0) continue;
      for (const int v : op.out) {
        const NetworkValue& value = network_.value(v);
        const std::string where = value.layer < 0 ? op.name : fmt::format("layer {}", value.layer);
        // Checked for all values, kept or not: recompute keeps less, generation more.
        own(op, fmt::format("{}.{}", value.layer < 0 ? op.name : fmt::format("h.{}", value.layer), value.name),
            fmt::format("the values that {} keeps of {}", where, value.name));
        if (!value.kept) own(op, value.name, value.name);
        own(op, "d" + value.name, "the gradient of " + value.name);
      }
    }
  }

  const Blueprint& blueprint_;
  NetworkSizes sizes_;
  LayerGraph network_;
  std::vector<const Blueprint::Tensor*> written_;  // [tensor]: its entry in the file
  std::map<std::string, int> tensor_of_, value_of_, sort_of_;
  int sites_ = 0;  // operations that drop, so far
};

}  // namespace

LayerGraph instantiate(const Blueprint& blueprint, const NetworkSizes& sizes) {
  if (sizes.residual_dropout == 0 && sizes.embedding_dropout == 0 && sizes.attention_dropout == 0)
    return Instance(blueprint, sizes).take();
  Blueprint dropping = blueprint;
  insert_dropout(dropping, sizes);
  return Instance(dropping, sizes).take();
}

}  // namespace weft::network
