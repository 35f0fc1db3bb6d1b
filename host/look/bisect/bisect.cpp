#include "host/look/bisect/bisect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ostream>

#include "host/look/bisect/first_event.hpp"
#include "host/look/bisect/first_number.hpp"

namespace weft::bisect {
namespace {

constexpr int kMostTiles = 16;  // that are looked at for where a difference came from

class Search {
 public:
  Search(Side& a, Side& b, std::ostream& progress) : a_(a), b_(b), progress_(progress) {}

  Finding run() {
    if (!steps()) return found_;
    if (found_.kind != Kind::Nothing) return found_;
    phases();
    return found_;
  }

 private:
  /// False: nothing differs. Else the step is known, and perhaps all.
  bool steps() {
    const Steps a = a_.steps(), b = b_.steps();
    if (a.first != b.first) {
      found_.kind = Kind::Start;
      found_.place = "steps done in the beginning";
      found_.a = fmt::format("{}", a.first);
      found_.b = fmt::format("{}", b.first);
      return true;
    }
    const std::size_t both = std::min(a.hashes.size(), b.hashes.size());
    const auto n = static_cast<std::size_t>(std::ranges::mismatch(a.hashes, b.hashes).in1 - a.hashes.begin());
    if (n == both && a.hashes.size() == b.hashes.size() && a.stopped.empty() == b.stopped.empty()) {
      progress_ << fmt::format("steps   {} to {}: the same state after each\n", a.first, a.first + both - 1);
      return false;
    }
    found_.step = a.first + n;
    if (n == both && a.stopped.empty() && b.stopped.empty())  // they were told to end at different steps
      return progress_ << fmt::format("steps   {} to {}: the same state; one ends there\n", a.first, a.first + n - 1),
             false;
    progress_ << (n == 0 ? std::string("steps   the state differs in the beginning\n")
                         : fmt::format("steps   the same up to {}, {} differs\n", found_.step - 1, found_.step))
              << std::flush;
    stopped_a_ = n + 1 > a.hashes.size() ? a.stopped : "";
    stopped_b_ = n + 1 > b.hashes.size() ? b.stopped : "";
    if (n == 0) state(Kind::Start);
    return true;
  }

  void state(Kind kind) {
    found_.kind = kind;
    first_number(a_.state(found_.step), b_.state(found_.step), found_);
  }

  void phases() {
    const Phases a = a_.phases(found_.step), b = b_.phases(found_.step);
    found_.kind = Kind::Shape;
    if (a.rows != b.rows || a.cols != b.cols || a.lanes != b.lanes) {
      found_.a = fmt::format("{} x {} tiles of {} lanes", a.rows, a.cols, a.lanes);
      found_.b = fmt::format("{} x {} tiles of {} lanes", b.rows, b.cols, b.lanes);
      return;
    }
    for (std::size_t m = 0; m < std::min(a.micro_batches.size(), b.micro_batches.size()); ++m)
      if (micro_batch(m, a.micro_batches[m], b.micro_batches[m], a.cols)) return;
    found_.phase.clear();
    if (a.micro_batches.size() != b.micro_batches.size()) {
      found_.a = fmt::format("{} micro-batches", a.micro_batches.size());
      found_.b = fmt::format("{} micro-batches", b.micro_batches.size());
    } else if (stopped_a_ != stopped_b_) {
      found_.kind = Kind::Stopped;
      found_.a = stopped_a_.empty() ? "goes on" : stopped_a_;
      found_.b = stopped_b_.empty() ? "goes on" : stopped_b_;
    } else {
      progress_ << "phases  all the same: what came back was applied in another way\n" << std::flush;
      state(Kind::Update);
    }
  }

  bool micro_batch(std::size_t m, const MicroBatch& a, const MicroBatch& b, int cols) {
    found_.micro_batch = m;
    for (std::size_t n = 0; n < std::min(a.phases.size(), b.phases.size()); ++n) {
      const PhaseSums &x = a.phases[n], &y = b.phases[n];
      found_.phase = x.name;
      if (x.name != y.name) {
        found_.a = "phase " + x.name;
        found_.b = "phase " + y.name;
        return true;
      }
      const bool ends_a = !a.stopped.empty() && n + 1 == a.phases.size();
      const bool ends_b = !b.stopped.empty() && n + 1 == b.phases.size();
      // Kernels that differ make a load differ: that may be meant, and what they do decides.
      if (x.control != y.control || (n == 0 && x.data != y.data)) note();
      if ((n > 0 && x.data != y.data)) return stream();
      if (ends_a != ends_b) {
        found_.kind = Kind::Stopped;
        found_.a = ends_a ? a.stopped : "goes on";
        found_.b = ends_b ? b.stopped : "goes on";
        return true;
      }
      if (x.tiles != y.tiles) return tile(x, y, cols);
      if (x.returned != y.returned) return returned();
    }
    return false;
  }

  Phase of(Side& side, int row, int col) const {
    return side.phase({.level = Level::Phase,
                       .step = found_.step,
                       .micro_batch = found_.micro_batch,
                       .phase = found_.phase,
                       .row = row,
                       .col = col});
  }

  void note() {
    if (!found_.notes.empty()) return;  // the first one is enough
    Finding differs;
    if (first_message(of(a_, 0, 0).messages, of(b_, 0, 0).messages, differs))
      found_.notes.push_back(
          fmt::format("{} of {} differs before: {}\n        |  {}", differs.place, found_.phase, differs.a, differs.b));
  }

  bool stream() {
    found_.kind = Kind::Stream;
    first_message(of(a_, 0, 0).messages, of(b_, 0, 0).messages, found_);
    return true;
  }

  bool returned() {
    found_.kind = Kind::Returned;
    const Phase a = of(a_, 0, 0), b = of(b_, 0, 0);
    for (std::size_t r = 0; r < a.returned.size(); ++r) {
      if (!first_message(a.returned[r], b.returned[r], found_)) continue;
      found_.place = fmt::format("row {}, {}", r, found_.place);
      break;
    }
    return true;
  }

  /// Where it came from: a tile that differs before it has taken a message that differs. One that only sent something
  /// else has no other memory; then it is in the column or the row of one that has.
  bool tile(const PhaseSums& x, const PhaseSums& y, int cols) {
    found_.kind = Kind::Tile;
    std::vector<int> differ, others;
    for (int t = 0; t < static_cast<int>(x.tiles.size()); ++t)
      if (x.tiles[static_cast<std::size_t>(t)] != y.tiles[static_cast<std::size_t>(t)]) differ.push_back(t);
    progress_ << fmt::format("phases  the same up to micro-batch {}, {}: the memory of {} of {} tiles differs\n",
                             found_.micro_batch, found_.phase, differ.size(), x.tiles.size())
              << std::flush;
    const int t0 = differ[0];
    for (int t = 0; t < static_cast<int>(x.tiles.size()); ++t)
      if ((t % cols == t0 % cols || t / cols == t0 / cols) && std::ranges::find(differ, t) == differ.end())
        others.push_back(t);
    std::ranges::stable_sort(others, {},
                             [&](int t) { return std::abs(t % cols - t0 % cols) * 1024 + std::abs(t - t0); });
    differ.insert(differ.end(), others.begin(), others.end());
    differ.resize(std::min<std::size_t>(differ.size(), kMostTiles));
    Finding first;
    for (const int t : differ) {
      const Finding here = tile_event(t / cols, t % cols);
      if (here.place.empty()) continue;
      const bool follows = here.place.starts_with("takes");
      if (first.place.empty() || !follows) first = here;
      if (!follows) break;
    }
    if (!first.place.empty()) {
      found_ = first;
    } else {  // a side that does not do the same twice
      found_.row = t0 / cols;
      found_.col = t0 % cols;
      found_.notes.emplace_back("it did not when the tiles were looked at: a side does not do the same every time");
    }
    return true;
  }

  /// What one tile does first that differs; no place if nothing does.
  Finding tile_event(int row, int col) {
    Finding here = found_;
    here.row = row;
    here.col = col;
    const Phase a = of(a_, row, col), b = of(b_, row, col);
    // What is loaded into memory comes as commands: of interest is where it is then.
    const bool loads = found_.phase == "load" || found_.phase == "tokens";
    if (!loads && first_event(a, b, here)) return here;
    if (first_element(a, b, here) && !loads)
      here.notes.emplace_back(
          "the RTL writes the same from both sides on: the functional model, or what is beside the tiles, does not");
    return here;
  }

  Side &a_, &b_;
  std::ostream& progress_;
  Finding found_;
  std::string stopped_a_, stopped_b_;
};

}  // namespace

Finding bisect(Side& a, Side& b, std::ostream& progress) { return Search(a, b, progress).run(); }

}  // namespace weft::bisect
