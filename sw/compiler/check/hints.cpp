#include "sw/compiler/check/hints.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "sw/compiler/check/misfits.hpp"

namespace weft::compiler {
namespace {

constexpr std::string_view kRecompute = "model.recompute";

struct Shapes {
  ModelShape model;  ///< filter 0: 4 x hidden, also after changes of hidden
  machine::WaferShape wafer;
  int again = 0;  ///< 1: model.recompute block
  bool fit() const {
    ModelShape m = model;
    if (again == 1) m.recompute = "block";
    if (m.filter == 0) m.filter = 4 * m.hidden;
    const bool whole = wafer.sequence_columns == 0 || wafer.cols % wafer.sequence_columns != 1;
    return wafer.valves <= wafer.rows && whole && misfits(m, wafer).empty();
  }
};

/// One setting and its alternative values, the nearest first; the last makes most room.
struct Knob {
  static constexpr std::size_t kTried = 160;  ///< up to this number, all values are tried
  std::string_view name;
  std::function<int&(Shapes&)> value;
  std::vector<int> values;

  int now(Shapes shapes) const { return value(shapes); }
  Shapes turned(Shapes shapes, int to) const {
    value(shapes) = to;
    return shapes;
  }
  /// The nearest value that fits.
  std::optional<int> nearest(const Shapes& shapes) const {
    const auto fits = [&](int v) { return turned(shapes, v).fit(); };
    if (values.size() <= kTried) {
      const auto at = std::find_if(values.begin(), values.end(), fits);
      return at == values.end() ? std::nullopt : std::optional(*at);
    }
    if (!fits(values.back())) return std::nullopt;
    // Room grows with every value, so the first that fits is found by bisection.
    return *std::partition_point(values.begin(), values.end(), [&](int v) { return !fits(v); });
  }
};

/// From `first` in steps of `step` to `last`.
std::vector<int> every(int first, int last, int step) {
  std::vector<int> values;
  for (int v = first; step > 0 ? v <= last : v >= last; v += step) values.push_back(v);
  return values;
}

/// Larger numbers of rows: each row holds less, but an index addresses fewer slots. Every number up to 128, then each
/// 32nd.
std::vector<int> more_rows(const machine::WaferShape& wafer) {
  std::vector<int> values = every(wafer.rows + 1, 128, 1);
  for (const int v : every(160, machine::WaferShape::kMostRows, 32))
    if (v > wafer.rows) values.push_back(v);
  return values;
}

/// Larger numbers of columns: each column holds less. Every number up to one sequence per column; beyond that, where
/// columns share sequences, doubled numbers.
std::vector<int> more_columns(const machine::WaferShape& wafer, int sequences) {
  std::vector<int> values = every(wafer.cols + 1, std::min(machine::WaferShape::kMostCols, sequences), 1);
  for (int v = 2 * std::max(wafer.cols, values.empty() ? 1 : values.back()); v <= machine::WaferShape::kMostCols;
       v *= 2)
    values.push_back(v);
  return values;
}

std::vector<int> divisors_below(int n) {
  std::vector<int> values;
  for (int v = n / 2; v >= 1; --v)
    if (n % v == 0) values.push_back(v);
  return values;
}

#define WEFT_SETTING(member) [](Shapes& s) -> int& { return s.member; }

std::vector<Knob> knobs(const Shapes& s) {
  const ModelShape& m = s.model;
  const machine::WaferShape& w = s.wafer;
  const int filter = m.filter == 0 ? 4 * m.hidden : m.filter;
  const int step = m.heads * m.head_unit(), turning = m.heads * std::max(1, m.rotary_dim);  // numbers of features
  return {
      {"wafer.sram_kib", WEFT_SETTING(wafer.sram_kib), every(w.sram_kib + 1, 128, 1)},
      {"wafer.rows", WEFT_SETTING(wafer.rows), more_rows(w)},
      {"wafer.cols", WEFT_SETTING(wafer.cols), more_columns(w, m.micro_batch)},
      {"train_input.micro_batch_size", WEFT_SETTING(model.micro_batch), divisors_below(m.micro_batch)},
      {kRecompute, WEFT_SETTING(again), m.recompute == "none" ? std::vector<int>{1} : std::vector<int>{}},
      {"model.num_hidden_layers", WEFT_SETTING(model.layers), every(m.layers - 1, 1, -1)},
      {"model.max_sequence_length", WEFT_SETTING(model.seq), every(m.seq - 1, 1, -1)},
      {"model.filter_size", WEFT_SETTING(model.filter), every(filter - 1, 1, -1)},
      {"model.hidden_size", WEFT_SETTING(model.hidden), every(m.hidden - step, turning, -step)},
      {"model.vocab_size", WEFT_SETTING(model.vocab), every(m.vocab - 1, std::max(2, m.document_end + 1), -1)},
  };
}

std::string setting(const Knob& knob, int value) {
  return knob.name == kRecompute ? fmt::format("{} block", knob.name) : fmt::format("{} {}", knob.name, value);
}

/// Turns knobs to their last values until the model fits, then each back as far as possible.
std::string together(const Shapes& wanted) {
  const std::vector<Knob> all = knobs(wanted);
  Shapes s = wanted;
  std::vector<const Knob*> used;
  for (const Knob& knob : all) {
    if (s.fit()) break;
    if (knob.values.empty()) continue;
    s = knob.turned(s, knob.values.back());
    used.push_back(&knob);
  }
  if (!s.fit()) return "use a much smaller model";
  std::vector<std::string> changes;
  for (auto knob = used.rbegin(); knob != used.rend(); ++knob) {
    const Shapes without = (*knob)->turned(s, (*knob)->now(wanted));
    if (without.fit()) {
      s = without;
    } else {
      s = (*knob)->turned(s, *(*knob)->nearest(s));
      changes.insert(changes.begin(), setting(**knob, (*knob)->now(s)));
    }
  }
  const std::string last = changes.back();
  changes.pop_back();
  return fmt::format("use {} and {} together", fmt::join(changes, ", "), last);
}

}  // namespace

std::string settings_that_fit(const ModelShape& model, const machine::WaferShape& wafer) {
  Shapes wanted{model, wafer};
  if (model.filter_follows) wanted.model.filter = 0;
  std::vector<std::string> changes;
  const auto offer = [&](const Knob& knob) {
    const auto known = [&](const std::string& change) { return change.starts_with(knob.name); };
    if (std::any_of(changes.begin(), changes.end(), known)) return;
    if (const auto value = knob.nearest(wanted)) changes.push_back(setting(knob, *value));
  };
  for (const Knob& knob : knobs(wanted)) offer(knob);
  // Fewer rows leave an index more bits; fewer lanes need less padding, more hold longer sequences.
  const Knob others[] = {
      {"wafer.rows", WEFT_SETTING(wafer.rows), every(wafer.rows - 1, wafer.valves, -1)},
      {"wafer.lanes", WEFT_SETTING(wafer.lanes), {4, 8, 16, 2}},
  };
  for (const Knob& knob : others) offer(knob);
  return changes.empty() ? together(wanted) : fmt::format("use {}", fmt::join(changes, " or "));
}

#undef WEFT_SETTING

}  // namespace weft::compiler
