/// `weft run --trace.phase`: tracing does not change the training, nor its number of cycles.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include "tests/trace/read_fst.hpp"

namespace weft::inspect {
namespace {

namespace fs = std::filesystem;

struct Ended {
  int code = 0;
  std::string text;
};

Ended weft_run(const std::string& arguments) {
  const std::string command = WEFT_PROGRAM " run --params " WEFT_CONFIGS
                                           "/gpt_tiny.yaml --num_steps 1 --train_input.batch_size 4 " +
                              arguments + " 2>&1";
  Ended ended;
  FILE* pipe = ::popen(command.c_str(), "r");
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) ended.text += static_cast<char>(c);
  ended.code = ::pclose(pipe);
  return ended;
}

/// The line of metrics without times, which differ from run to run.
std::string metrics(const fs::path& folder) {
  std::ifstream file(folder / "metrics.jsonl");
  std::string line;
  std::getline(file, line);
  std::string kept;
  std::istringstream parts(line);
  for (std::string part; std::getline(parts, part, ',');)
    if (part.find("seconds") == std::string::npos && part.find("time_") == std::string::npos &&
        part.find("crc32c") == std::string::npos)
      kept += part + ",";
  return kept;
}

TEST(TracedRun, TrainsTheSameInTheSameCycles) {
  const fs::path folder = fs::path(testing::TempDir()) / "traced_run";
  fs::remove_all(folder);
  const auto plain = weft_run("--backend rtl --model_dir " + (folder / "plain").string());
  ASSERT_EQ(plain.code, 0) << plain.text;
  const std::string trace = (folder / "t/run.fst").string();
  const auto traced = weft_run("--backend rtl --model_dir " + (folder / "traced").string() +
                               " --trace.phase h.0.attn --trace.tiles 1,0-1 --trace.out " + trace);
  ASSERT_EQ(traced.code, 0) << traced.text;
  EXPECT_NE(metrics(folder / "plain"), "");
  EXPECT_EQ(metrics(folder / "traced"), metrics(folder / "plain"));
  EXPECT_NE(traced.text.find("trace   " + trace), std::string::npos) << traced.text;
  const trace::FstContent content = trace::read_fst(trace);
  EXPECT_EQ(content.values("phase").front(), "h.0.attn");
  std::string calls;
  for (const std::string& call : content.values("tile_1_1.call")) calls += call + "\n";
  EXPECT_NE(calls.find("probs "), std::string::npos) << calls;
  EXPECT_TRUE(fs::exists(folder / "t/run.gtkw"));
}

TEST(TracedRun, UntraceableRunIsRejectedBeforeItStarts) {
  const fs::path folder = fs::path(testing::TempDir()) / "not_traced";
  fs::remove_all(folder);
  for (const char* bad :
       {"--backend model --trace.phase loss", "--backend rtl --trace.phase nonsense", "--backend rtl --trace.step 2",
        "--backend rtl --trace.phase loss --trace.tiles 9,9", "--backend rtl --trace.phase loss --trace.wafer 1",
        "--backend rtl --trace.phase loss --trace.out x.vcd", "--backend rtl --trace.phase loss --trace.step 0"}) {
    const auto ended = weft_run(std::string(bad) + " --model_dir " + folder.string());
    EXPECT_EQ(ended.code, 2 << 8) << bad << ended.text;
    EXPECT_NE(ended.text.find("HINT: "), std::string::npos) << bad << ended.text;
  }
  EXPECT_FALSE(fs::exists(folder));
}

}  // namespace
}  // namespace weft::inspect
