#include "host/inspect/bisect/bisect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "host/inspect/bisect/first_number.hpp"
#include "host/inspect/bisect/in_phase.hpp"

namespace weft::inspect::bisect {
namespace {

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
  /// Returns false if nothing differs. Otherwise found_ has at least the step.
  bool steps() {
    const Steps a = a_.steps(), b = b_.steps();
    if (a.first != b.first) {
      found_.kind = Kind::Start;
      found_.place = "number of steps at the start";
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
    if (n == both && a.stopped.empty() && b.stopped.empty())  // configured to end at different steps
      return progress_ << fmt::format("steps   {} to {}: the same state; one run ends there\n", a.first,
                                      a.first + n - 1),
             false;
    progress_ << (n == 0 ? std::string("steps   the states differ at the start\n")
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
      found_.a = stopped_a_.empty() ? "continues" : stopped_a_;
      found_.b = stopped_b_.empty() ? "continues" : stopped_b_;
    } else {
      progress_ << "phases  all the same: the returned words were applied differently\n" << std::flush;
      state(Kind::Update);
    }
  }

  bool micro_batch(std::size_t m, const MicroBatch& a, const MicroBatch& b, int cols) {
    found_.micro_batch = m;
    for (std::size_t n = 0; n < std::min(a.phases.size(), b.phases.size()); ++n) {
      const PhaseSums &x = a.phases[n], &y = b.phases[n];
      found_.phase = y.former == x.name ? y.name : x.name;
      if (!same_phase(x, y)) {
        found_.a = "phase " + x.name;
        found_.b = "phase " + y.name;
        return true;
      }
      const bool ends_a = !a.stopped.empty() && n + 1 == a.phases.size();
      const bool ends_b = !b.stopped.empty() && n + 1 == b.phases.size();
      InPhase in({a_, x.name}, {b_, y.name}, found_);
      // Different kernels make the load differ. That may be intended, so their effects decide.
      if (x.control != y.control || (n == 0 && x.data != y.data)) in.note();
      if (n > 0 && x.data != y.data) return in.stream();
      if (ends_a != ends_b) {
        found_.kind = Kind::Stopped;
        found_.a = ends_a ? a.stopped : "continues";
        found_.b = ends_b ? b.stopped : "continues";
        return true;
      }
      if (x.tiles != y.tiles) return in.memory(x, y, cols, progress_);
      if (differ(x.flags, y.flags)) return in.flags(x, y, cols);
      if (differ(x.routes, y.routes) && found_.notes.empty()) return in.routes(x, y, cols);  // else it may be intended
      if (x.returned != y.returned) return in.returned();
    }
    return false;
  }

  /// Compares the names of phases. A side may be of a commit whose phases had their former names.
  static bool same_phase(const PhaseSums& x, const PhaseSums& y) {
    return x.name == y.name || x.former == y.name || x.name == y.former;
  }

  /// Fingerprints of commits before the field existed leave it empty, which does not count as a difference.
  static bool differ(const std::vector<std::string>& x, const std::vector<std::string>& y) {
    return !x.empty() && !y.empty() && x != y;
  }

  Side &a_, &b_;
  std::ostream& progress_;
  Finding found_;
  std::string stopped_a_, stopped_b_;
};

}  // namespace

Finding bisect(Side& a, Side& b, std::ostream& progress) { return Search(a, b, progress).run(); }

}  // namespace weft::inspect::bisect
