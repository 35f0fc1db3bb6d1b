/// The programs of the folder examples, on the functional model and on the RTL.
#include <fstream>
#include <sstream>

#include "host/inspect/own/first_difference.hpp"
#include "sw/base/bf16.hpp"
#include "tests/programs/example.hpp"

namespace weft::programs {
namespace {

Layout example(const std::string& name, std::map<std::string, int> parameters, std::vector<Stream> streams = {}) {
  std::ifstream in(std::string(WEFT_EXAMPLES) + "/" + name);
  std::ostringstream text;
  text << in.rdbuf();
  return {.programs = {{name, text.str(), std::move(parameters), {}}}, .streams = std::move(streams)};
}

float rounded(float value) { return as_float(static_cast<std::uint32_t>(to_bf16(as_bits(value))) << 16); }

std::vector<float> random_values(std::size_t n, test::Rng& rng) {
  std::vector<float> values(n);
  for (float& value : values) value = rounded(static_cast<float>(static_cast<int>(rng.below(2001)) - 1000) * 0.01F);
  return values;
}

void run_axpy(const char* backend, int rows, int cols, int elements = 64) {
  test::Rng rng(test::test_seed());
  machine::WaferShape shape = mesh(rows, cols);
  shape.sram_kib = 16;
  Session wafer(shape, backend, 1);
  wafer.load(example("axpy.s", {{"N", elements}, {"GAP", 16}}));
  const auto n = static_cast<std::size_t>(rows * cols * elements);
  const std::vector<float> x = random_values(n, rng), y = random_values(n, rng);
  wafer.set("x", x);
  wafer.set("y", y);
  ASSERT_TRUE(wafer.run("axpy", {{"a", nearest_bf16(1.5)}}, true));
  const std::vector<float> result = wafer.floats("y");
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(result[i], rounded(std::fma(1.5F, x[i], y[i]))) << backend << i;
  EXPECT_EQ(wafer.floats("x"), x);
}

TEST(ProgramExamples, AxpyHasTheBitsOfItsFormula) {
  for (const char* backend : kBackends)
    for (const auto& [rows, cols] : {std::pair{1, 1}, std::pair{1, 7}, std::pair{5, 3}}) run_axpy(backend, rows, cols);
  for (const char* backend : kBackends) run_axpy(backend, 1, 1, 2048 + 36);  // whole parts and a rest
  run_axpy("model", 16, 16);
}

/// u of all tiles, [row][col][point].
class Grid {
 public:
  Grid(int rows, int cols, int points, std::vector<float> u)
      : rows_(rows), cols_(cols), points_(points), u_(std::move(u)) {}
  const std::vector<float>& u() const { return u_; }

  void step(float center, float side) {
    const std::vector<float> old = u_;
    const auto at = [&](int row, int col, int point) {
      return static_cast<std::size_t>((row * cols_ + col) * points_ + point);
    };
    for (int row = 0; row < rows_; ++row)
      for (int col = 0; col < cols_; ++col)
        for (int point = 0; point < points_; ++point) {
          float sum = 0;
          if (col > 0) sum += old[at(row, col - 1, point)];
          if (col < cols_ - 1) sum += old[at(row, col + 1, point)];
          if (row > 0) sum += old[at(row - 1, col, point)];
          if (row < rows_ - 1) sum += old[at(row + 1, col, point)];
          float& u = u_[at(row, col, point)];
          u = rounded(std::fma(u, center, side * rounded(sum)));
        }
  }

 private:
  int rows_, cols_, points_;
  std::vector<float> u_;
};

/// Model and RTL do the same in a run, instruction by instruction.
void compare_instructions(const Session& wafer, const std::string& kernel, const Arguments& arguments) {
  const Replay run = wafer.replay(kernel, arguments, "check");
  EXPECT_EQ(inspect::own::text(inspect::own::first_difference(run, run)), "");
}

void run_stencil(const char* backend, int rows, int cols) {
  const bool large = rows * cols > 100;
  const int points = large ? 16 : 48, steps = large ? 1 : 3;
  test::Rng rng(test::test_seed());
  Session wafer(mesh(rows, cols), backend, 1);
  wafer.load(example("stencil.s", {{"N", points}},
                     {shift("east", 0, 1), shift("west", 0, -1), shift("south", 1, 0), shift("north", -1, 0)}));
  Grid grid(rows, cols, points, random_values(static_cast<std::size_t>(rows * cols * points), rng));
  wafer.set("u", grid.u());
  ASSERT_TRUE(
      wafer.run("main", {{"steps", steps}, {"center", nearest_bf16(0.5)}, {"side", nearest_bf16(0.125)}}, true));
  for (int i = 0; i < steps; ++i) grid.step(0.5F, 0.125F);
  EXPECT_EQ(wafer.floats("u"), grid.u()) << backend << " " << rows << " x " << cols;
  EXPECT_TRUE(wafer.words(0).empty());
  // A second run continues, with the routes that the transfer of u has restored.
  ASSERT_TRUE(wafer.run("main", {{"steps", 1}, {"center", nearest_bf16(1)}, {"side", nearest_bf16(-0.25)}}, true));
  grid.step(1, -0.25F);
  EXPECT_EQ(wafer.floats("u"), grid.u()) << backend << " " << rows << " x " << cols;
}

TEST(ProgramExamples, StencilHasTheBitsOfItsFormulaOnAnyMesh) {
  for (const char* backend : kBackends)
    for (const auto& [rows, cols] : {std::pair{1, 1}, std::pair{1, 7}, std::pair{5, 3}, std::pair{4, 1}})
      run_stencil(backend, rows, cols);
  run_stencil("model", 16, 16);
}

TEST(ProgramExamplesLong, DoTheSameOnModelAndRtlInstructionByInstruction) {
  test::Rng rng(test::test_seed());
  Session wafer(mesh(5, 3), "model", 1);
  wafer.load(example("stencil.s", {{"N", 48}},
                     {shift("east", 0, 1), shift("west", 0, -1), shift("south", 1, 0), shift("north", -1, 0)}));
  wafer.set("u", random_values(std::size_t{5} * 3 * 48, rng));
  compare_instructions(wafer, "main", {{"steps", 3}, {"center", nearest_bf16(0.5)}, {"side", nearest_bf16(0.125)}});
}

TEST(ProgramExamplesLong, RunUnchangedOnTheRtlOf16x16Tiles) {
  run_axpy("rtl", 16, 16);
  run_stencil("rtl", 16, 16);
}

}  // namespace
}  // namespace weft::programs
