/// Collectives against sums and permutations on the host.
#include <fmt/format.h>

#include <numeric>

#include "tests/programs/example.hpp"

namespace weft::programs {
namespace {

using Kind = Collective::Kind;
using Along = Collective::Along;

constexpr int kN = 8;  // elements of an array

/// Arrays u and v of kN elements, and b of kN elements for each tile of the longer side.
Layout layout_with(std::vector<Collective> collectives, int tiles) {
  Layout layout = layout_of(".array u, fp32, N\n.array v, fp32, N\n.array b, fp32, N * TILES\n.kernel none\n halt\n",
                            {}, {{"N", kN}, {"TILES", tiles}});
  layout.collectives = std::move(collectives);
  return layout;
}

/// Values of small integers, so that sums are exact in any order.
std::vector<float> numbers(std::size_t n, test::Rng& rng) {
  std::vector<float> values(n);
  for (float& value : values) value = static_cast<float>(rng.below(100));
  return values;
}

class Collectives : public testing::Test {
 protected:
  struct Case {
    int rows, cols;
    Tile root;
  };
  /// Calls `work` with a loaded wafer of each backend.
  template <class Work>
  void each(const Case& c, const Collective& collective, int tiles, const Work& work) {
    for (const char* backend : kBackends) {
      SCOPED_TRACE(fmt::format("{} {} x {} root {}", backend, c.rows, c.cols, name_of(c.root)));
      Session wafer(mesh(c.rows, c.cols), backend, 1);
      wafer.load(layout_with({collective}, tiles));
      work(wafer);
    }
  }
  static std::size_t at(const Case& c, int row, int col, int element) {
    return static_cast<std::size_t>((row * c.cols + col) * kN + element);
  }
  test::Rng rng_{test::test_seed()};
};

constexpr std::array kMeshes = {std::tuple{1, 1, Tile{0, 0}}, std::tuple{1, 4, Tile{0, 2}},
                                std::tuple{3, 1, Tile{2, 0}}, std::tuple{3, 4, Tile{1, 2}},
                                std::tuple{2, 3, Tile{1, 0}}};

TEST_F(Collectives, BroadcastAndSumsByRowsColumnsAndRectangles) {
  for (const auto& [rows, cols, root] : kMeshes)
    for (const Along along : {Along::Rows, Along::Columns, Along::All})
      for (const Kind kind : {Kind::Broadcast, Kind::Reduce, Kind::AllReduce}) {
        const Case c{rows, cols, root};
        const std::vector<float> u = numbers(static_cast<std::size_t>(rows * cols * kN), rng_);
        std::vector<float> expected = u;
        for (int row = 0; row < rows; ++row)
          for (int col = 0; col < cols; ++col)
            for (int e = 0; e < kN; ++e) {
              const int r0 = along == Along::Rows ? row : root.row, c0 = along == Along::Columns ? col : root.col;
              float sum = 0;
              for (int r = 0; r < rows; ++r)
                for (int k = 0; k < cols; ++k)
                  if ((along != Along::Rows || r == row) && (along != Along::Columns || k == col))
                    sum += u[at(c, r, k, e)];
              float& to = expected[at(c, row, col, e)];
              if (kind == Kind::Broadcast) to = u[at(c, r0, c0, e)];
              if (kind == Kind::AllReduce) to = sum;
              if (kind == Kind::Reduce && row == r0 && col == c0) to = sum;
            }
        each(c, {.name = "all", .kind = kind, .array = "u", .along = along, .root = root}, 1, [&](Session& wafer) {
          wafer.set("u", u);
          ASSERT_TRUE(wafer.run("all", {}, true));
          std::vector<float> result = wafer.floats("u");
          if (kind == Kind::Reduce && along == Along::All)  // tiles of the root's column have the sums of their rows
            for (int row = 0; row < rows; ++row)
              if (row != root.row)
                for (int e = 0; e < kN; ++e) result[at(c, row, root.col, e)] = expected[at(c, row, root.col, e)];
          EXPECT_EQ(result, expected);
        });
      }
}

TEST_F(Collectives, GatherAndScatterTheArraysOfALine) {
  for (const auto& [rows, cols, root] : kMeshes)
    for (const Along along : {Along::Rows, Along::Columns}) {
      const Case c{rows, cols, root};
      const bool by_row = along == Along::Rows;
      const int tiles = by_row ? cols : rows;
      const std::vector<float> u = numbers(static_cast<std::size_t>(rows * cols * kN), rng_);
      const std::vector<float> b = numbers(u.size() * static_cast<std::size_t>(tiles), rng_);
      const auto block = [&](int row, int col, int tile, int e) {
        return static_cast<std::size_t>(((row * cols + col) * tiles + tile) * kN + e);
      };
      std::vector<float> gathered = b, scattered = u;
      for (int row = 0; row < rows; ++row)
        for (int col = 0; col < cols; ++col)
          for (int e = 0; e < kN; ++e) {
            const int r0 = by_row ? row : root.row, c0 = by_row ? root.col : col, tile = by_row ? col : row;
            gathered[block(r0, c0, tile, e)] = u[at(c, row, col, e)];
            scattered[at(c, row, col, e)] = b[block(r0, c0, tile, e)];
          }
      for (const Kind kind : {Kind::Gather, Kind::Scatter})
        each(c, {.name = "all", .kind = kind, .array = "u", .other = "b", .along = along, .root = root}, tiles,
             [&](Session& wafer) {
               wafer.set("u", u);
               wafer.set("b", b);
               ASSERT_TRUE(wafer.run("all", {}, true));
               EXPECT_EQ(wafer.floats("b"), kind == Kind::Gather ? gathered : b);
               EXPECT_EQ(wafer.floats("u"), kind == Kind::Gather ? u : scattered);
             });
    }
}

TEST_F(Collectives, TransposeOfVectorsLongerThanTheBuffers) {
  constexpr int kLong = 100;
  for (const int n : {1, 2, 4})
    for (const char* backend : kBackends) {
      Layout layout = layout_of(".array u, fp32, N\n.array v, fp32, N\n.kernel none\n halt\n", {}, {{"N", kLong}});
      layout.collectives = {{.name = "turn", .kind = Kind::Transpose, .array = "u", .other = "v"}};
      Session wafer(mesh(n, n), backend, 1);
      wafer.load(layout);
      std::vector<float> u(static_cast<std::size_t>(n * n * kLong)), expected(u.size());
      std::iota(u.begin(), u.end(), 0.0F);
      for (int row = 0; row < n; ++row)
        for (int col = 0; col < n; ++col)
          for (int e = 0; e < kLong; ++e)
            expected[static_cast<std::size_t>((row * n + col) * kLong + e)] =
                u[static_cast<std::size_t>((col * n + row) * kLong + e)];
      wafer.set("u", u);
      ASSERT_TRUE(wafer.run("turn", {}, true)) << n;
      EXPECT_EQ(wafer.floats("v"), expected) << backend << n;
    }
}

TEST_F(Collectives, AreForkedByKernelsAndWorkInARegion) {
  constexpr const char* kText = R"(
.array  u, fp32, 4
.kernel twice
        fork  total_psum
        join
        fork  total_psum
        join
        halt
)";
  for (const char* backend : kBackends) {
    Layout layout = layout_of(kText);
    layout.programs[0].region = {1, 1, 2, 2};
    layout.collectives = {{.name = "total", .kind = Kind::AllReduce, .array = "u", .region = {1, 1, 2, 2}}};
    Session wafer(mesh(3, 4), backend, 1);
    wafer.load(layout);
    wafer.set("u", std::vector<float>(16, 1.5F));
    ASSERT_TRUE(wafer.run("twice", {}, true));
    EXPECT_EQ(wafer.floats("u"), std::vector<float>(16, 24));
  }
}

TEST_F(Collectives, RefuseWhatDoesNotFit) {
  const auto error = [](const Collective& c, int rows = 2) {
    Layout layout = layout_with({c}, 3);
    layout.programs[0].text += ".array k, int16, 4\n";
    return refusal_of([&] { build(layout, mesh(rows, 3)); });
  };
  EXPECT_EQ(error({.name = "x", .array = "w"}),
            "x: its program has no array w. HINT: declare it with .array w, fp32, 64.");
  EXPECT_EQ(error({.name = "x", .array = "k"}),
            "x: array k is not one of fp32. HINT: use an array in the accumulator file.");
  EXPECT_EQ(error({.name = "x", .array = "u", .root = {2, 0}}),
            "x: tile (2,0) is not in its region of 2 x 3 tiles. HINT: count rows and columns of the root from those of "
            "the region.");
  EXPECT_EQ(error({.name = "x", .kind = Kind::Transpose, .array = "u", .other = "v"}),
            "x: its region of 2 x 3 tiles is not square. HINT: transpose a square region.");
  EXPECT_EQ(error({.name = "x", .kind = Kind::Gather, .array = "u", .other = "b", .along = Along::Columns}),
            "x: array u has 8 elements, and array b has 24. HINT: declare b with 2 times the elements of u, a multiple "
            "of the 4 lanes.");
  EXPECT_EQ(error({.name = "x", .kind = Kind::Gather, .array = "u", .other = "b"}),
            "x: it gathers or scatters along rows and columns. HINT: use one of both, or two collectives.");
  EXPECT_EQ(error({.name = "x", .array = "u", .region = {0, 0, 1, 1}}),
            "x: no program has the region of this collective. HINT: give it the region of one.");
}

}  // namespace
}  // namespace weft::programs
