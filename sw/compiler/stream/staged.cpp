#include "sw/compiler/stream/staged.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace weft::compiler {

InterleavedLine::InterleavedLine(const std::vector<std::vector<Element>>& rows, std::uint64_t stride)
    : out_stride(stride) {
  std::size_t fullest = 0;
  for (const std::vector<Element>& row : rows) fullest = std::max(fullest, row.size());
  last.resize(rows.size());
  for (std::size_t k = 0; k <= fullest; ++k) {
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (k == rows[row].size()) last[row] = destinations.size();
      if (k >= rows[row].size()) continue;
      if (!sources.empty() && rows[row][k].source != sources.back() + 1) runs.push_back(sources.size());
      destinations.push_back(static_cast<std::uint32_t>(rows[row][k].index) << 16);
      sources.push_back(rows[row][k].source);
    }
  }
  runs.push_back(sources.size());
}

Staged::Staged(const StreamDescriptor& descriptor, const std::vector<InterleavedLine>& lines) : lines_(lines) {
  bool beside = !lines.empty() && descriptor.outputs_copies.times == 1;
  for (const InterleavedLine& line : lines) {
    per_output_ += line.destinations.size();
    beside &= line.out_stride == 1 || line.destinations.empty();
    is_usable_ |= line.runs.size() > 1;
  }
  is_usable_ &= beside;
  if (!is_usable_) return;
  for (int home = 0; home < descriptor.outputs->rows(); ++home) {
    const std::vector<int>& here = descriptor.outputs->on_row(home);
    outputs_.insert(outputs_.end(), here.begin(), here.end());
    homes_.resize(outputs_.size(), home);
  }
}

std::size_t Staged::outputs_that_fit() const {
  std::size_t count = 1;
  std::size_t whole = 0;  // outputs of a multiple of kTogether rows
  while (staged_ + count < outputs_.size()) {
    const auto homes = static_cast<std::size_t>(homes_[staged_ + count] - homes_[staged_]);
    if (homes % kTogether == 0 && homes_[staged_ + count - 1] < homes_[staged_ + count]) whole = count;
    if ((count + 1) * per_output_ > (homes < kTogether ? kMostRoom : kRoom)) return whole > 0 ? whole : count;
    ++count;
  }
  return count;
}

void Staged::stage(const Parameters& parameters) {
  const std::size_t count = outputs_that_fit();
  size_ = count * per_output_;
  if (size_ > room_) values_ = std::make_unique_for_overwrite<std::uint16_t[]>(room_ = size_);
  std::vector<std::size_t> order(count);  // in the order of the parameters in memory
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::size_t n) { return outputs_[staged_ + n]; });
  const auto output = [&](std::size_t n) { return outputs_[staged_ + order[n]]; };
  std::vector<std::size_t> groups = {0};  // begins of groups of neighbouring outputs
  for (std::size_t n = 1; n <= count; ++n)
    if (n == count || n - groups.back() == kTogether || output(n) != output(n - 1) + 1) groups.push_back(n);
  std::size_t before = 0;
  for (const InterleavedLine& line : lines_) {
    // All outputs of some elements, then the next elements: their parameters are on the same pages.
    const std::size_t neighbours = groups.size() - 1;
    const std::size_t tiles = (line.sources.size() + Tile::kElements - 1) / Tile::kElements * neighbours;
    const auto element = [&](std::size_t k) { return k / neighbours * Tile::kElements; };
    const auto first = [&](std::size_t k) { return groups[k % neighbours]; };
    const auto tile = [&](std::size_t k) {
      return Tile{
          std::span(line.sources).subspan(element(k), std::min(Tile::kElements, line.sources.size() - element(k))),
          static_cast<std::uint64_t>(output(first(k))), groups[k % neighbours + 1] - first(k)};
    };
    for (std::size_t k = 0; k < tiles; ++k) {
      if (k + 1 < tiles) prefetch(tile(k + 1), parameters);
      const Tile here = tile(k);
      std::array<std::uint16_t*, kTogether> to{};
      for (std::size_t j = 0; j < here.outputs; ++j)
        to[j] = values_.get() + order[first(k) + j] * per_output_ + before + element(k);
      transpose(here, parameters, to);
    }
    before += line.destinations.size();
  }
  staged_ += count;
  at_ = 0;
}

const std::uint16_t* Staged::next(const Parameters& parameters) {
  if (line_ == 0 && at_ == size_) stage(parameters);
  const std::uint16_t* const values = values_.get() + at_;
  at_ += lines_[line_].destinations.size();
  line_ = (line_ + 1) % lines_.size();
  return values;
}

}  // namespace weft::compiler
