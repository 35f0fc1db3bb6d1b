/// Differences injected outside the wafer: in the state, the optimizer, the data.
#include <bit>
#include <fstream>

#include "host/checkpoint/checkpoint.hpp"
#include "host/inspect/bisect/describe.hpp"
#include "tests/inspect/bisect/sides.hpp"
#include "tests/temporary_folder.hpp"

namespace weft::inspect::bisect {
namespace {

TEST(InjectedBug, ABitOfAWeightInACheckpoint) {
  const test::TemporaryFolder folder;
  Sides sides;
  const compiler::TensorInfo& tensor = sides.plan.tensors[5];
  Recorder recorder(sides.config);
  std::vector<float> weights(sides.plan.parameters, 0.25F), moments(sides.plan.parameters, 0.0F);
  const auto write = [&](const char* name) {
    checkpoint::save_checkpoint((folder.path() / name).string(), sides.plan.tensors,
                                {.step = 0,
                                 .weights = weights,
                                 .first_moments = moments,
                                 .second_moments = moments,
                                 .mask = nullptr,
                                 .about = {}});
    return (folder.path() / name).string();
  };
  const std::string good = write("good.safetensors");
  const std::size_t at = tensor.offset + 3;
  weights[at] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(weights[at]) ^ 1u);
  const std::string bad = write("bad.safetensors");
  Recorder a(Sides::tiny({{"runconfig.checkpoint_path", good}})), b(Sides::tiny({{"runconfig.checkpoint_path", bad}}));
  const Finding finding = Sides::find(a, b);
  EXPECT_EQ(finding.kind, Kind::Start) << Sides::said();
  EXPECT_EQ(finding.place, element_name(tensor.name, tensor.dims, 3));
  EXPECT_EQ(finding.a, "3e800000 0.25");
  EXPECT_EQ(finding.b, "3e800001 0.25");
}

TEST(InjectedBug, TheOptimizersEpsilon) {
  const Finding finding = Sides().against({{"optimizer.eps", "1.0e-7"}});
  EXPECT_EQ(finding.kind, Kind::Update) << Sides::said();
  EXPECT_EQ(finding.step, 1u);
  EXPECT_EQ(finding.place.find("wte.weight["), 0u) << finding.place;
}

TEST(InjectedBug, ALearningRateOfALaterStep) {
  const std::vector<config::Override> three = {{"runconfig.num_steps", "4"}};
  const char* late =
      "[{scheduler: Linear, initial_learning_rate: 2.5e-4, end_learning_rate: 1.0e-3, total_iters: 2}, "
      "{scheduler: Constant, learning_rate: 1.0e-3}]";
  const char* later =
      "[{scheduler: Linear, initial_learning_rate: 2.5e-4, end_learning_rate: 1.0e-3, total_iters: 2}, "
      "{scheduler: Constant, learning_rate: 2.0e-3}]";
  Recorder a(Sides::tiny({three[0], {"optimizer.learning_rate", late}}));
  Recorder b(Sides::tiny({three[0], {"optimizer.learning_rate", later}}));
  const Finding finding = Sides::find(a, b);
  EXPECT_EQ(finding.kind, Kind::Update) << Sides::said();
  EXPECT_EQ(finding.step, 3u);
}

TEST(InjectedBug, ATokenOfTheSecondStep) {
  const test::TemporaryFolder folder;
  std::string text;
  for (int n = 0; n < 400; ++n) text += "the wafer streams weights ";
  const auto write = [&](const char* name) {
    std::ofstream(folder.path() / name) << text;
    return config::Override{"train_input.data_dir", (folder.path() / name).string()};
  };
  const std::vector<config::Override> more = {{"runconfig.num_steps", "3"}, {"train_input.shuffle", "false"}};
  const config::Override good = write("good.txt");
  text[4 * 32 + 40] = text[4 * 32 + 40] == 'e' ? 't' : 'e';  // in the second step's second sequence
  const config::Override bad = write("bad.txt");
  Recorder a(Sides::tiny({more[0], more[1], good})), b(Sides::tiny({more[0], more[1], bad}));
  const Finding finding = Sides::find(a, b);
  EXPECT_EQ(finding.kind, Kind::Tile) << Sides::said();
  EXPECT_EQ(finding.step, 2u);
  EXPECT_EQ(finding.phase, "tokens");
}

}  // namespace
}  // namespace weft::inspect::bisect
