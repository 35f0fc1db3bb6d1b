/// Errors in a parameter file or on the command line: the place, the problem and the hint that each message has.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "host/config/file/load.hpp"
#include "tests/config/file/config_fixture.hpp"
#include "weft_lanes.hpp"

namespace weft::config {
namespace {

TEST_F(ConfigTest, APathThatIsNoUtf8IsRefused) {
  const std::string hint = " is not valid UTF-8. HINT: rename it, or give a link to it whose whole path is UTF-8.";
  for (const std::string key :
       {"train_input.data_dir", "eval_input.data_dir", "runconfig.model_dir", "runconfig.checkpoint_path"}) {
    const auto said = [&](const std::string& path) { return message(kGood, {{key, path}}); };
    EXPECT_EQ(said("b\xff.txt"), "command line: " + key + ": b\\xff.txt" + hint);
    EXPECT_EQ(said("cut\xc3"), "command line: " + key + ": cut\\xc3" + hint);
    EXPECT_EQ(said("long\xc0\xaf"), "command line: " + key + ": long\\xc0\\xaf" + hint);
    EXPECT_EQ(said("half\xed\xa0\x80"), "command line: " + key + ": half\\xed\\xa0\\x80" + hint);
    EXPECT_EQ(message(kGood, {{key, "g\xc3\xb6\xf0\x9f\xa7\xb5.txt"}}), "no error");
  }
  EXPECT_EQ(message(with("text/corpus.txt", "text/b\xff.txt")),
            "configs/mine.yaml:2: the byte 0xff is not valid UTF-8. HINT: save the file as UTF-8.");
}

TEST_F(ConfigTest, APathWithANulIsRefused) {
  const std::string hint = " has a NUL character, which no path can have. HINT: remove it.";
  const std::string path("a\0b.txt", 7);
  for (const std::string key :
       {"train_input.data_dir", "eval_input.data_dir", "runconfig.model_dir", "runconfig.checkpoint_path"}) {
    EXPECT_EQ(message(kGood, {{key, path}}), "command line: " + key + ": a\\x00b.txt" + hint);
  }
  EXPECT_EQ(message(with("text/corpus.txt", "\"text/cor\\0pus.txt\"")),
            "configs/mine.yaml:2: train_input.data_dir: configs/text/cor\\x00pus.txt" + hint);
  EXPECT_EQ(message(std::string(kGood) + "runconfig:\n  model_dir: \"out\\0\"\n"),
            "configs/mine.yaml:21: runconfig.model_dir: out\\x00" + hint);
}

TEST_F(ConfigTest, AnUnknownKeyNamesTheNearest) {
  EXPECT_EQ(message(with("num_heads", "num_head")),
            "configs/mine.yaml:8: model.num_head: unknown key. HINT: did you mean model.num_heads?");
  EXPECT_EQ(message(with("optimizer:", "optimiser:")),
            "configs/mine.yaml:11: optimiser: unknown section. HINT: did you mean optimizer?");
  EXPECT_EQ(message(with("total_iters", "total_iter")),
            "configs/mine.yaml:17: optimizer.learning_rate.total_iter: unknown key. HINT: did you mean total_iters?");
  EXPECT_EQ(message(kGood, {{"wafer.row", "2"}}),
            "command line: wafer.row: unknown key. HINT: did you mean wafer.rows?");
  EXPECT_EQ(message(kGood, {{"rows", "2"}}), "command line: rows: unknown key. HINT: did you mean wafer.rows?");
  EXPECT_EQ(message(kGood, {{"waffer.row", "2"}}),
            "command line: waffer.row: unknown key. HINT: did you mean wafer.rows?");
  EXPECT_EQ(message(kGood, {{"model.lanes", "2"}}),
            "command line: model.lanes: unknown key. HINT: did you mean wafer.lanes?");
  EXPECT_EQ(message(kGood, {{"optimizer.lr", "2"}}),
            "command line: optimizer.lr: unknown key. HINT: keys of optimizer are optimizer_type, betas, eps, "
            "momentum, dampening, nesterov, weight_decay, no_decay_params, decay_params, frozen_params, correct_bias, "
            "max_gradient_norm, learning_rate.");
  EXPECT_EQ(message(with("scheduler: Linear", "schedulr: Linear")),
            "configs/mine.yaml:14: optimizer.learning_rate.schedulr: unknown key. HINT: did you mean scheduler?");
  EXPECT_EQ(message(with("total_iters", "t")),
            "configs/mine.yaml:17: optimizer.learning_rate.t: unknown key. HINT: keys of a phase are scheduler, "
            "learning_rate, initial_learning_rate, end_learning_rate, total_iters, power, decay_rate, step_exponent, "
            "staircase, scale, warmup_steps, T_max, eta_min, gamma, step_size, milestones, learning_rates.");
  EXPECT_EQ(message("model.num_heads: 4\n" + std::string(kGood)),
            "configs/mine.yaml:1: model.num_heads: unknown section. HINT: write num_heads, indented, below model:.");
}

TEST_F(ConfigTest, ATagOfAnotherTypeIsRefused) {
  const auto refused = [](const std::string& key, const std::string& type) {
    return key + ": the tag !!" + type + " is not supported. HINT: write the value without it.";
  };
  EXPECT_EQ(message(with("hidden_size: 64", "hidden_size: !!str 64")),
            "configs/mine.yaml:6: " + refused("model.hidden_size", "str"));
  EXPECT_EQ(message(with("hidden_size: 64", "hidden_size: !!float 64")),
            "configs/mine.yaml:6: " + refused("model.hidden_size", "float"));
  EXPECT_EQ(message(with("betas: [0.9, 0.95]", "betas: [0.9, !!str 0.95]")),
            "configs/mine.yaml:12: " + refused("optimizer.betas", "str"));
  EXPECT_EQ(message(kGood, {{"train_input.shuffle", "!!str true"}}),
            "command line: " + refused("train_input.shuffle", "str"));
  EXPECT_EQ(message(with("text/corpus.txt", "!!int 3")),
            "configs/mine.yaml:2: " + refused("train_input.data_dir", "int"));
  EXPECT_EQ(parse_config(with("hidden_size: 64", "hidden_size: !!int 64"), "x.yaml").model.hidden, 64);
  EXPECT_EQ(parse_config(with("text/corpus.txt", "!!str 3"), "x.yaml").train_input.data_dir, "3");
}

TEST_F(ConfigTest, AWrongTypeSaysWhatBelongsThere) {
  EXPECT_EQ(message(with("hidden_size: 64", "hidden_size: many")),
            "configs/mine.yaml:6: model.hidden_size: \"many\" is not an integer. HINT: use digits only, e.g. 4.");
  EXPECT_EQ(message(with("hidden_size: 64", "hidden_size: 6.5")),
            "configs/mine.yaml:6: model.hidden_size: \"6.5\" is not an integer. HINT: use digits only, e.g. 4.");
  EXPECT_EQ(message(with("hidden_size: 64", "hidden_size: [64]")),
            "configs/mine.yaml:6: model.hidden_size: a list where one value belongs. HINT: give it an integer.");
  EXPECT_EQ(message(with("hidden_size: 64", "hidden_size:")),
            "configs/mine.yaml:6: model.hidden_size: has no value. HINT: give it an integer.");
  EXPECT_EQ(message(kGood, {{"train_input.shuffle", "maybe"}}),
            "command line: train_input.shuffle: \"maybe\" is neither true nor false. HINT: use true or false.");
  EXPECT_EQ(message(with("1e-4", "nan")),
            "configs/mine.yaml:15: optimizer.learning_rate.initial_learning_rate: nan is out of range. HINT: use 0 or "
            "more.");
}

TEST_F(ConfigTest, AValueOutOfRangeSaysTheRange) {
  EXPECT_EQ(message(with("vocab_size: 96", "vocab_size: 100000000000")),
            "configs/mine.yaml:10: model.vocab_size: 100000000000 is out of range. HINT: use 2 to 327675.");
  EXPECT_EQ(message(with("vocab_size: 96", "vocab_size: 096")),
            "configs/mine.yaml:10: model.vocab_size: 096 is octal for some YAML parsers and decimal for others. HINT: "
            "remove the leading 0.");
  for (const std::string beyond : {"1e400", "1e-400"})
    EXPECT_EQ(message(kGood, {{"optimizer.learning_rate", beyond}}),
              "command line: optimizer.learning_rate: " + beyond +
                  " does not fit in a number of 64 bits. HINT: write it like 0.001 or 1e-3.");
  EXPECT_EQ(message(kGood, {{"wafer.lanes", "32"}}),
            "command line: wafer.lanes: 32 is out of range. HINT: use 2 to 16.");
  EXPECT_EQ(message(kGood, {{"wafer.lanes", "6"}}), "command line: wafer.lanes: 6 is not 2, 4, 8 or 16. HINT: use 4.");
  for (const std::string lanes : {"2", "4", "8", "16"})  // the RTL's lanes are fixed at build time
    EXPECT_EQ(message(kGood, {{"wafer.backend", "rtl"}, {"wafer.lanes", lanes}}),
              rtl_has(std::stoi(lanes))
                  ? "no error"
                  : fmt::format("command line: wafer.lanes: {0}, but this build simulates RTL of {1}. HINT: make build "
                                "LANES={0}, or use wafer.backend model.",
                                lanes, fmt::join(kRtlLanes, ", ")));
  EXPECT_EQ(message(kGood, {{"wafer.backend", "model"}, {"wafer.lanes", "8"}}), "no error");
  for (const std::string wrong : {"vpu", "vpu,rtl", "model,vpu"})
    EXPECT_EQ(message(kGood, {{"wafer.backend", wrong}}),
              "command line: wafer.backend: \"vpu\" is not known. HINT: use model, rtl or fpga.");
  EXPECT_EQ(message(kGood, {{"wafer.backend", "model,"}}),
            "command line: wafer.backend: \"\" is not known. HINT: use model, rtl or fpga.");
  EXPECT_EQ(message(kGood, {{"runconfig.mode", "test"}}),
            "command line: runconfig.mode: \"test\" is not known. HINT: use train, eval, train_and_eval, compile_only, "
            "validate_only or generate.");
}

TEST_F(ConfigTest, MissingAndBrokenFiles) {
  EXPECT_EQ(message(with("  num_heads: 4\n", "")),
            "configs/mine.yaml: model.num_heads: missing. HINT: add it: attention heads; divides hidden_size.");
  EXPECT_EQ(message(with("  num_heads: 4\n", "  hidden_size: 32\n")),
            "configs/mine.yaml:8: model.hidden_size: given twice, first at configs/mine.yaml:6. HINT: remove one.");
  EXPECT_EQ(message("model: [1, 2\nx: 3"),
            "configs/mine.yaml:2: not YAML: end of sequence flow not found. HINT: check indentation, quotes and "
            "brackets.");
  EXPECT_EQ(message("just words"),
            "configs/mine.yaml: is not a parameter file. HINT: start with a section, e.g. \"model:\".");
  try {
    load_config("configs/none.yaml");
    FAIL();
  } catch (const Refusal& e) {
    EXPECT_STREQ(e.what(),
                 "configs/none.yaml: cannot be read: No such file or directory. HINT: give --params a parameter file, "
                 "e.g. configs/gpt_tiny.yaml.");
  }
}

}  // namespace
}  // namespace weft::config
