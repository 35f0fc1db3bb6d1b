#include "host/planning/estimate/lines.hpp"

#include <algorithm>

namespace weft::planning {
namespace {

/// Lines of `outputs` outputs that share a line each.
int groups_of(int outputs, int each) { return (outputs + each - 1) / each; }

}  // namespace

StreamLines::StreamLines(const compiler::StreamDescriptor& descriptor)
    : reader_(descriptor),
      sent_(descriptor.empty() ? 0 : static_cast<std::size_t>(descriptor.outputs->rows())),
      each_(static_cast<unsigned>(descriptor.interleave ? descriptor.interleave->each : 1)) {}

bool StreamLines::next() {
  if (!reader_.next()) return false;
  reader_.all_rows(elements_);
  rows_.clear();
  sums_.clear();
  std::ranges::fill(sent_, 0);
  for (const compiler::Element& element : elements_) {
    const unsigned in_turn = sent_[element.row]++ % each_;
    rows_.push_back(element.row);
    sums_.push_back(
        static_cast<std::uint8_t>(reader_.is_numbered() ? element.index % compiler::SumOrder::kMostSums : in_turn));
  }
  return true;
}

std::size_t StreamLines::count(const compiler::StreamDescriptor& descriptor) {
  if (descriptor.empty()) return 0;
  std::size_t outputs = 0;
  if (descriptor.own.empty())
    for (const int groups : homes_of(descriptor)) outputs += static_cast<std::size_t>(groups);
  else
    outputs = static_cast<std::size_t>(groups_of(descriptor.outputs->slots(), outputs_of_line(descriptor)));
  return outputs * static_cast<std::size_t>(descriptor.lines_of_output());
}

int outputs_of_line(const compiler::StreamDescriptor& descriptor) {
  return descriptor.interleave ? descriptor.interleave->each : descriptor.together;
}

std::vector<int> homes_of(const compiler::StreamDescriptor& descriptor) {
  const int each = descriptor.interleave ? descriptor.interleave->each : 1;
  std::vector<int> homes;
  for (int r = 0; r < descriptor.outputs->rows(); ++r) homes.push_back(groups_of(descriptor.outputs->count(r), each));
  return homes;
}

}  // namespace weft::planning
