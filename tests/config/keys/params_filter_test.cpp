#include "host/config/keys/params_filter.hpp"

#include <gtest/gtest.h>

namespace weft::config {
namespace {

class ParamsFilterTest : public testing::Test {
 protected:
  ParamsFilterTest() {
    config_.file = "mine.yaml";
    config_.sparsity.sparsity = 0.9;
  }

  std::vector<std::string> chosen(const std::vector<std::string>& filter) {
    config_.sparsity.params_filter = filter;
    std::vector<std::string> names;
    for (const compiler::TensorInfo& tensor : sparse_tensors(config_)) names.push_back(tensor.name);
    return names;
  }
  std::string message(const std::vector<std::string>& filter) {
    try {
      chosen(filter);
    } catch (const Refusal& e) {
      return e.what();
    }
    return "no error";
  }

  Config config_;
};

TEST_F(ParamsFilterTest, TheDefaultIsAllMatricesOfTheBlocks) {
  config_.model.layers = 1;
  EXPECT_EQ(chosen(SparsityConfig{}.params_filter),
            (std::vector<std::string>{"h.0.attn.c_attn.weight", "h.0.attn.c_proj.weight", "h.0.mlp.c_fc.weight",
                                      "h.0.mlp.c_proj.weight"}));
  config_.sparsity.sparsity = 0;
  EXPECT_TRUE(chosen({"h.*.weight"}).empty());
}

TEST_F(ParamsFilterTest, ATensorIsChosenOnceInTheModelsOrder) {
  EXPECT_EQ(chosen({"h.1.*c_fc.weight", "wte.weight", "h.?.mlp.c_fc.*"}),
            (std::vector<std::string>{"wte.weight", "h.0.mlp.c_fc.weight", "h.1.mlp.c_fc.weight"}));
}

TEST_F(ParamsFilterTest, APatternThatChoosesNothingNamesTheNearest) {
  EXPECT_EQ(message({"h.*.mlp.c_fcc.weight"}),
            "mine.yaml: sparsity.params_filter: \"h.*.mlp.c_fcc.weight\" matches no tensor. HINT: did you mean "
            "h.*.mlp.c_fc.weight?");
  EXPECT_EQ(message({"wte.weight", "h.1.mlp.cfc.weight"}),
            "mine.yaml: sparsity.params_filter: \"h.1.mlp.cfc.weight\" matches no tensor. HINT: did you mean "
            "h.1.mlp.c_fc.weight?");
  EXPECT_EQ(message({"h.9.*"}),
            "mine.yaml: sparsity.params_filter: \"h.9.*\" matches no tensor. HINT: use patterns such as wte.weight, "
            "wpe.weight, h.*.attn.c_attn.weight, h.*.attn.c_proj.weight, h.*.mlp.c_fc.weight, h.*.mlp.c_proj.weight.");
}

TEST_F(ParamsFilterTest, VectorsCannotBeSparse) {
  EXPECT_EQ(
      message({"h.1.ln_2.weight"}),
      "mine.yaml: sparsity.params_filter: \"h.1.ln_2.weight\" matches h.1.ln_2.weight, which is not a matrix: only "
      "matrices can be sparse. HINT: did you mean h.1.mlp.c_fc.weight?");
  EXPECT_EQ(
      message({"h.*.mlp.c_fc.bias"}),
      "mine.yaml: sparsity.params_filter: \"h.*.mlp.c_fc.bias\" matches h.0.mlp.c_fc.bias, which is not a matrix: "
      "only matrices can be sparse. HINT: did you mean h.*.mlp.c_fc.weight?");
}

}  // namespace
}  // namespace weft::config
