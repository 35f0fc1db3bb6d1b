/// A checkpoint contains its optimizer's state, and only the same optimizer can continue from it.
#include "host/checkpoint/reader.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "tests/checkpoint/train_run.hpp"

namespace weft::checkpoint {
namespace {

class OptimizerChange : public TrainTest {
 protected:
  void use(const std::string& type, double momentum = 0) {
    config_.optimizer.optimizer_type = type;
    config_.optimizer.momentum = momentum;
  }
};

TEST_F(OptimizerChange, EachContinuesAsIfItHadNotStopped) {
  for (const auto& [type, momentum, moments] :
       {std::tuple("AdamW", 0.0, 2), {"Adam", 0.0, 2}, {"SGD", 0.0, 0}, {"SGD", 0.9, 1}, {"Lion", 0.0, 1}}) {
    use(type, momentum);
    const std::string name = type + std::to_string(moments);
    run(name, 3);
    const auto file = open_checkpoint(this->file(name, 3), compiler::model_tensors(config_.model));
    EXPECT_EQ(file->moments, moments) << name;
    EXPECT_EQ(file->about.at("optimizer.optimizer_type"), type);
    run(name, 6);
    run(name + "whole", 6);
    expect_same_run(name, name + "whole", 6);
  }
}

TEST_F(OptimizerChange, AnotherIsRejectedByName) {
  run("a", 2);
  use("Lion");
  {
    const std::string said = refusal("a", 4);
    EXPECT_SAYS(said, "optimizer.optimizer_type");
    EXPECT_SAYS(said, "Lion");
    EXPECT_SAYS(said, "has the state of AdamW");
    EXPECT_SAYS(said, "use AdamW");
  }
  use("Adam");  // has the same moments
  {
    const std::string said = refusal("a", 4);
    EXPECT_SAYS(said, "Adam, but");
    EXPECT_SAYS(said, "has the state of AdamW");
  }
  config_.runconfig.checkpoint_path = file("a", 2);
  {
    const std::string said = refusal("b", 4);
    EXPECT_SAYS(said, "has the state of AdamW");
  }
}

TEST_F(OptimizerChange, SgdThatHadNoMomentumGetsNone) {
  use("SGD");
  run("a", 2);
  use("SGD", 0.9);
  {
    const std::string said = refusal("a", 4);
    EXPECT_SAYS(said, "optimizer.momentum");
    EXPECT_SAYS(said, "was trained without momentum");
    EXPECT_SAYS(said, "use momentum 0");
  }
  use("SGD");
  run("a", 4);
}

}  // namespace
}  // namespace weft::checkpoint
