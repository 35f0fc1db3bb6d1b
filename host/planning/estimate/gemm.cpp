#include "host/planning/estimate/gemm.hpp"

#include <algorithm>
#include <vector>

#include "host/planning/estimate/arrival_times.hpp"
#include "host/planning/estimate/lines.hpp"
#include "host/planning/estimate/vector_unit.hpp"
#include "sw/machine/sum_cycles.hpp"

namespace weft::planning {
namespace {

constexpr double kStart = 22, kEnd = 30;  // per call
constexpr double kSum = 7;                // from a multiply-add until the same sum can be updated again
constexpr double kRead = 0.5;             // additional cycles until the sum can be copied
constexpr double kResult = 5.5;           // from main's last beat until psum reads the result
constexpr double kRing = 15.5;            // from the first word in a row to the first word in the next
constexpr double kBetween = 2.5;          // between two outputs of main
constexpr double kSlot = 3;               // between two outputs of psum
constexpr double kEmpty = 14.5;           // per row that is home to no output
constexpr double kFanOut = 2;             // latency of W from one column to the next
constexpr std::size_t kRoom = 9;          // messages between valve and PE
constexpr std::size_t kEntries = 2;       // MP

struct Row {
  VectorUnit unit;
  double main = 0, psum = 0;        ///< when the threads become free
  std::vector<double> sums;         ///< when main may update the same sum again, for each output of a group
  double messages = 0;              ///< weights of this group
  double done = 0;                  ///< when main's part of this output is done
  double taken[kEntries] = {0, 0};  ///< when psum took the previous entries
};

}  // namespace

double gemm_cycles(const StreamCall& call, const machine::WaferShape& wafer, int tokens, const Sample& sample) {
  const std::vector<int> homes = homes_of(*call.descriptor);
  const bool rotating = is_rotating(call);
  const std::size_t lines = call.descriptor->lines.size();  // per output
  const auto each = static_cast<std::size_t>(call.descriptor->interleave ? call.descriptor->interleave->each : 1);
  const double vector = static_cast<double>(tokens) / wafer.lanes;
  const compiler::Space& outputs = *call.descriptor->outputs;
  const auto rows = static_cast<std::size_t>(wafer.rows);
  const double start = call.commands + kStart;

  ArrivalTimes arrivals(wafer, call.commands, kRoom);
  std::vector<Row> row(rows);
  for (Row& r : row) r.main = r.psum = start, r.sums.assign(each, 0);
  double end = start, before = 0;  // cycles of the previous vector, which psum's core works beside
  std::size_t home = 0, left = 0, steps = 0;
  int buffers = 0;  // of groups since a smaller one
  for (std::size_t h = 0; h < homes.size(); ++h)
    if (homes[h] > 0) {
      home = h, left = static_cast<std::size_t>(homes[h]);
      break;
    }
  const std::size_t all = StreamLines::count(*call.descriptor);
  Extrapolation rest(all / lines, sample);
  StreamLines of(*call.descriptor);
  for (std::size_t k = 0; k < all && of.next(); ++k) {
    for (std::size_t n = 0; n < of.rows().size(); ++n) {
      const std::uint16_t to = of.rows()[n];
      Row& r = row[to];
      double& sum = r.sums[of.sums()[n]];
      const double begin = std::max({arrivals.next_weight(to), r.main, sum});
      arrivals.set_taken(to, begin);
      ++r.messages;
      r.main = r.unit.main(begin, vector);
      sum = begin + kSum;
    }
    const double together =
        std::min(static_cast<double>(each), static_cast<double>(outputs.count(of.home()) - of.slot()));
    const double adds = together * tokens / 2, link = wafer.rows > 1 ? together * tokens : adds;
    const std::size_t output = k / lines;
    const bool put = (k + 1) % lines == 0;
    arrivals.next_command();
    for (std::size_t i = 0; i < rows; ++i) {
      Row& r = row[i];
      const double room = put ? r.taken[output % kEntries] : 0;
      double at = std::max(arrivals.times()[i], r.main);
      if (rotating) at = std::max(at, room);
      arrivals.set_taken(static_cast<int>(i), at);
      if (put && rotating) std::ranges::fill(r.sums, 0);
      if (put && !rotating) {
        at = std::max({at, room, r.sums[0] + kRead});
        for (std::size_t n = 0; n < each; ++n) r.sums[n] = at + 1 + kSum + 2 * vector * static_cast<double>(n);
        at = r.unit.main(at, 2 * vector * static_cast<double>(each));
      }
      r.done = at;
      r.main = at + kBetween;
    }
    if (!put) continue;
    double move = 0;
    while (left == 0 && home + 1 < homes.size()) {
      left = static_cast<std::size_t>(homes[++home]);
      move += left > 0 ? machine::home_cycles(link) : kEmpty;
    }
    if (left > 0) --left;
    if (together < static_cast<double>(each)) {
      move +=
          std::max(0.0, machine::fewer_cycles(static_cast<double>(each) - together, buffers) - (move > 0 ? 0 : before));
      buffers %= machine::kPsumBuffers;
    }
    ++buffers, before = link;
    double from = 0, to = 0;
    for (std::size_t n = 0; n < rows; ++n) {
      Row& r = row[(home + 1 + n) % rows];
      from = std::max({r.done + kResult, r.psum + move, n == 0 ? 0 : from + kRing});
      to = std::max(from + link, n == 0 ? 0 : to + kRing);
      // The ramp passes a message per cycle, a weight or a word: main waits for weights behind words.
      r.unit.psum(from, to, n > 0 ? std::max(adds, link - r.messages * (vector - 1)) : adds);
      r.messages = 0;
      r.psum = to + kSlot;
      r.taken[output % kEntries] = to;
    }
    end = std::max(end, to);
    steps += of.rows().size() + lines * rows;
    if (rest.stop(output, left == 0, steps, end)) break;
  }
  const double columns = wafer.w_turns() ? 0 : kFanOut * (wafer.cols - 1);
  return end + rest.cycles() + kEnd + columns + kEmpty * static_cast<double>(empty_at_the_end(homes));
}

}  // namespace weft::planning
