#include "host/planning/estimate/lines.hpp"

#include <algorithm>

namespace weft::planning {
namespace {

/// Lines of `outputs` outputs that share a line each.
int groups_of(int outputs, int each) { return (outputs + each - 1) / each; }

}  // namespace

StreamLines::StreamLines(const compiler::StreamDescriptor& descriptor)
    : reader_(descriptor),
      counts_(descriptor.empty() ? 0 : static_cast<std::size_t>(descriptor.outputs->rows())),
      numbers_(counts_.size()),
      sent_(counts_.size()),
      each_(static_cast<unsigned>(descriptor.interleave ? descriptor.interleave->each : 1)) {}

bool StreamLines::next() {
  if (!reader_.next()) return false;
  if (reader_.is_whole() || reader_.is_whole_interleaved()) return take_turns(), true;
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

/// The order of all_rows() without its elements: the first message of each row, then the second of each.
void StreamLines::take_turns() {
  for (std::size_t row = 0; row < counts_.size(); ++row) {
    counts_[row] = reader_.count_of_row(static_cast<int>(row), elements_);
    if (reader_.is_numbered()) numbers_[row] = reader_.whole_order(static_cast<int>(row));
  }
  rows_.clear();
  sums_.clear();
  bool any = true;
  for (std::size_t turn = 0; any; ++turn) {
    any = false;
    for (std::size_t row = 0; row < counts_.size(); ++row) {
      if (turn >= counts_[row]) continue;
      rows_.push_back(static_cast<std::uint16_t>(row)), any = true;
      sums_.push_back(reader_.is_numbered() ? numbers_[row][turn] : static_cast<std::uint8_t>(turn % each_));
    }
  }
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
