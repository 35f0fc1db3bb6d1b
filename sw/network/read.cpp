#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <memory>
#include <set>
#include <string_view>
#include <system_error>

#include "sw/base/refusal.hpp"
#include "sw/network/blueprint.hpp"
#include "sw/network/operations.hpp"
#include "sw/network/yaml_fault.hpp"

namespace weft::network {
namespace {

/// Keys of operations besides the operations' own words.
constexpr std::string_view kKeys[] = {"in",       "out",  "add",    "tokens", "positions",
                                      "segments", "form", "causal", "by",     "p"};

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) {
    blueprint_.file = file;
    const std::string whole(text);
    try {
      if (const auto fault = yaml_fault(whole)) fail(fault->line - 1, fault->problem, fault->hint);
      const YAML::Node root = YAML::Load(whole);
      only(root, {"network", "tensors", "kernels", "operations", "keep"});
      blueprint_.name = word(root, "network");
      tensors(at(root, "tensors"), false);
      if (root["kernels"]) kernels(filled(root, "kernels"));
      operations(at(root, "operations"), false);
      if (root["keep"]) {
        blueprint_.keep = words(filled(root, "keep"));
        blueprint_.keep_line = root["keep"].Mark().line + 1;
      }
    } catch (const YAML::Exception& e) {
      if (const auto tab = yaml_tab(whole, e.mark.line + 1)) fail(tab->line - 1, tab->problem, tab->hint);
      fail(e.mark.line, "not YAML: " + e.msg, "check indentation, quotes and brackets");
    }
  }
  Blueprint take() { return std::move(blueprint_); }

 private:
  [[noreturn]] void fail(int line, const std::string& problem, const std::string& hint) const {
    throw Refusal("model.network", problem, hint).at(fmt::format("{}:{}", blueprint_.file, std::max(line, 0) + 1));
  }

  YAML::Node at(const YAML::Node& map, const std::string& key) const {
    if (!map.IsMap() || !map[key])
      fail(map.Mark().line, fmt::format("{} is missing", key), fmt::format("add {}:", key));
    return map[key];
  }
  std::string scalar(const YAML::Node& node) const {
    if (!node.IsScalar()) fail(node.Mark().line, "a name is missing", "write one word");
    return node.Scalar();
  }
  /// The name of a tensor, value or operation, of characters that phases, files and debuggers allow in names.
  std::string name(const YAML::Node& node) const {
    std::string text = scalar(node);
    const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.'; };
    if (text.empty() || text.size() > 200 || !std::ranges::all_of(text, fits))
      fail(node.Mark().line, fmt::format("\"{}\" is not a name", one_line(text, 40)),
           "use letters, digits, _ and ., 200 at most");
    return text;
  }
  std::string word(const YAML::Node& map, const std::string& key) const { return name(filled(map, key)); }
  /// The value of a key. Rejects an empty value, at the line of the key: an empty node has the mark of the next one.
  YAML::Node filled(const YAML::Node& map, const std::string& key) const {
    const YAML::Node node = at(map, key);
    if (!node.IsNull()) return node;
    for (const auto& entry : map)
      if (entry.first.IsScalar() && entry.first.Scalar() == key)
        fail(entry.first.Mark().line, fmt::format("{} is empty", key), "write one word");
    return node;
  }
  /// A word, or a list of them.
  std::vector<std::string> words(const YAML::Node& node) const {
    if (!node.IsSequence()) return {name(node)};
    std::vector<std::string> list;
    for (const YAML::Node& one : node) list.push_back(name(one));
    return list;
  }
  double number(const YAML::Node& node) const {
    try {
      const double x = node.as<double>();
      if (std::abs(x) <= 1e30) return x;  // no infinity, no NaN
    } catch (const YAML::Exception&) {
    }
    fail(node.Mark().line, "a number is missing", "write one, as 0.02");
  }
  double probability(const YAML::Node& node) const {
    const double p = number(node);
    if (p < 0 || p > kMostDropout)
      fail(node.Mark().line, fmt::format("{:g} is not in 0..{:g}", p, kMostDropout), "write the part to drop, as 0.1");
    return p;
  }
  bool truth(const YAML::Node& node) const {
    bool value = false;
    if (!YAML::convert<bool>::decode(node, value))
      fail(node.Mark().line, "true or false is missing", "write one of them");
    return value;
  }
  /// Rejects other keys, and keys given twice. `where`: the reason for the message, as " of norm".
  void only(const YAML::Node& map, std::vector<std::string_view> keys, const std::string& where = "") const {
    if (!map.IsMap()) fail(map.Mark().line, "this is not a mapping", "write key: value");
    std::set<std::string> known;
    for (const auto& entry : map) {
      const std::string& key = entry.first.Scalar();
      if (std::ranges::find(keys, key) == keys.end())
        fail(entry.first.Mark().line, fmt::format("{} is not a key{}", key, where),
             fmt::format("use {}", fmt::join(keys, ", ")));
      if (!known.insert(key).second)
        fail(entry.first.Mark().line, fmt::format("{} occurs twice", key), "leave one of them");
    }
  }

  NetworkTensor::Axis axis(const YAML::Node& node) const {
    std::string name = scalar(node);
    int times = 1;
    if (const std::size_t space = name.find(' '); space != std::string::npos) {
      const auto [end, error] = std::from_chars(name.data(), name.data() + space, times);
      if (end != name.data() + space || error != std::errc()) times = 0;
      name.erase(0, space + 1);
    }
    const auto role = std::ranges::find(kRoleNames, name);
    if (role == kRoleNames.end() || times < 1 || times > 64)
      fail(node.Mark().line, fmt::format("{} is not a size", scalar(node)),
           fmt::format("use {}, or a number of one of them, as 3 head", fmt::join(kRoleNames, ", ")));
    return {static_cast<Role>(role - kRoleNames.begin()), times};
  }

  void tensors(const YAML::Node& map, bool block) {
    if (!map.IsMap()) fail(map.Mark().line, "this is not a mapping", "write name: {shape: [hidden], value: 1}");
    for (const auto& entry : map) {
      const std::string name = this->name(entry.first);
      if (name == "block" && !block) {
        tensors(entry.second, true);
        continue;
      }
      if (name == "__metadata__" || name.starts_with("weft."))  // reserved in checkpoints, which could not be read
        fail(entry.first.Mark().line, name + " is reserved for checkpoints", "give it another name");
      only(entry.second, {"shape", "normal", "value", "residual", "tied"});
      Blueprint::Tensor t;
      t.block = block;
      t.tensor.name = name;
      t.line = entry.first.Mark().line + 1;
      const YAML::Node shape = at(entry.second, "shape");
      if (!shape.IsSequence()) fail(shape.Mark().line, "this is not a list", "write shape: [hidden]");
      for (const YAML::Node& one : shape) t.tensor.shape.push_back(axis(one));
      if (t.tensor.shape.empty() || t.tensor.shape.size() > 2)
        fail(shape.Mark().line, fmt::format("{} has {} dimensions", name, t.tensor.shape.size()), "use one or two");
      if (entry.second["normal"]) t.tensor.normal = number(entry.second["normal"]);
      if (entry.second["value"]) t.tensor.value = number(entry.second["value"]);
      if (t.tensor.normal < 0)
        fail(entry.second["normal"].Mark().line, fmt::format("a deviation of {} is below 0", t.tensor.normal),
             "write 0 or more");
      if (entry.second["normal"] && entry.second["value"])
        fail(entry.first.Mark().line, fmt::format("{} has normal: and value:", name), "leave one of them");
      if (entry.second["residual"]) t.tensor.residual = truth(entry.second["residual"]);
      if (entry.second["tied"]) t.tied = this->name(entry.second["tied"]);
      blueprint_.tensors.push_back(std::move(t));
    }
  }

  void operations(const YAML::Node& list, bool block) {
    if (!list.IsSequence()) fail(list.Mark().line, "this is not a list", "write - {linear: name, in: x, out: y}");
    for (const YAML::Node& node : list) {
      if (!block && node.IsMap() && node["block"]) {
        only(node, {"block"});
        operations(node["block"], true);
        continue;
      }
      blueprint_.operations.push_back(operation(node, block));
    }
  }

  /// Reads the file's own kernels. They keep their lines, which messages name.
  void kernels(const YAML::Node& node) {
    blueprint_.kernels = std::string(static_cast<std::size_t>(node.Mark().line) + 1, '\n') + scalar(node);
    const Functions own = functions_of({blueprint_.file, blueprint_.kernels});
    for (const auto& function : own)
      if (std::ranges::any_of(words_, [&](const Word& word) { return word.text == function->name; }) ||
          std::ranges::count(kKeys, function->name) > 0 || function->name == "block")
        fail(node.Mark().line, fmt::format("kernel {} has the name of an operation, or of a key", function->name),
             "give it another name");
    for (const auto& function : own)
      words_.push_back({function->name, &rules_of(OperationKind::Elementwise), function});
  }

  /// A word with which an operation begins.
  struct Word {
    std::string_view text;
    const OperationRules* rules;
    std::shared_ptr<const Function> function = nullptr;
  };
  /// The words of all kinds, in the order of messages. A function is a word of its own.
  static std::vector<Word> built_in_words() {
    std::vector<Word> words;
    for (const OperationRules* rules : all_operations()) {
      if (rules->kind != OperationKind::Elementwise) {
        words.push_back({rules->name, rules});
        continue;
      }
      for (const auto& function : built_in_functions()) words.push_back({function->name, rules, function});
    }
    return words;
  }

  Blueprint::Operation operation(const YAML::Node& node, bool block) const {
    std::vector<std::string_view> kinds;
    for (const Word& word : words_) kinds.push_back(word.text);
    std::vector<std::string_view> keys = kinds;
    keys.insert(keys.end(), std::begin(kKeys), std::end(kKeys));
    only(node, keys);
    const auto named =
        std::ranges::find_if(words_, [&](const Word& word) { return node[std::string(word.text)].IsDefined(); });
    if (named == words_.end()) {
      const std::string_view last = kinds.back();
      kinds.pop_back();
      fail(node.Mark().line, "this is not an operation",
           fmt::format("begin with {} or {}", fmt::join(kinds, ", "), last));
    }
    const OperationRules& rules = *named->rules;
    keys = {named->text};
    keys.insert(keys.end(), rules.keys.begin(), rules.keys.end());
    const bool constant = named->function != nullptr && named->function->has_constant();
    if (constant) keys.push_back("by");
    only(node, keys, fmt::format(" of {}", named->text));
    const auto has = [&](std::string_view key) { return std::ranges::count(rules.keys, key) > 0; };
    Blueprint::Operation op{.kind = rules.kind, .name = word(node, std::string(named->text)), .block = block};
    op.line = node.Mark().line + 1;
    op.function = named->function;
    if (constant) op.by = number(at(node, "by"));
    if (has("tokens")) op.tokens = word(node, "tokens");
    if (has("positions") && node["positions"]) op.positions = name(node["positions"]);
    if (has("segments") && node["segments"]) op.segments = name(node["segments"]);
    if (has("form") && node["form"]) op.form = name(node["form"]);
    if (has("causal") && node["causal"]) op.causal = truth(node["causal"]);
    if (rules.kind == OperationKind::Dropout || (has("p") && node["p"])) op.p = probability(at(node, "p"));
    if (has("in")) op.in = words(at(node, "in"));
    if (has("out")) op.out = words(at(node, "out"));
    if (node["add"]) op.add = name(node["add"]);
    return op;
  }

  Blueprint blueprint_;
  std::vector<Word> words_ = built_in_words();
};

}  // namespace

Blueprint read_blueprint(std::string_view text, const std::string& file) { return Reader(text, file).take(); }

}  // namespace weft::network
