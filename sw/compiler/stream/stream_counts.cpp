#include "sw/compiler/stream/stream_counts.hpp"

#include <algorithm>
#include <map>
#include <utility>

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

/// Counts of the rows of interleaved outputs that have neither bias nor residual in a line, if all elements exist. They
/// depend only on the line of its outputs and on their number.
class Alike {
 public:
  /// Counts of all rows in the reader's line.
  const std::vector<std::uint32_t>& of(const StreamReader& reader, std::vector<Element>& some) {
    const std::vector<std::vector<Element>>& extras = reader.interleaved_extras();
    std::vector<std::int64_t>& known = known_[{reader.line(), extras.size()}];
    known.resize(reader.common(static_cast<std::size_t>(reader.line())).size(), -1);
    counts_.resize(known.size());
    own_.assign(known.size(), false);
    for (const std::vector<Element>& of_output : extras)
      for (const Element& element : of_output) own_[element.row] = true;
    for (std::size_t row = 0; row < known.size(); ++row) {
      const auto count = [&] { return static_cast<std::uint32_t>(reader.count_of_row(static_cast<int>(row), some)); };
      if (!own_[row] && known[row] < 0) known[row] = count();
      counts_[row] = own_[row] ? count() : static_cast<std::uint32_t>(known[row]);
    }
    return counts_;
  }

 private:
  std::map<std::pair<int, std::size_t>, std::vector<std::int64_t>> known_;  // [line, outputs][row]; -1: not yet
  std::vector<bool> own_;                                                   // [row]: has a bias or residual
  std::vector<std::uint32_t> counts_;
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
  Alike alike;
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
    if (reader.is_whole_interleaved()) {
      own = alike.of(reader, some);
      for (std::size_t row = 0; row < elements.size(); ++row) elements[row] += own[row];
      ++fullest[static_cast<int>(*std::ranges::max_element(own))];
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
