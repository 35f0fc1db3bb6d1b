/// Random layouts: legal ones are certified, run with the words of a reference on both backends; ones in which two
/// tiles wait for each other are refused with the cycle.
#include <fmt/format.h>

#include "host/inspect/own/first_difference.hpp"
#include "host/programs/routes.hpp"
#include "tests/programs/example.hpp"

namespace weft::programs {
namespace {

/// A layout in which each tile has a program of its own: rounds of words on random streams, the same order in all
/// tiles, each tile sending before it takes. A tile adds what it takes to its number, and sends its number. At the end
/// all numbers go to the host.
class RandomLayout {
 public:
  /// `streams`: besides the one to the host.
  RandomLayout(const machine::WaferShape& shape, test::Rng& rng, int streams) : shape_(shape), rng_(rng) {
    texts_.resize(static_cast<std::size_t>(shape.rows * shape.cols));
    for (std::size_t t = 0; t < texts_.size(); ++t) numbers_.push_back(static_cast<std::uint32_t>(t + 1));
    layout_.streams.push_back({"report", {.kind = Way::Kind::Gather, .step = {}, .tiles = {}}, whole(), {}});
    for (int s = 0; s < streams; ++s)
      layout_.streams.push_back({std::string(1, static_cast<char>('a' + s)), random_way(), whole(), {}});
    for (const Stream& stream : layout_.streams) routes_.push_back(routes_of(stream, shape));
    for (std::size_t s = 1; s < routes_.size(); ++s) round(s, 1);  // a stream without words would have no reader
    for (unsigned n = rng.below(5); n > 0; --n)
      round(1 + rng.below(static_cast<unsigned>(streams)), 1 + static_cast<int>(rng.below(8)));
  }

  /// Lets two neighbours wait for each other: both take before they send, or send more than the buffers hold before
  /// they take. Needs a second color between them, which replaces the last stream.
  void add_deadlock() {
    const Tile step = shape_.cols > 1 ? Tile{0, 1} : Tile{1, 0};
    const Tile one = {static_cast<int>(rng_.below(static_cast<unsigned>(shape_.rows - step.row))),
                      static_cast<int>(rng_.below(static_cast<unsigned>(shape_.cols - step.col)))};
    const Tile other = {one.row + step.row, one.col + step.col};
    for (const auto& [name, from, to] : {std::tuple{"there", one, other}, std::tuple{"back", other, one}}) {
      layout_.streams.push_back({name, {.kind = Way::Kind::Path, .step = {}, .tiles = {from, to}}, {}, {}});
      routes_.push_back(routes_of(layout_.streams.back(), shape_));
    }
    const bool takes_first = rng_.chance(50);
    const int words = takes_first ? 1 : 100;
    for (const auto& [tile, out, in] : {std::tuple{one, "there", "back"}, std::tuple{other, "back", "there"}}) {
      const std::string send = words_of("snd", fmt::format("{}, r1", out), words);
      const std::string take = words_of("rcv", fmt::format("r2, {}", in), words);
      text(tile) += takes_first ? take + send : send + take;
    }
  }

  Layout layout() {
    Layout result = layout_;
    for (int row = 0; row < shape_.rows; ++row)
      for (int col = 0; col < shape_.cols; ++col) {
        const std::string report =
            " snd report, r1\n" + words_of("rcv", "r2, report", shape_.cols - 1 - col, " snd report, r2\n");
        result.programs.push_back(
            {fmt::format("tile_{}_{}.s", row, col),
             fmt::format(".kernel main\n fork p\n halt\np: li r1, {}\n", row * shape_.cols + col + 1) +
                 text({row, col}) + report + " halt\n",
             {},
             {row, col, 1, 1}});
      }
    return result;
  }

  /// The words that the host gets from a row.
  std::vector<std::uint32_t> expected(int row) const {
    const auto first = numbers_.begin() + static_cast<std::ptrdiff_t>(row * shape_.cols);
    return {first, first + shape_.cols};
  }

 private:
  Region whole() const { return {0, 0, shape_.rows, shape_.cols}; }
  std::string& text(Tile t) { return texts_[static_cast<std::size_t>(t.row * shape_.cols + t.col)]; }
  std::uint32_t& number(Tile t) { return numbers_[static_cast<std::size_t>(t.row * shape_.cols + t.col)]; }
  Tile random_tile() {
    return {static_cast<int>(rng_.below(static_cast<unsigned>(shape_.rows))),
            static_cast<int>(rng_.below(static_cast<unsigned>(shape_.cols)))};
  }

  std::string words_of(const char* instruction, const std::string& operands, int n,
                       const std::string& behind = "") const {
    std::string lines;
    for (int i = 0; i < n; ++i) lines += fmt::format(" {} {}\n{}", instruction, operands, behind);
    return lines;
  }

  Way random_way() {
    constexpr Tile kSteps[] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}};
    const Tile tile = random_tile();
    switch (rng_.below(4)) {
      case 0:
        return {Way::Kind::Shift, kSteps[rng_.below(4)], {}};
      case 1:
        return {Way::Kind::Broadcast, {}, {tile}};
      case 2:
        return {Way::Kind::Broadcast, {}, {rng_.chance(50) ? Tile{-1, tile.col} : Tile{tile.row, -1}}};
      default: {
        std::vector<Tile> tiles{tile};  // a walk that passes no tile twice
        for (int i = 0; i < 6; ++i) {
          const Tile step = kSteps[rng_.below(4)], next{tiles.back().row + step.row, tiles.back().col + step.col};
          if (whole().has(next) && std::ranges::find(tiles, next) == tiles.end()) tiles.push_back(next);
        }
        if (tiles.size() < 2) return {Way::Kind::Shift, kSteps[0], {}};
        return {Way::Kind::Path, {}, tiles};
      }
    }
  }

  /// `words` words on a stream. Each sender's words are equal, and reach the receivers that follow it.
  void round(std::size_t stream, int words) {
    const std::string& name = layout_.streams[stream].name;
    const std::vector<std::uint32_t> before = numbers_;
    for (const Tile tile : routes_[stream].senders) text(tile) += words_of("snd", name + ", r1", words);
    for (const Tile tile : routes_[stream].receivers) {
      text(tile) += words_of("rcv", "r2, " + name, words, " add r1, r1, r2\n");
      const Tile from = sender(layout_.streams[stream].way, tile);
      number(tile) +=
          static_cast<std::uint32_t>(words) * before[static_cast<std::size_t>(from.row * shape_.cols + from.col)];
      number(tile) &= 0xffff;
    }
  }

  static Tile sender(const Way& way, Tile to) {
    if (way.kind == Way::Kind::Shift) return {to.row - way.step.row, to.col - way.step.col};
    const Tile first = way.tiles.front();
    return {first.row < 0 ? to.row : first.row, first.col < 0 ? to.col : first.col};
  }

  const machine::WaferShape shape_;
  test::Rng& rng_;
  Layout layout_;
  std::vector<StreamRoutes> routes_;    // [stream]
  std::vector<std::string> texts_;      // [tile]
  std::vector<std::uint32_t> numbers_;  // [tile]
};

machine::WaferShape random_mesh(test::Rng& rng, int least) {
  machine::WaferShape shape = mesh(1 + static_cast<int>(rng.below(4)), 1 + static_cast<int>(rng.below(4)));
  if (shape.rows * shape.cols < least) shape.cols = 2;
  shape.sram_kib = 1;
  return shape;
}

/// `layouts` legal ones are certified, and run with the words of the reference on both backends, instruction by
/// instruction alike.
void run_legal(int layouts) {
  test::Rng rng(test::test_seed());
  for (int i = 0; i < layouts; ++i) {
    const machine::WaferShape shape = random_mesh(rng, 1);
    RandomLayout random(shape, rng, 3);
    const Layout layout = random.layout();
    for (const char* backend : kBackends) {
      Session wafer(shape, backend, 1);
      wafer.load(layout);
      const Replay before = wafer.replay("main", {}, "check");
      ASSERT_TRUE(wafer.run("main", {}, true));
      for (int row = 0; row < shape.rows; ++row)
        ASSERT_EQ(wafer.words(row), random.expected(row)) << backend << " row " << row;
      if (backend != kBackends[0]) continue;
      ASSERT_EQ(inspect::own::text(inspect::own::first_difference(before, before)), "");
    }
  }
}

void refuse_deadlocks(int layouts) {
  test::Rng rng(test::test_seed() + 1);
  for (int i = 0; i < layouts; ++i) {
    const machine::WaferShape shape = random_mesh(rng, 2);
    RandomLayout random(shape, rng, 1);
    random.add_deadlock();
    const Layout layout = random.layout();
    Session wafer(shape, "rtl", 1);
    const std::string text = refusal_of([&] { wafer.load(layout); });
    wafer.load(layout, false);
    ASSERT_EQ(refusal_of([&] { wafer.run("main", {}, true); }), text);
    ASSERT_TRUE(text.starts_with("kernel main: can deadlock: ")) << text;
    ASSERT_NE(text.find("wait in a cycle"), std::string::npos) << text;
    ASSERT_NE(text.find(".s:"), std::string::npos) << text;  // each tile has a program of its own
    const std::string hang = refusal_of([&] { wafer.run("main", {}, false); });
    ASSERT_TRUE(hang.starts_with("kernel main: the wafer hangs")) << hang;
    ASSERT_NE(hang.find(".s:"), std::string::npos) << hang;
  }
}

TEST(RandomLayouts, LegalOnesRunWithTheSameWordsOnBothBackends) { run_legal(10); }

TEST(RandomLayouts, ThoseInWhichTilesWaitForEachOtherAreRefusedWithTheCycle) { refuse_deadlocks(5); }

TEST(RandomLayoutsLong, AHundredLegalOnesRunWithTheSameWordsOnBothBackends) { run_legal(100); }

TEST(RandomLayoutsLong, ThirtyInWhichTilesWaitForEachOtherAreRefused) { refuse_deadlocks(30); }

}  // namespace
}  // namespace weft::programs
