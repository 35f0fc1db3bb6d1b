/// Random networks with a model and a wafer of random sizes: a case is determined by its seed.
#pragma once

#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "sw/base/refusal.hpp"
#include "sw/compiler/compile.hpp"
#include "tests/network/random_network.hpp"

namespace weft::network {

struct RandomCase {
  RandomNetwork network;
  compiler::ModelShape model;  ///< model.network is set by compile()
  machine::WaferShape wafer;

  explicit RandomCase(unsigned seed, RandomNetwork::Form form = RandomNetwork::Form::Any) : network(seed, form) {
    std::mt19937 random(~seed);  // other numbers than those of the network
    const auto pick = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
    wafer = {.rows = 1 + pick(8), .cols = 1 + pick(4), .lanes = 2 << pick(3), .sram_kib = 128};
    wafer.psum_cycles = pick(2) == 0 ? 2 : 4, wafer.valves = 1 + pick(wafer.rows);
    if (pick(2) == 0) wafer.sequence_columns = wafer.cols;
    const int heads = 4 - pick(5) % 4,
              dim = 2 * (5 - heads + pick(4));  // a norm of few features has a negligible gradient
    model = {
        .vocab = 12 + pick(20), .hidden = heads * dim, .layers = 1 + pick(3), .heads = heads, .filter = 3 + pick(40)};
    model.seq = 2 + pick(11), model.micro_batch = 1 + pick(4), model.tied = false;
    model.recompute = pick(3) == 0 ? "block" : "none";
    model.classes = network.classes;
    if (network.turns) model.rotary_dim = 2 * (1 + pick(dim / 2));
    model.rotary.layout = pick(2) == 0 ? "halves" : "pairs";
    constexpr const char* kScalings[] = {"none", "linear", "llama3"};
    model.rotary.scaling = kScalings[pick(3)], model.rotary.factor = 4, model.rotary.original_length = 60;
    model.rotary.theta = pick(2) == 0 ? 500 : 10000;
    if (network.shares && pick(6) > 0) model.kv_heads = heads == 4 && pick(4) > 0 ? 2 : 1;
    if (network.segments) model.segments = 2 + pick(2);
    if (network.full && pick(2) == 0) model.padding_token = 2;
    const bool may_share = wafer.sequence_columns > 1 && wafer.rows >= 2 * heads && (!network.full || pick(9) == 0) &&
                           !network.drops_weights;
    if (network.attends && may_share && pick(4) > 0) {
      model.attention = "shared";
    } else if (network.attends && pick(4) == 0) {
      model.document_end = model.seq % 2 == 1 ? -1 : 1, model.vsl = model.seq % 2 == 1;
    }
    if (pick(4) == 0) model.label_smoothing = 0.1F;
  }

  /// The plan; `file` then has the network. Throws Refusal.
  compiler::Plan compile(const std::string& file) {
    std::ofstream(file) << network.text << std::flush;
    model.network = file;
    return compiler::compile(model, wafer);
  }
  std::optional<compiler::Plan> compile_if_valid(const std::string& file) {
    try {
      return compile(file);
    } catch (const Refusal&) {
      return std::nullopt;
    }
  }

  /// Features of the case: operations, forms of positions, heads and attention.
  std::vector<std::string> features() const {
    std::vector<std::string> found;
    for (const auto& [feature, has] : all()) {
      if (has) found.push_back(feature);
    }
    return found;
  }
  static std::vector<std::string> all_features() {
    std::vector<std::string> names;
    for (const auto& [feature, has] : RandomCase(1).all()) names.push_back(feature);
    return names;
  }

 private:
  std::vector<std::pair<std::string, bool>> all() const {
    const auto has = [&](const char* text) { return network.text.find(text) != std::string::npos; };
    const auto rotates = [&](bool by) { return network.turns && by; };
    const bool post = has("in: s, out: r}"), rms = has("form: rms"), grouped = model.own_kv_heads() < model.heads;
    std::vector<std::pair<std::string, bool>> list = {
        {"a norm before a branch", has("{norm:") && !post},
        {"a norm after a branch", post},
        {"RMSNorm", rms},
        {"a bias", has(".bias:")},
        {"a matrix [out, in]", has("form: out_in")},
        {"learned positions", has("positions:")},
        {"segments", model.has_segments()},
        {"no positions", !has("positions:")},
        {"rotation of pairs", rotates(!model.rotary.has_halves())},
        {"rotation of halves", rotates(model.rotary.has_halves())},
        {"linear scaling", rotates(model.rotary.scaling == "linear")},
        {"scaling of LLaMA 3", rotates(model.rotary.scaling == "llama3")},
        {"causal attention", has("out: o") && network.attends && !network.full},
        {"attention that is not causal", network.full},
        {"padding", model.has_padding()},
        {"documents that a token ends", model.document_end >= 0},
        {"documents that are marked", model.vsl},
        {"grouped heads", grouped && model.kv_heads > 1},
        {"multi-query heads", grouped && model.kv_heads == 1},
        {"a sequence over columns", wafer.sequence_columns > 1},
        {"shared attention", model.attention == "shared"},
        {"dropout of attention weights", network.drops_weights},
        {"blocks that are computed again", model.recompute == "block"}};
    for (const char* function :
         {"gelu", "gelu_erf", "relu", "silu", "tanh", "scale", "product", "dropout", "class_loss", "squared_error"})
      list.emplace_back(function, has(("{" + std::string(function) + ":").c_str()));
    return list;
  }
};

}  // namespace weft::network
