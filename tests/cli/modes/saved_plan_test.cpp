/// A plan saved by compile_only, and the runs that accept it.
#include <nlohmann/json.hpp>

#include "tests/cli/modes/modes.hpp"

namespace weft::cli {
namespace {

TEST_F(Modes, APlanIsKeptAndRun) {
  const auto hashes = [&](const ProgramResult& result) {
    EXPECT_EQ(result.status, 0) << result.err;
    std::vector<std::string> all;
    std::istringstream lines(test::file_text(folder_ / "out/metrics.jsonl"));
    for (std::string line; std::getline(lines, line);)
      if (const auto step = nlohmann::json::parse(line); step.contains("state_hash")) all.push_back(step["state_hash"]);
    std::filesystem::remove_all(folder_ / "out");
    return all;
  };
  const ProgramResult compiled = run("compile_only", {"--save", "mine.weftplan"});
  ASSERT_EQ(compiled.status, 0) << compiled.err;
  const std::string digest = compiled.out.substr(compiled.out.rfind(", digest ") + 9, 16);
  EXPECT_NE(compiled.out.find("\nplan    mine.weftplan: "), std::string::npos) << compiled.out;
  const auto expected = hashes(run("train"));
  EXPECT_EQ(expected.size(), 3U);
  const ProgramResult ran = run("train", {"--plan", "mine.weftplan", "--num_csx", "2"});
  EXPECT_NE(ran.out.find("plan    mine.weftplan: digest " + digest), std::string::npos) << ran.out;
  EXPECT_EQ(hashes(ran), expected);
  const auto refused = [&](std::vector<std::string> more, const std::string& error) {
    more.insert(more.end(), {"--plan", "mine.weftplan"});
    const ProgramResult result = run("train", more);
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.err.find(error), std::string::npos) << result.err;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
  };
  refused({"--wafer.rows", "3"},
          "wafer.rows: 3, but mine.weftplan was compiled for 2. HINT: write 2, or compile again");
  refused({"--model.recompute", "block"}, "model.recompute: block, but mine.weftplan was compiled for none.");
  refused({"--sparsity.sparsity", "0.5"},
          "command line: sparsity.sparsity: keeps weights other than those that mine.weftplan was compiled for.");
  std::string bytes = test::file_text(folder_ / "mine.weftplan");
  bytes[bytes.size() / 2] ^= 1;
  folder_.write("mine.weftplan", bytes);
  refused({},
          "mine.weftplan: is damaged: its digest does not match. HINT: compile it again: --mode compile_only --save");
  refused({"--save", "x"}, "--save: does not apply to mode train");
  for (const std::string empty : {"--save", "--plan", "--logits"})
    EXPECT_EQ(run("compile_only", {empty + "="}).err, empty + ": names no file. HINT: write its name.\n");
  const ProgramResult nowhere = run("compile_only", {"--save", "no/mine.weftplan"});
  EXPECT_EQ(nowhere.err,
            "no/mine.weftplan: cannot be written: No such file or directory. HINT: make its folder, or name a place "
            "where you may write.\n");
  EXPECT_EQ(nowhere.out, "") << "before it compiles";
  const ProgramResult folder = run("compile_only", {"--save", "."});
  EXPECT_EQ(folder.err, ".: is a folder. HINT: name a file in it.\n");
  EXPECT_EQ(folder.out, "") << "before it compiles";
}

/// Masks come from a checkpoint's weights or are stored in it: a run from the checkpoint accepts a plan compiled for
/// these masks.
TEST_F(Modes, APlanOfACheckpointsMasksIsOneForARunFromIt) {
  ASSERT_EQ(run("train", {"--model_dir", "dense"}).status, 0);
  const auto start = [&](const std::string& mode, std::vector<std::string> more) {
    more.insert(more.end(), {"--num_steps", "4"});
    return run(mode, more);
  };
  const std::vector<std::string> topk = {"--checkpoint_path",      "dense/checkpoint_3.safetensors",
                                         "--sparsity.sparsity",    "0.5",
                                         "--sparsity.init_method", "topk"},
                                 own = {"--checkpoint_path", "sparse.safetensors"};
  for (const auto& from : {topk, own}) {
    const auto with = [&](const std::string& name, const std::string& value) {
      auto all = from;
      all.insert(all.end(), {name, value});
      return all;
    };
    const ProgramResult compiled = start("compile_only", with("--save", "mine.weftplan"));
    ASSERT_EQ(compiled.status, 0) << compiled.err;
    const ProgramResult ran = start("train", with("--plan", "mine.weftplan"));
    EXPECT_EQ(ran.status, 0) << ran.err;
    if (from == topk)
      std::filesystem::copy_file(folder_ / "out/checkpoint_4.safetensors", folder_ / "sparse.safetensors");
    std::filesystem::remove_all(folder_ / "out");
  }
  const std::vector<std::string> zeros = {
      "--params", "mine.yaml", "--checkpoint_path", "sparse.safetensors", "--sparsity.init_method", "checkpoint"};
  const std::vector<std::vector<std::string>> looks = {
      {"check"},
      {"waves", "--phase", "list"},
      {"debug", "--phase", "list"},
      {"run", "--mode", "train", "--num_steps", "4", "--backend", "rtl", "--trace.phase", "loss"}};
  for (std::vector<std::string> look : looks) {
    look.insert(look.end(), zeros.begin(), zeros.end());
    const ProgramResult result = run_program(folder_, look);
    EXPECT_EQ(result.status, 0) << look[0] << ": " << result.err;
  }
  const std::vector<std::string> none = {"--checkpoint_path", "none.safetensors"};
  EXPECT_EQ(run("compile_only", none).status, 0) << "what is dense can be sized before it is there";
  EXPECT_NE(run("compile_only", {"--sparsity.init_method", "checkpoint"}).err.find("checkpoint, but there is none yet"),
            std::string::npos);
}

/// Boards' routers do not turn W around, so plans compiled for boards do not either; the bits are the same.
TEST_F(Modes, APlanForSimulatedWafersIsNoneForBoards) {
  const auto wide = [&](const std::string& mode, std::vector<std::string> more) {
    more.insert(more.end(),
                {"--wafer.cols", "6", "--train_input.micro_batch_size", "6", "--train_input.batch_size", "6"});
    return run(mode, more);
  };
  ASSERT_EQ(wide("compile_only", {"--save", "turns.weftplan"}).status, 0);
  ASSERT_EQ(wide("compile_only", {"--save", "boards.weftplan", "--backend", "fpga"}).status, 0);
  const ProgramResult refused = wide("compile_only", {"--plan", "turns.weftplan", "--backend", "fpga"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("wafer.backend: fpga, but in turns.weftplan W turns around"), std::string::npos)
      << refused.err;
  EXPECT_EQ(wide("compile_only", {"--plan", "boards.weftplan", "--backend", "fpga"}).status, 0);
  std::vector<std::string> hashes;
  for (const char* plan : {"turns.weftplan", "boards.weftplan"}) {
    const ProgramResult ran = wide("train", {"--plan", plan});
    EXPECT_EQ(ran.status, 0) << ran.err;
    hashes.push_back(test::file_text(folder_ / "out/metrics.jsonl"));
    hashes.back() = hashes.back().substr(hashes.back().rfind("\"state_hash\""), 32);
    std::filesystem::remove_all(folder_ / "out");
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

}  // namespace
}  // namespace weft::cli
