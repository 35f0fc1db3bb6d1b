/// Random networks: blocks of linears, element-wise functions, norms and attention, with all forms of positions,
/// repeated names, an arbitrary keep list. Many of them are invalid and are rejected by the reader. Compositions have
/// names of their own for each value, and follow the rules of the operations: nearly all of them are valid.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace weft::network {

class RandomNetwork {
 public:
  enum class Form { Any, Composition };

  explicit RandomNetwork(unsigned seed, Form form = Form::Any)
      : random_(seed), composition_(form == Form::Composition) {
    write();
  }

  std::string text;
  bool turns = false;          ///< has a rotation, so the model needs a rotary_dim
  bool shares = false;         ///< has keys or values that heads share
  bool segments = false;       ///< has embeddings of segments
  bool attends = false;        ///< has attention
  bool full = false;           ///< has attention that is not causal
  bool drops_weights = false;  ///< has attention with dropout of its weights
  int classes = 0;             ///< of a loss of classes or numbers

 private:
  enum Where : std::size_t { Before, Block, Behind };

  int pick(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }

  /// Name of a value; few per kind, so that some share an array. Some look like values that layer 0 keeps.
  std::string name(const std::vector<std::string>& some) {
    std::string name = some[static_cast<std::size_t>(pick(static_cast<int>(some.size())))];
    if (composition_) return *values_.insert(name + std::to_string(values_.size())).first;
    if (pick(3) == 0) name += std::to_string(pick(30));
    if (pick(6) == 0) name = "h.0." + name;
    values_.insert(name);
    return name;
  }
  std::string filter() { return name({"u", "g", "w", "z"}); }
  std::string head() { return name({"q", "k", "v", "o"}); }

  /// Name of an operation; occasionally one that exists already, with its tensors.
  std::string operation() {
    return fmt::format("op{}", !composition_ && count_ > 0 && pick(60) == 0 ? pick(count_) : count_++);
  }

  void tensor(const std::string& name, const std::string& shape) {
    if (tensors_[where_].find(name + ":") == std::string::npos)
      tensors_[where_] +=
          fmt::format("{}{}: {{shape: [{}], normal: 0.1}}\n", where_ == Block ? "    " : "  ", name, shape);
  }
  void add(const std::string& operation) {
    operations_[where_] += fmt::format("{}- {{{}}}\n", where_ == Block ? "      " : "  ", operation);
  }

  void linear(const std::string& in, const std::string& of, const std::string& out, const std::string& to,
              const std::string& added = "") {
    const std::string op = operation();
    tensor(op + ".weight", pick(2) == 0 ? of + ", " + to : to + ", " + of);
    if (pick(2) == 0) tensor(op + ".bias", to);
    const bool turned = of == to && pick(2) == 0;
    add(fmt::format("linear: {}, in: {}{}{}, out: {}", op, in, added.empty() ? "" : ", add: " + added,
                    turned ? ", form: out_in" : "", out));
  }
  void activation(const std::string& in, const std::string& out, bool hidden = false) {
    const char* const functions[] = {"gelu", "gelu_erf", "relu", "silu", "tanh", "scale"};
    const int first = composition_ && hidden ? 1 : 0;  // gelu has filter features
    const std::string function = functions[static_cast<std::size_t>(first + pick(6 - first))];
    add(fmt::format("{}: {}, in: {}, out: {}{}", function, operation(), in, out,
                    function == "scale" ? ", by: 0.7" : ""));
  }
  void product(const std::string& in, const std::string& in2, const std::string& out) {
    add(fmt::format("product: {}, in: [{}, {}], out: {}", operation(), in, in2, out));
  }

  /// Drops features of some values of compositions, in place.
  void some_dropout(const std::string& value) {
    if (composition_ && count_ % 4 == 2)
      add(fmt::format("dropout: {}, in: {}, out: {}, p: 0.{}", operation(), value, value, 1 + count_ % 6));
  }

  /// A linear that adds to the residual stream, directly or by way of a dropout.
  void add_to_stream(const std::string& in, const std::string& of, const std::string& out) {
    if (!composition_ || count_ % 3 != 1) return linear(in, of, out, "hidden", stream_);
    const std::string branch = hidden();
    linear(in, of, branch, "hidden");
    add(fmt::format("dropout: {}, in: {}, add: {}, out: {}, p: 0.{}", operation(), branch, stream_, out,
                    1 + count_ % 6));
  }

  std::string hidden() { return name({"a", "b", "c"}); }

  /// `in` may lie outside of the residual stream. Then only LayerNorm is valid.
  std::string norm(const std::string& in, bool rms) {
    const std::string op = operation(), out = name({"n", "m"});
    tensor(op + ".weight", "hidden");
    if (pick(3) > 0) tensor(op + ".bias", "hidden");
    add(fmt::format("norm: {}, in: {}, out: {}{}", op, in, out, rms ? ", form: rms" : ""));
    return out;
  }

  /// A linear of the residual stream, alone or with an element-wise function, a product or a norm.
  std::string branch() {
    std::string out = hidden();
    linear(stream_, "hidden", out, "hidden");
    if (pick(3) == 0) {
      const std::string in = out;
      activation(in, out = hidden(), true);
    }
    if (pick(4) == 0) {
      const std::string in = out, other = hidden();
      linear(stream_, "hidden", other, "hidden");
      product(in, other, out = hidden());
    }
    some_dropout(out);
    return pick(4) == 0 ? norm(out, !composition_ && pick(8) == 0) : out;
  }

  /// Input of a part of a block: the residual stream, its norm, or a branch of it.
  std::string source() {
    const int which = pick(5);
    return which < 2 ? stream_ : which == 4 ? branch() : norm(stream_, pick(2) == 0);
  }

  void mlp(const std::string& in, const std::string& out) {
    std::string last = filter();
    linear(in, "hidden", last, "filter");
    for (int more = pick(4); more > 0; more /= 2) {
      const std::string next = filter();
      more % 2 == 1 ? activation(last, next) : linear(last, "filter", next, "filter");
      last = next;
    }
    if (pick(4) == 0) {
      const std::string other = filter(), next = filter();
      linear(in, "hidden", other, "filter");
      product(last, other, next);
      last = next;
    }
    some_dropout(last);
    add_to_stream(last, "filter", out);
  }

  void attention(const std::string& in, const std::string& out) {
    const std::array<std::string, 3> qkv = {head(), head(), head()};
    if (pick(2) == 0) {
      const std::string op = operation();
      tensor(op + ".weight", pick(2) == 0 ? "hidden, 3 head" : "3 head, hidden");
      if (pick(2) == 0) tensor(op + ".bias", "3 head");
      add(fmt::format("linear: {}, in: {}, out: [{}]", op, in, fmt::join(qkv, ", ")));
    } else {
      const bool grouped = pick(3) > 0;
      for (const std::string& value : qkv)
        linear(in, "hidden", value, grouped && &value != qkv.data() ? "kv_head" : "head");
      shares |= grouped;
    }
    if (pick(2) == 0) {
      add(fmt::format("rotary: {0}, in: [{1}, {2}], out: [{1}, {2}]", operation(), qkv[0], qkv[1]));
      turns = true;
    }
    const std::string heads = head();
    const bool causal = pick(3) > 0;
    const bool drops = composition_ && count_ % 5 == 3;
    add(fmt::format("attention: {}, in: [{}], out: {}{}{}", operation(), fmt::join(qkv, ", "), heads,
                    causal ? "" : ", causal: false", drops ? fmt::format(", p: 0.{}", 1 + count_ % 6) : ""));
    attends = true, full |= !causal, drops_weights |= drops;
    add_to_stream(heads, "head", out);
  }

  /// Normalizes the sum s, as blocks of BERT do.
  void normalize_stream() {
    const std::string op = operation();
    tensor(op + ".weight", "hidden");
    if (pick(3) > 0) tensor(op + ".bias", "hidden");
    add(fmt::format("norm: {}, in: s, out: r", op));
    stream_ = "r";
  }

  /// Additions to the residual stream; a block ends with the name that it began with.
  void part(Where where, int additions) {
    where_ = where;
    const std::string first = stream_;
    for (std::string in = source(); additions > 0; --additions) {
      const std::string out = post_ ? "s" : where == Block && additions == 1 ? first : name({"x", "x", "x", "y"});
      const int which = pick(6);
      if (which < 3) {
        mlp(in, out);
      } else if (which < 5) {
        attention(in, out);
      } else {
        linear(composition_ && in == stream_ ? branch() : in, "hidden", out, "hidden", stream_);
      }
      stream_ = out;
      if (post_) normalize_stream();
      if (additions > 1 && pick(3) > 0) in = source();
    }
  }

  /// A loss of classes next to that of tokens, or one of numbers in its place.
  void further_loss(const std::string& in) {
    classes = count_ % 2 == 0 ? 1 : 3;
    tensor("classes.weight", "class, hidden"), tensor("classes.bias", "class");
    add("linear: classes, in: " + in + ", out: scores");
    add(classes == 1 ? "squared_error: numbers, in: scores" : "class_loss: pairs, in: scores");
  }

  void embed() {
    std::string tables = "tokens: wte.weight";
    tensor("wte.weight", "vocab, hidden");
    if (pick(3) > 0) tensor("wpe.weight", "position, hidden"), tables += ", positions: wpe.weight";
    segments = tables.ends_with("wpe.weight") && pick(3) == 0;
    if (segments) tensor("wse.weight", "segment, hidden"), tables += ", segments: wse.weight";
    add(fmt::format("embed: start, {}, out: {}", tables, stream_));
  }

  /// The head reads hidden features, or filter features that an element-wise function has made.
  void logits() {
    where_ = Behind;
    std::string in = source(), features = "hidden";
    if (count_ % 3 == 0) further_loss(in);
    if (classes == 1) return;
    if (pick(4) == 0) {
      const std::string up = filter();
      linear(in, features, up, "filter");
      activation(up, in = filter()), features = "filter";
    }
    tensor("head.weight", pick(2) == 0 ? "vocab, " + features : features + ", vocab");
    if (pick(3) == 0) tensor("head.bias", "vocab");
    add("linear: head, in: " + in + ", out: logits");
    add("loss: loss, in: logits");
  }

  void write() {
    post_ = pick(4) == 0;
    stream_ = post_ ? "s" : name({"x", "y"});
    embed();
    if (post_) normalize_stream();
    some_dropout(stream_);
    if (pick(2) == 0) part(Before, 1);
    if (pick(8) > 0) part(Block, 1 + pick(3));
    if (pick(2) == 0) part(Behind, 1);
    logits();
    std::vector<std::string> keep;
    const int much = pick(4);
    for (const std::string& value : values_)
      if (pick(3) < much) keep.push_back(value);
    const auto block = [&](const char* head, const std::string& text) { return text.empty() ? "" : head + text; };
    text = "network: random\ntensors:\n" + tensors_[Before] + block("  block:\n", tensors_[Block]) + tensors_[Behind] +
           "operations:\n" + operations_[Before] + block("  - block:\n", operations_[Block]) + operations_[Behind] +
           fmt::format("keep: [{}]\n", fmt::join(keep, ", "));
  }

  std::mt19937 random_;
  const bool composition_;
  Where where_ = Before;
  int count_ = 0;
  bool post_ = false;   ///< sums of the residual stream are normalized
  std::string stream_;  ///< present name of the residual stream
  std::array<std::string, 3> tensors_, operations_;
  std::set<std::string> values_;
};

}  // namespace weft::network
