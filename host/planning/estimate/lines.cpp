#include "host/planning/estimate/lines.hpp"

namespace weft::planning {

bool StreamLines::next() {
  if (!reader_.next()) return false;
  reader_.all_rows(elements_);
  rows_.clear();
  for (const compiler::Element& element : elements_) rows_.push_back(element.row);
  return true;
}

std::size_t StreamLines::count(const compiler::StreamDescriptor& descriptor) {
  if (descriptor.empty()) return 0;
  const int outputs = descriptor.own.empty()
                          ? descriptor.outputs->features()
                          : (descriptor.outputs->slots() + descriptor.together - 1) / descriptor.together;
  return static_cast<std::size_t>(outputs) * static_cast<std::size_t>(descriptor.lines_of_output());
}

std::vector<int> homes_of(const compiler::StreamDescriptor& descriptor) {
  std::vector<int> homes;
  for (int r = 0; r < descriptor.outputs->rows(); ++r) homes.push_back(descriptor.outputs->count(r));
  return homes;
}

}  // namespace weft::planning
