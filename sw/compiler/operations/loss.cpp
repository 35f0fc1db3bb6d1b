#include "sw/compiler/lower/lower.hpp"

namespace weft::compiler {
namespace {

class LossLowering : private LoweringTools {
 public:
  explicit LossLowering(const LoweringTools& tools) : LoweringTools(tools) {}

  void lower(const network::Step& step) {
    step.kind == network::Step::Kind::Forward ? forward(step) : input_gradient(step);
  }

 private:
  void forward(const network::Step& step);
  void input_gradient(const network::Step& step);
};

void LossLowering::forward(const network::Step& step) {
  OpBuilder builder = op(step.name);
  const int logits = address(graph_.op(step).in[0]);
  builder.call("loss", {{"logits", logits}, {"beside", memory_.dys(logits)}});
  std::vector<std::uint32_t> words(static_cast<std::size_t>(wafer_.rows), 0);
  words[0] = static_cast<std::uint32_t>(2 * wafer_.cols * memory_.tokens_per_column);
  builder.returns(Returns::Loss, words);
  add(builder);
}

void LossLowering::input_gradient(const network::Step& step) {
  OpBuilder builder = op(step.name);
  builder.call("loss_back", {{"logits", address(step.value)}});
  for (const int v : step.clears)
    builder.call("clear", {{"first", gradient_address(v)},
                           {"words", space(v).slots() * memory_.tokens_per_column / wafer_.lanes}});
  add(builder);
}

}  // namespace

void loss_lowering(const LoweringTools& tools, const network::Step& step) { LossLowering(tools).lower(step); }

}  // namespace weft::compiler
