/// Errors of the compiler are reported as the user's mistake, at the line of the key.
#include "host/planning/compile_plan.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "host/config/file/load.hpp"
#include "sw/compiler/check/misfits.hpp"

namespace weft::planning {
namespace {

config::Config config() {
  config::Config c;
  c.file = "mine.yaml";
  c.places["wafer.sram_kib"] = {"mine.yaml", 7};
  c.model = compiler::ModelShape{};
  c.wafer.sram_kib = 8;
  return c;
}

std::string message(const config::Config& c) {
  try {
    check_fit(c);
  } catch (const Refusal& e) {
    return e.what();
  }
  return "no error";
}

TEST(CompilePlan, ARefusalHasThePlaceOfItsKey) {
  config::Config c = config();
  EXPECT_TRUE(message(c).starts_with("mine.yaml:7: wafer.sram_kib: every PE needs ")) << message(c);
  c.places.clear();
  EXPECT_TRUE(message(c).starts_with("mine.yaml: wafer.sram_kib: every PE needs ")) << message(c);
  c.wafer.sram_kib = 48;
  EXPECT_EQ(message(c), "no error");
}

TEST(CompilePlan, TheHiddenSizeThatIsOfferedHasItsOwnFilterUnlessOneWasSet) {
  config::Config c = config();
  c.model.hidden = 384, c.model.filter = 4 * c.model.hidden, c.model.heads = 12;
  c.wafer.sram_kib = 48;
  const auto offered = [](const config::Config& refused) {
    const std::string text = message(refused), key = "model.hidden_size ";
    const std::size_t at = text.find(key);
    return at == std::string::npos ? 0 : std::stoi(text.substr(at + key.size()));
  };
  c.model.filter_follows = true;
  const int followed = offered(c);
  c.model.filter_follows = false;
  const int kept = offered(c);
  EXPECT_GT(followed, kept);
  c.model.hidden = followed, c.model.filter = 4 * followed;
  EXPECT_EQ(message(c), "no error");
  c.model.hidden += 12, c.model.filter += 48;
  EXPECT_NE(message(c), "no error");
}

/// True if a micro-batch of one sequence fits over some number of columns.
bool fits(config::Config c) {
  c.model.micro_batch = 1;
  for (c.wafer.sequence_columns = c.wafer.cols; c.wafer.sequence_columns > 0; --c.wafer.sequence_columns)
    if (c.wafer.cols % c.wafer.sequence_columns == 0 && compiler::misfits(c.model, c.wafer).empty()) return true;
  return false;
}

/// 48 KiB, as the PE of the papers, where that is enough.
TEST(CompilePlan, FilesOfLargeModelsHaveTheLeastMemoryThatFits) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(WEFT_CONFIGS)) {
    if (!entry.path().filename().string().starts_with("params_")) continue;
    config::Config c = config::load_config(entry.path().string());
    const int given = c.wafer.sram_kib;
    for (c.wafer.sram_kib = 48; c.wafer.sram_kib < 128 && !fits(c);) c.wafer.sram_kib += 4;
    EXPECT_EQ(given, c.wafer.sram_kib) << entry.path();
    ++files;
  }
  EXPECT_EQ(files, 14);
}

TEST(CompilePlan, CompilingRefusesWithTheSameWords) {
  try {
    compile_plan(config(), {});
    FAIL() << "it fits";
  } catch (const Refusal& e) {
    EXPECT_EQ(e.what(), message(config()));
  }
}

}  // namespace
}  // namespace weft::planning
