/// Former names of phases lead to the present ones, and back.
#include "sw/network/former_phase_names.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/network/third.hpp"

namespace weft::network {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;  // former name, present name

FormerPhaseNames names_of(const LayerGraph& network) { return {network, training_schedule(network)}; }

void expect_pairs(const FormerPhaseNames& names, const Pairs& pairs) {
  for (const auto& [former, current] : pairs) {
    EXPECT_EQ(names.current(former), current);
    EXPECT_EQ(names.former(current), former);
  }
}

TEST(FormerPhaseNames, Gpt2) {
  const Pairs pairs = {{"d.logits", "loss.dx"},
                       {"d.ln_f.out", "lm_head.dx"},
                       {"d.ln_f.weight", "ln_f.dw"},
                       {"d.ln_f.bias", "ln_f.db"},
                       {"d.ln_f", "ln_f.dx"},
                       {"d.h.1.mlp.c_proj.weight", "h.1.mlp.c_proj.dw"},
                       {"d.h.1.mlp.c_proj.bias", "h.1.mlp.c_proj.db"},
                       {"d.h.1.mlp.gelu", "h.1.mlp.c_proj.dx"},
                       {"d.h.1.mlp.c_fc", "h.1.mlp.gelu.dx"},
                       {"d.h.1.mlp.c_fc.weight", "h.1.mlp.c_fc.dw"},
                       {"d.h.1.mlp.c_fc.bias", "h.1.mlp.c_fc.db"},
                       {"d.h.1.ln_2.out", "h.1.mlp.c_fc.dx"},
                       {"d.h.1.ln_2.weight", "h.1.ln_2.dw"},
                       {"d.h.1.ln_2.bias", "h.1.ln_2.db"},
                       {"d.h.1.ln_2", "h.1.ln_2.dx"},
                       {"d.h.1.attn.c_proj.weight", "h.1.attn.c_proj.dw"},
                       {"d.h.1.attn.c_proj.bias", "h.1.attn.c_proj.db"},
                       {"d.h.1.attn.heads", "h.1.attn.c_proj.dx"},
                       {"d.h.1.attn", "h.1.attn.dx"},
                       {"d.h.1.attn.c_attn.weight", "h.1.attn.c_attn.dw"},
                       {"d.h.1.attn.c_attn.bias", "h.1.attn.c_attn.db"},
                       {"d.h.1.attn.c_attn.weight.q", "h.1.attn.c_attn.q.dw"},
                       {"d.h.1.attn.c_attn.bias.k", "h.1.attn.c_attn.k.db"},
                       {"d.h.1.attn.c_attn.weight.v", "h.1.attn.c_attn.v.dw"},
                       {"d.h.1.ln_1.out", "h.1.attn.c_attn.dx"},
                       {"d.h.1.ln_1.weight", "h.1.ln_1.dw"},
                       {"d.h.1.ln_1.bias", "h.1.ln_1.db"},
                       {"d.h.1.ln_1", "h.1.ln_1.dx"},
                       {"d.h.0.mlp.c_fc", "h.0.mlp.gelu.dx"},
                       {"d.wte.weight", "wte.dw"},
                       {"d.wpe.weight", "wpe.dw"}};
  for (const bool tied : {false, true}) {
    const FormerPhaseNames names = names_of(find_network("gpt2", {.layers = 2, .tied = tied}));
    expect_pairs(names, pairs);
    expect_pairs(names, {{tied ? "d.wte.weight.head" : "d.lm_head.weight.head", "lm_head.dw"}});
  }
}

TEST(FormerPhaseNames, GptJ) {
  expect_pairs(names_of(find_network("gptj", {.layers = 2})), {{"d.logits", "loss.dx"},
                                                               {"d.lm_head.weight.head", "lm_head.dw"},
                                                               {"d.lm_head.bias.head", "lm_head.db"},
                                                               {"d.ln_f.out", "lm_head.dx"},
                                                               {"d.h.1.mlp.fc_out.weight", "h.1.mlp.fc_out.dw"},
                                                               {"d.h.1.mlp.fc_out.bias", "h.1.mlp.fc_out.db"},
                                                               {"d.h.1.mlp.gelu", "h.1.mlp.fc_out.dx"},
                                                               {"d.h.1.mlp.fc_in", "h.1.mlp.gelu.dx"},
                                                               {"d.h.1.mlp.fc_in.weight", "h.1.mlp.fc_in.dw"},
                                                               {"d.h.1.mlp.fc_in.bias", "h.1.mlp.fc_in.db"},
                                                               {"d.h.1.attn.out_proj.weight", "h.1.attn.out_proj.dw"},
                                                               {"d.h.1.attn.heads", "h.1.attn.out_proj.dx"},
                                                               {"d.h.1.attn", "h.1.attn.dx"},
                                                               {"d.h.1.attn.rotary", "h.1.attn.rotary.dx"},
                                                               {"d.h.1.attn.q_proj.weight", "h.1.attn.q_proj.dw"},
                                                               {"d.h.1.attn.k_proj.weight", "h.1.attn.k_proj.dw"},
                                                               {"d.h.1.attn.v_proj.weight", "h.1.attn.v_proj.dw"},
                                                               {"d.h.1.ln_1.out", "h.1.ln_1.dy"},
                                                               {"d.h.1.ln_1.weight", "h.1.ln_1.dw"},
                                                               {"d.h.1.ln_1", "h.1.ln_1.dx"},
                                                               {"d.wte.weight", "wte.dw"}});
}

/// The linears of the third network read the residual stream itself, whose gradient was named after its value.
TEST(FormerPhaseNames, LinearThatReadsTheResidualStream) {
  expect_pairs(names_of(read_network(kThird, "mine.yaml", {.layers = 2})),
               {{"d.h.1.down.head", "head.dx"}, {"d.h.0.down.h.1.up", "h.1.up.dx"}, {"d.start.h.0.up", "h.0.up.dx"}});
}

TEST(FormerPhaseNames, EveryBackwardPhaseHadOne) {
  for (const char* name : {"gpt2", "gptj"}) {
    for (const Recompute recompute : {Recompute::None, Recompute::Block}) {
      const LayerGraph network = find_network(name, {.layers = 3, .recompute = recompute});
      const Schedule schedule = training_schedule(network);
      const FormerPhaseNames names(network, schedule);
      for (const Step& step : schedule.steps) {
        const std::string former = names.former(step.name);
        EXPECT_EQ(former.starts_with("d."),
                  step.name.ends_with(".dx") || step.name.ends_with(".dw") || step.name.ends_with(".dy"))
            << step.name;
        if (!former.empty()) {
          EXPECT_EQ(names.current(former), step.name);
        }
      }
    }
  }
}

TEST(FormerPhaseNames, PartsKeepTheirNumbers) {
  const FormerPhaseNames names = names_of(find_network("gpt2", {.layers = 1}));
  expect_pairs(names, {{"d.wte.weight.1", "wte.dw.1"}, {"d.h.0.mlp.c_fc.bias.12", "h.0.mlp.c_fc.db.12"}});
}

TEST(FormerPhaseNames, OtherNamesStay) {
  const FormerPhaseNames names = names_of(find_network("gpt2", {.layers = 1}));
  for (const char* name : {"h.0.mlp.gelu", "h.0.mlp.gelu.dx", "flags", "d.h.0.mlp.gelu.x", "d.h.1.mlp.gelu", "d.", ""})
    EXPECT_EQ(names.current(name), name);
  for (const char* name : {"h.0.mlp.gelu", "h.0.mlp.gelu.again", "loss", "flags", ""})
    EXPECT_EQ(names.former(name), "");
}

/// Linears that shared a tensor had one name for their gradients, with a number from the second on.
TEST(FormerPhaseNames, LinearsThatShareATensor) {
  std::string text = kThird;
  const std::string block = "  block:", up = "up.weight: {", down = "down.weight: {";
  text.replace(text.find(block), block.size(), "  shared.weight: {shape: [hidden, filter], normal: 0.1}\n" + block);
  text.insert(text.find(up) + up.size(), "tied: shared.weight, ");
  text.insert(text.find(down) + down.size(), "tied: shared.weight, ");
  expect_pairs(names_of(read_network(text, "mine.yaml", {.layers = 2, .tied = true})),
               {{"d.shared.weight", "h.1.down.dw"},
                {"d.shared.weight.2", "h.1.up.dw"},
                {"d.shared.weight.3", "h.0.down.dw"},
                {"d.shared.weight.4", "h.0.up.dw"},
                {"d.h.0.up.bias", "h.0.up.db"}});
}

}  // namespace
}  // namespace weft::network
