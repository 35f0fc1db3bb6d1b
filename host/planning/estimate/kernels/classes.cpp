#include "host/planning/estimate/kernels/classes.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "host/planning/estimate/kernels/beats.hpp"

namespace weft::planning {

std::vector<KernelRow> kinds_of_rows(const compiler::Plan& plan) {
  std::vector<KernelRow> kinds;
  std::set<std::array<int, 12>> known;
  for (int r = 0; r < plan.wafer.rows; ++r) {
    const compiler::RowConstants& c = plan.row_constants[static_cast<std::size_t>(r)];
    const int first = c.words[5], last = c.words[6];
    const std::array<int, 12> kind = {c.words[0],     c.words[1],
                                      c.words[2],     c.words[3],
                                      c.words[4],     last - first,
                                      r == first,     r == last,
                                      c.rotary_pairs, c.losses[compiler::kLossFeatures],
                                      r == 0,         r + 1 == plan.wafer.rows};
    if (known.insert(kind).second)
      kinds.push_back({.row = r, .constants = c, .weights = {}, .drop_flag = plan.drop_flag});
  }
  return kinds;
}

std::string KernelCosts::kind_of(const StreamCall& call) const {
  const int upper = upper_half(plan_.wafer);
  const auto in_both = [&](int address) {
    return std::ranges::any_of(plan_.arrays, [&](const compiler::ArraySymbol& a) {
      const int end = a.address + a.slots * a.width;
      return a.address <= address && address < end && a.address < upper && upper < end;
    });
  };
  std::string kind = call.kernel;
  for (const auto& [name, value] : call.arguments) {
    if (call.kernel == "fill" && name == "first") continue;  // where it writes costs nothing
    const bool is_constant = value < static_cast<int>(compiler::RowConstants().words.size());  // the address of one
    const bool as_it_is = name == "head" || name == "words" || name == "table" || is_constant || in_both(value);
    kind += as_it_is ? " " + std::to_string(value) : value < upper ? " lower" : " upper";
  }
  if (call.descriptor != nullptr)  // a norm with a shift has more weights than one without
    for (const compiler::StreamDescriptor::Own& own : call.descriptor->own) kind += " own " + std::to_string(own.line);
  return kind;
}

KernelCost KernelCosts::of(const StreamCall& call) {
  const std::string kind = kind_of(call);
  if (const auto at = known_.find(kind); at != known_.end()) return at->second;
  KernelCost most;
  for (KernelRow& row : rows_) {
    row.weights = [&](int line) {
      const compiler::StreamDescriptor& descriptor = *call.descriptor;
      const int lines = descriptor.lines_of_output();
      if (descriptor.interleave) {  // a row that has the line's first slot has, with pads, as many weights as slots
        const int each = descriptor.interleave->each, first = line * each;
        if (first >= descriptor.outputs->count(row.row)) return 0;
        return std::min(each, descriptor.outputs->slots() - first) * static_cast<int>(descriptor.own.size());
      }
      if (line / lines >= descriptor.outputs->count(row.row)) return 0;
      return static_cast<int>(std::ranges::count(descriptor.own, line % lines, &compiler::StreamDescriptor::Own::line));
    };
    const KernelCost cost = interpret(plan_.program, plan_.wafer, call, row);
    most = {.beats = std::max(most.beats, cost.beats),
            .cycles = std::max(most.cycles, cost.cycles),
            .reads = std::max(most.reads, cost.reads),
            .fetches = std::max(most.fetches, cost.fetches)};
  }
  known_[kind] = most;
  return most;
}

}  // namespace weft::planning
