#include "sw/compiler/stream/stream_counts.hpp"

#include <algorithm>

namespace weft::compiler {
namespace {

/// Counts of the elements common to all outputs of a line.
struct Common {
  explicit Common(const std::vector<std::vector<Element>>& rows) {
    for (const std::vector<Element>& row : rows) elements.push_back(static_cast<std::uint32_t>(row.size()));
    fullest = *std::ranges::max_element(elements);
  }
  std::vector<std::uint32_t> elements;  ///< [row]
  std::uint32_t fullest;
};

}  // namespace

StreamCounts::StreamCounts(const StreamDescriptor& descriptor) {
  if (descriptor.empty()) return;
  elements.resize(static_cast<std::size_t>(descriptor.outputs->rows()));
  StreamReader reader(descriptor);
  std::vector<Common> common;
  for (std::size_t line = 0; line < descriptor.lines.size() && reader.is_whole(); ++line)
    common.emplace_back(reader.common(line));
  std::vector<std::uint32_t> own(elements.size());
  std::vector<Element> some;
  while (reader.next()) {
    ++lines;
    const auto line = static_cast<std::size_t>(reader.line());
    if (reader.is_whole()) {
      std::uint32_t most = common[line].fullest;
      for (const Element& element : reader.extras()) {
        ++elements[element.row];
        const auto same = std::ranges::count(reader.extras(), element.row, &Element::row);
        most = std::max(most, common[line].elements[element.row] + static_cast<std::uint32_t>(same));
      }
      ++fullest[static_cast<int>(most)];
      continue;
    }
    for (std::size_t row = 0; row < elements.size(); ++row) {
      own[row] = static_cast<std::uint32_t>(reader.count_of_row(static_cast<int>(row), some));
      elements[row] += own[row];
    }
    ++fullest[static_cast<int>(*std::ranges::max_element(own))];
  }
  for (const Common& line : common)
    for (std::size_t row = 0; row < elements.size(); ++row)
      elements[row] += line.elements[row] * static_cast<std::uint32_t>(descriptor.outputs->features());
}

}  // namespace weft::compiler
