#include "host/planning/estimate/gradient.hpp"

#include <algorithm>
#include <array>

#include "host/planning/estimate/arrival_times.hpp"
#include "host/planning/estimate/lines.hpp"
#include "host/planning/estimate/row_links.hpp"
#include "host/planning/estimate/vector_unit.hpp"

namespace weft::planning {
namespace gradient {
namespace {

constexpr double kStart = 16, kEnd = 20;  // per call
constexpr double kSum = 7;                // from a multiply-add until the same sum can be updated again
constexpr double kRing = 15;              // from the first word of dy in a row to the first word in the next
constexpr double kDy = 18;                // from dy's last word until main reads dy
constexpr double kHome = 14;              // when the home row changes
constexpr double kBeside = 8;             // part of kHome that overlaps with the beats of dy, if there are as many
constexpr double kBesideSums = 14;        // further part that overlaps with the beats of sums, if there are as many
constexpr double kEmpty = 12.5;           // per row that is home to no output
constexpr double kGather = 37;            // from the last index until its group is complete
constexpr double kBetween = 3;            // between two groups of main
constexpr double kResult = 3;             // from main's last beat of a group until psum reads the result
constexpr double kStep = 2;               // from a sum of two lanes until it can be added to the next
constexpr double kWest = 11;              // from a sum in one column to that in the next column to the west
constexpr std::size_t kEntries = 2;       // entries of MP and of PM

struct Tile {
  VectorUnit unit;
  double main = 0, psum = 0;            ///< when the threads become free
  double sums = kBesideSums;            ///< duration of psum's last sums
  double dy = 0;                        ///< when main can read dy of this output
  std::array<double, kEntries> sent{};  ///< when psum had sent the previous groups
};

struct Row {
  std::vector<Tile> tiles;  ///< by column
  RowLinks links;
  std::size_t groups = 0;
};

class Gradient {
 public:
  Gradient(const StreamCall& call, const machine::WaferShape& wafer, int tokens, const Sample& sample)
      : lines_(*call.descriptor),
        outputs_(StreamLines::count(*call.descriptor)),
        rest_(outputs_, sample),
        homes_(homes_of(*call.descriptor)),
        local_(call.kernel == "gradient_local"),
        turns_(wafer.w_turns()),
        lanes_(wafer.lanes),
        vector_(static_cast<double>(tokens) / wafer.lanes),
        arrivals_(wafer, call.commands, kRouterRoom) {
    group_ = local_ ? 16 : call.argument("group") % 16;
    if (group_ == 0) group_ = 16;
    const int cols = turns_ ? std::min(wafer.cols, std::max(sample.columns, 2)) : wafer.cols;
    if (cols > 1) stands_for_ = static_cast<double>(wafer.cols - 1) / (cols - 1);
    Tile tile;
    tile.main = tile.psum = call.commands + kStart;
    const auto columns = static_cast<std::size_t>(cols);
    const Row row{.tiles = {columns, tile}, .links = RowLinks(columns, turns_, stands_for_)};
    rows_.assign(static_cast<std::size_t>(wafer.rows), row);
    while (home_ + 1 < homes_.size() && homes_[home_] == 0) ++home_;
    left_ = homes_.empty() ? 0 : homes_[home_];
  }

  double cycles() {
    if (outputs_ > 0) broadcast(0);
    for (std::size_t o = 0; o < outputs_ && lines_.next(); ++o) {
      const bool last_at_home = !local_ && left_ == 0;
      std::vector<double> dy;
      for (const Row& row : rows_)
        for (const Tile& tile : row.tiles) dy.push_back(tile.dy);
      if (o + 1 < outputs_)
        broadcast(o + 1);
      else
        leave_home();
      take(o);
      for (std::size_t r = 0; r < rows_.size(); ++r) output(rows_[r], o, &dy[r * rows_[r].tiles.size()]);
      steps_ += (lines_.rows().size() + rows_.size()) * rows_[0].tiles.size();
      if (rest_.stop(o, local_ || last_at_home, steps_, end_)) break;
    }
    return end_ + rest_.cycles() + kEnd;
  }

 private:
  /// Broadcasts dy of output o to all rows, in each column.
  void broadcast(std::size_t o) {
    double move = 0;
    if (!local_) {
      while (left_ == 0 && home_ + 1 < homes_.size()) {
        left_ = homes_[++home_];
        move += left_ > 0 ? kHome + std::max(0.0, kBeside - vector_ * lanes_ / 2) : kEmpty;
      }
      --left_;
    }
    const bool ring = !local_ && rows_.size() > 1;
    const double time = ring ? vector_ * lanes_ / 2 : vector_;
    for (std::size_t c = 0; c < rows_[0].tiles.size(); ++c) {
      double from = 0;
      for (std::size_t n = 0; n < rows_.size(); ++n) {
        Row& row = rows_[(home_ + n) % rows_.size()];
        Tile& tile = row.tiles[c];
        const double ready = std::max(tile.psum + (move > 0 ? move + not_beside(tile) : 0), row.links.taken(o, c));
        from = n == 0 || !ring ? ready : std::max(ready, from + kRing);
        tile.unit.psum(from, from + time, vector_);
        tile.dy = from + time + kDy;
        tile.psum = from + time;
      }
    }
  }

  /// Moves psum past the rows after its home, before the last output's sums.
  void leave_home() {
    if (local_) return;
    for (Row& row : rows_)
      for (Tile& tile : row.tiles)
        tile.psum += kEmpty * static_cast<double>(empty_at_the_end(homes_)) + not_beside(tile);
  }

  /// Part of a home row change that psum's last sums were too short to hide.
  static double not_beside(const Tile& tile) { return std::max(0.0, kBesideSums - tile.sums); }

  void take(std::size_t o) {
    for (Row& row : rows_) row.links.begin_output();
    for (const std::uint16_t to : lines_.rows())
      arrivals_.set_taken(to, rows_[to].links.message(arrivals_.next_weight(to), o, true));
    arrivals_.next_command();
    for (std::size_t r = 0; r < rows_.size(); ++r)
      arrivals_.set_taken(static_cast<int>(r), rows_[r].links.message(arrivals_.times()[r], o, false));
  }

  void output(Row& row, std::size_t o, const double* dy) {
    const auto count = row.links.messages() - 1;
    std::size_t at = 0;
    do {
      const std::size_t n = std::min(count - at, static_cast<std::size_t>(group_));
      const bool last = at + n == count;
      double west = 0, west_end = 0;
      for (std::size_t c = row.tiles.size(); c-- > 0;) {
        Tile& tile = row.tiles[c];
        double& sent = tile.sent[row.groups % kEntries];
        // A full group waits for the message after it.
        const double begin = std::max({tile.main, row.links.arrived(at + n, c) + kGather, sent, dy[c]});
        const double done = n == 0 ? begin : main_done(tile, begin, static_cast<double>(n));
        tile.main = done + kBetween;
        if (last) row.links.take(o, c, done);
        for (std::size_t i = 0; i < n; ++i) row.links.free(at + i, c, done);
        send(tile, static_cast<double>(n), done, c + 1 == row.tiles.size(), west, west_end);
        sent = tile.psum;
        end_ = std::max(end_, tile.psum);
      }
      ++row.groups;
      at += n;
    } while (at < count);
  }

  /// Time of a group's last beat. With few sums, each beat waits for earlier ones, regardless of psum's beats, but
  /// nothing follows the last ones.
  double main_done(Tile& tile, double begin, double sums) const {
    const double rate = std::min(1.0, sums / kSum);
    return tile.unit.main(begin, vector_ * sums, rate) - std::max(0.0, kSum - sums);
  }

  /// Reduces a group's sums over the lanes, and sends them west.
  void send(Tile& tile, double n, double done, bool first, double& west, double& west_end) const {
    const double begin = std::max(tile.psum, done + kResult);
    if (n == 0) {
      tile.psum = begin + 1;
      tile.sums = 1;
      return;
    }
    double summed = begin, beats = n;
    for (int level = 1; 1 << level <= lanes_; ++level) {
      beats = 1 << level == lanes_ && lanes_ > 2 ? std::max(1.0, n / 2) : n * (lanes_ >> (level + 1));
      if (lanes_ == 2) beats = n;
      summed += std::max(beats, kStep);
    }
    const double from = first ? summed : std::max(summed, west + kWest * stands_for_);
    const double to = std::max(from + n, first ? 0 : west_end + kWest * stands_for_);
    tile.unit.psum(begin, summed, n * (lanes_ / 2 - 1) + n / 2);
    tile.unit.psum(from, to, n / 2);
    west = from, west_end = to;
    tile.psum = to;
    tile.sums = to - begin;
  }

  StreamLines lines_;
  const std::size_t outputs_;
  Extrapolation rest_;
  const std::vector<int> homes_;
  const bool local_, turns_;
  const int lanes_;
  const double vector_;
  ArrivalTimes arrivals_;
  std::vector<Row> rows_;
  double stands_for_ = 1;  ///< number of columns that each simulated column represents
  std::size_t steps_ = 0;
  int group_;
  std::size_t home_ = 0;
  int left_ = 0;
  double end_ = 0;
};

}  // namespace
}  // namespace gradient

double gradient_cycles(const StreamCall& call, const machine::WaferShape& wafer, int tokens, const Sample& sample) {
  return gradient::Gradient(call, wafer, tokens, sample).cycles();
}

}  // namespace weft::planning
