/// The programs of the folder examples on 8 x 8 tiles of RTL, next to the limit that binds each of them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bench/benches.hpp"
#include "bench/print.hpp"
#include "host/programs/session.hpp"
#include "sw/base/bf16.hpp"

namespace weft::bench {
namespace {
namespace examples {  // several files of the benchmarks are compiled as one

using namespace programs;

constexpr int kSide = 8, kTiles = kSide * kSide, kLanes = 4;
constexpr double kGoal = 0.8;             ///< share of the limit
constexpr double kPeakGoal = 1.0 / 3;     ///< share of the lanes' peak, BiCGSTAB
constexpr double kSolverOperations = 44;  ///< a point and iteration: 2 * 12 of products, 4 * 2, 6 * 2
constexpr int kUpperHalf = 16384;         ///< first element of the upper half of 48 KiB

/// Work that a measured part asks of the busiest tile. `reads` and `writes` are vectors of LANES elements in memory,
/// `multiply_adds` beats of LANES multiply-adds; `words` are those that psum sends or takes, a word that is added to
/// and passed on counted once.
struct Demand {
  double reads, writes, multiply_adds, words;
};

struct Example {
  std::string name, size;
  std::vector<std::string> files = {name + ".s"};  ///< of the folder examples, one text
  std::string kernel;
  std::map<std::string, int> parameters = {};
  Arguments arguments = {};
  std::vector<Collective> collectives = {};
  std::string stream_prefix = {};  ///< names of the four shifts
  bool shifts = false;
  int steps = 0;  ///< 0: a whole run is measured; else a step, from runs of 1 and of 1 + `steps` steps
  Demand demand = {};
};

Layout layout_of(const Example& example) {
  std::ostringstream text;
  for (const std::string& file : example.files) {
    std::ifstream in(std::string(WEFT_EXAMPLES) + "/" + file);
    if (!in) throw std::runtime_error(file + " cannot be read");
    text << in.rdbuf();
  }
  Layout layout{.programs = {{example.name, text.str(), example.parameters, {}}},
                .streams = {},
                .collectives = example.collectives};
  const std::pair<const char*, Tile> shifts[] = {
      {"east", {0, 1}}, {"west", {0, -1}}, {"south", {1, 0}}, {"north", {-1, 0}}};
  for (const auto& [name, step] : shifts)
    if (example.shifts)
      layout.streams.push_back(
          {example.stream_prefix + name, {.kind = Way::Kind::Shift, .step = step, .tiles = {}}, {}, {}});
  return layout;
}

struct Measured {
  double cycles, beats;  ///< beats of the busiest tile
};

/// Cycles and beats do not depend on the values in memory, which are zeros.
Measured run(Session& wafer, const Example& example, const Arguments& arguments) {
  const std::vector<std::uint64_t> before = wafer.tile_beats();
  const auto counts = wafer.run(example.kernel, arguments, true);
  const std::vector<std::uint64_t> after = wafer.tile_beats();
  std::uint64_t most = 0;
  for (std::size_t i = 0; i < after.size(); ++i) most = std::max(most, after[i] - before[i]);
  return {static_cast<double>(counts->cycles), static_cast<double>(most)};
}

Measured measure(const Example& example) {
  Session wafer({.rows = kSide, .cols = kSide, .sram_kib = 48}, "rtl", 1);
  wafer.load(layout_of(example));
  if (example.steps == 0) return run(wafer, example, example.arguments);
  Arguments arguments = example.arguments;
  arguments["steps"] = 1;
  const Measured one = run(wafer, example, arguments);
  arguments["steps"] = 1 + example.steps;
  const Measured all = run(wafer, example, arguments);
  return {(all.cycles - one.cycles) / example.steps, (all.beats - one.beats) / example.steps};
}

struct Result {
  double cycles, share;  ///< of the limit that binds
};

/// Prints a row of the table. The limit that binds allows the most cycles; if none takes half of the time, the waits
/// for words, results and scalar code bind.
Result report(const Example& example) {
  const Measured m = measure(example);
  const Demand& d = example.demand;
  const std::pair<const char*, double> limits[] = {
      {"memory", std::max(d.reads / 2, d.writes)}, {"multiply-adds", d.multiply_adds}, {"link", d.words}};
  const auto* const most = std::max_element(std::begin(limits), std::end(limits),
                                            [](const auto& a, const auto& b) { return a.second < b.second; });
  const double share = most->second / m.cycles;
  row("programs", {{"program", example.name},
                   {"size", example.size},
                   {"cycles", m.cycles},
                   {"beats", m.beats},
                   {"memory", limits[0].second},
                   {"multiply_adds", d.multiply_adds},
                   {"link", d.words},
                   {"bound", share < 0.5 ? "latency" : most->first},
                   {"share", share}});
  return {m.cycles, share};
}

Collective collective(const std::string& name, Collective::Kind kind, const std::string& array, Collective::Along along,
                      Tile root = {}) {
  return {.name = name, .kind = kind, .array = array, .other = {}, .along = along, .root = root, .region = {}};
}

std::vector<Example> all() {
  using Kind = Collective::Kind;
  using Along = Collective::Along;
  constexpr int kN = 8000, kParts = 285, kBlock = 128, kColumns = 4, kPoints = 512, kFolded = 124, kBoards = 320;
  const int half = nearest_bf16(0.5), eighth = nearest_bf16(0.125);
  constexpr double kDot = 28 * kParts;
  return {
      {.name = "axpy",
       .size = "8,000 elements",
       .kernel = "axpy",
       .parameters = {{"N", kN}, {"GAP", kUpperHalf - kN}},
       .arguments = {{"a", half}},
       .demand = {.reads = kN / 2.0, .writes = kN / 4.0, .multiply_adds = kN / 4.0, .words = 0}},
      {.name = "dot",
       .size = "7,980 elements",
       .kernel = "main",
       .parameters = {{"PARTS", kParts}, {"GAP", kUpperHalf - 28 * kParts}},
       .collectives = {collective("total", Kind::Reduce, "dot", Along::All, {kSide / 2, kSide / 2})},
       .demand = {.reads = kDot / 2, .writes = 0, .multiply_adds = kDot / 4, .words = 4 * 28}},
      {.name = "gemv",
       .size = "128 x 128",
       .kernel = "main",
       .parameters = {{"M", kBlock}, {"K", kBlock}},
       .collectives = {collective("share", Kind::Broadcast, "x", Along::Columns),
                       collective("sum", Kind::Reduce, "y", Along::Rows)},
       .demand = {.reads = kBlock * kBlock / 4.0 + kBlock,
                  .writes = kBlock / 4.0,
                  .multiply_adds = kBlock * kBlock / 4.0,
                  .words = 2 * kBlock}},
      {.name = "gemm",
       .size = "128 x 128, 4 columns",
       .kernel = "main",
       .parameters = {{"M", kBlock}, {"K", kBlock}, {"COLUMNS", kColumns}},
       .collectives = {collective("share", Kind::Broadcast, "b", Along::Columns),
                       collective("sum", Kind::Reduce, "c", Along::Rows)},
       .demand = {.reads = kColumns * (kBlock * kBlock / 4.0 + kBlock),
                  .writes = kColumns * kBlock / 4.0,
                  .multiply_adds = kColumns * kBlock * kBlock / 4.0,
                  .words = 2.0 * kColumns * kBlock}},
      {.name = "life",
       .size = "320 boards",
       .kernel = "main",
       .parameters = {{"N", kBoards}},
       .shifts = true,
       .steps = 2,
       .demand = {.reads = 3 * kBoards / 4.0,
                  .writes = kBoards / 4.0,
                  .multiply_adds = 6 * kBoards / 4.0,
                  .words = 8 * kBoards}},
      {.name = "stencil",
       .size = "512 points",
       .kernel = "main",
       .parameters = {{"N", kPoints}},
       .arguments = {{"center", half}, {"side", eighth}},
       .shifts = true,
       .steps = 2,
       .demand = {.reads = 3 * kPoints / 4.0,
                  .writes = kPoints / 4.0,
                  .multiply_adds = 4 * kPoints / 4.0,
                  .words = 8 * kPoints}},
      {.name = "stencil7",
       .size = "496 points",
       .kernel = "main",
       .parameters = {{"W", kFolded}, {"NEXT", 4}},
       .arguments = {{"center", half}, {"side", eighth}},
       .shifts = true,
       .steps = 2,
       .demand =
           {.reads = 5.0 * kFolded + 12, .writes = kFolded + 2, .multiply_adds = 6 * kFolded, .words = 32 * kFolded}},
  };
}

/// BX x BY columns of 4 W points in each tile; an iteration.
Example solver(int bx, int by, int w) {
  const int size = bx * by * (4 * w + 8), used = 10 * size + 8 * (bx + by) * w + 64,
            gap = std::max(16, kUpperHalf - used);
  const double vectors = bx * by * w, edges = 2.0 * (bx + by) * w;
  // Two products with A, each of 13 vectors read, 1 written and 7 beats, with those of edges and across lanes; 4 dot
  // products, of which one has a single vector; 6 updates.
  return {.name = "bicgstab",
          .size = fmt::format("{} x {} columns of {} points", bx, by, 4 * w),
          .files = {"bicgstab.s", "bicgstab_sums.s"},
          .kernel = "solve",
          .parameters = {{"BX", bx}, {"BY", by}, {"W", w}, {"EDGE", std::max(bx, by)}, {"GAP", gap}},
          .stream_prefix = "to_",
          .shifts = true,
          .steps = 2,
          .demand = {.reads = 2 * (13 * vectors + edges + 12 * bx * by) + 7 * vectors + 12 * vectors,
                     .writes = 2 * (vectors + edges + 2 * bx * by) + 6 * vectors,
                     .multiply_adds = 24 * vectors,
                     .words = 2 * 2 * 4 * edges}};
}

}  // namespace examples
}  // namespace

void programs_speed() {
  using namespace examples;
  heading("programs: the examples on 8 x 8 tiles of RTL: cycles of a run or a step, and the fewest by each limit");
  std::vector<std::pair<std::string, double>> shares;
  for (const Example& example : all()) shares.emplace_back(example.name, report(example).share);
  std::vector<std::pair<double, double>> solvers;  // points of a tile, cycles of a point and iteration
  for (const auto& [bx, by, w] : {std::array{2, 2, 4}, std::array{4, 4, 4}, std::array{4, 4, 8}, std::array{7, 7, 4}}) {
    const double points = bx * by * 4 * w;
    solvers.emplace_back(points, report(solver(bx, by, w)).cycles / points);
  }
  double share = 0;
  for (const auto& [points, cycles] : solvers) {
    share = kSolverOperations / (2 * kLanes * cycles);
    row("solver", {{"points", points}, {"cycles", cycles}, {"operations", kSolverOperations}, {"share", share}});
  }
  for (const auto& [name, of_limit] : shares) goal(name + ": share of its limit", of_limit, "", kGoal);
  goal("bicgstab, 784 points a tile: share of the lanes' peak", share, "", kPeakGoal);
}

}  // namespace weft::bench
