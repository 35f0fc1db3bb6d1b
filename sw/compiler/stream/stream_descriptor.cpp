#include "sw/compiler/stream/stream_descriptor.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "sw/machine/shape.hpp"

namespace weft::compiler {

StreamReader::StreamReader(const StreamDescriptor& descriptor) : descriptor_(descriptor) {
  if (descriptor_.empty()) return;
  if (descriptor_.residual && descriptor_.bias && !descriptor_.bias->before_home)
    throw std::invalid_argument("a bias next to a residual is not on the row before the home row");
  if (descriptor_.interleave && descriptor_.values != StreamDescriptor::Values::Weights)
    throw std::invalid_argument("indices are not interleaved");
  if (descriptor_.interleave && !descriptor_.own.empty() && descriptor_.lines_of_output() != 1)
    throw std::invalid_argument("interleaved slots have one line");
  if (descriptor_.interleave && static_cast<int>(descriptor_.interleave->ones.size()) != descriptor_.lines_of_output())
    throw std::invalid_argument("each line has an always-one feature for pads");
  if (is_numbered() && (descriptor_.interleave->each > SumOrder::kMostSums || !descriptor_.own.empty()))
    throw std::invalid_argument("at most 16 outputs of a line are numbered");
  if (descriptor_.interleave && descriptor_.interleave->apart < 0)
    throw std::invalid_argument("elements of an output are apart");
  if (descriptor_.together != 1 && (descriptor_.together < 1 || descriptor_.own.empty() || descriptor_.interleave ||
                                    descriptor_.lines_of_output() != 1))
    throw std::invalid_argument("only slots share a line, which is their only one");
  row_shift_ = machine::WaferShape{.rows = rows()}.row_shift();
  by_row_.resize(static_cast<std::size_t>(rows()));
  lines_ = descriptor.lines_of_output();
  for (const std::vector<StreamDescriptor::Input>& inputs : descriptor.lines) {
    std::vector<std::vector<Element>>& elements = common_.emplace_back(by_row_.size());
    out_stride_.push_back(inputs.empty() ? 0 : inputs.front().out_stride);
    for (const StreamDescriptor::Input& in : inputs) {
      if (in.out_stride != out_stride_.back()) throw std::invalid_argument("inputs of a line have one stride");
      for (int i = 0; i < in.space->features(); ++i) {
        if (!in.has(i)) continue;
        const int row = in.space->row(i);
        elements[static_cast<std::size_t>(row)].push_back(
            {static_cast<std::uint16_t>(row), index(row, in.local_of(i)), in.parameter(i)});
      }
    }
  }
}

bool StreamReader::next() {
  if (descriptor_.empty() || !step()) return false;
  find_extras();
  return true;
}

void StreamReader::go(const Place& place) {
  line_ = place.line;
  home_ = place.home;
  slot_ = place.slot;
  find_output();
  find_extras();
}

bool StreamReader::step() {
  if (!descriptor_.own.empty()) {
    if (slot_ >= descriptor_.outputs->slots()) return false;
    if (home_ >= 0 && ++line_ < lines_) return true;
    slot_ = home_ = home_ + outputs_of_line();
    line_ = 0;
    find_output();
    return slot_ < descriptor_.outputs->slots();
  }
  if (home_ >= rows()) return false;
  if (home_ >= 0 && ++line_ < lines_) return true;
  line_ = 0;
  slot_ += outputs_of_line();
  while (home_ < 0 || slot_ >= descriptor_.outputs->count(home_)) {
    if (++home_ >= rows()) return false;
    slot_ = 0;
  }
  find_output();
  return true;
}

void StreamReader::find_output() {
  output_ = descriptor_.own.empty() ? descriptor_.outputs->on_row(home_)[static_cast<std::size_t>(slot_)] : slot_;
}

bool StreamReader::exists(std::uint64_t source) const {
  return descriptor_.kept == nullptr || source == Element::kOne || (*descriptor_.kept)[source];
}

int StreamReader::outputs_of_line() const {
  if (home_ < 0 || (!descriptor_.interleave && descriptor_.together == 1)) return 1;
  return std::min(descriptor_.interleave ? descriptor_.interleave->each : descriptor_.together,
                  (descriptor_.own.empty() ? descriptor_.outputs->count(home_) : descriptor_.outputs->slots()) - slot_);
}

void StreamReader::find_extras() {
  if (!descriptor_.own.empty()) return;
  if (!descriptor_.interleave) {
    extras_of(slot_, output_, extras_);
    return;
  }
  const std::vector<int>& here = descriptor_.outputs->on_row(home_);
  interleaved_extras_.resize(static_cast<std::size_t>(outputs_of_line()));
  for (std::size_t n = 0; n < interleaved_extras_.size(); ++n) {
    const int slot = slot_ + static_cast<int>(n);
    extras_of(slot, here[static_cast<std::size_t>(slot)], interleaved_extras_[n]);
  }
}

void StreamReader::extras_of(int slot, int output, std::vector<Element>& extras) const {
  extras.clear();
  if (descriptor_.bias && descriptor_.bias->line == line_) {
    const int row = (descriptor_.bias->before_home ? home_ + rows() - 1 : home_ + slot) % rows();
    const std::uint64_t source =
        descriptor_.bias->offset + descriptor_.outputs_copies.parameter(static_cast<std::uint64_t>(output));
    if (exists(source))
      extras.push_back({static_cast<std::uint16_t>(row), index(row, descriptor_.bias->local), source});
  }
  if (descriptor_.residual && descriptor_.residual->line == line_)
    extras.push_back(
        {static_cast<std::uint16_t>(home_), index(home_, descriptor_.residual->local + slot), Element::kOne});
  const auto place = [&](const Element& element) {
    return std::pair(common_.empty() ? 0 : common(static_cast<std::size_t>(line_))[element.row].size(), element.row);
  };
  if (extras.size() == 2 && place(extras[1]) < place(extras[0])) std::swap(extras[0], extras[1]);
}

void StreamReader::own_of_row(int row, int slot, std::vector<Element>& elements) const {
  if (slot >= descriptor_.outputs->count(row)) return;
  const auto f = static_cast<std::uint64_t>(descriptor_.outputs->on_row(row)[static_cast<std::size_t>(slot)]);
  for (const StreamDescriptor::Own& own : descriptor_.own)
    if (own.line == line_ && exists(own.offset + f))
      elements.push_back(
          {static_cast<std::uint16_t>(row), index(row, own.local + (own.fixed ? 0 : slot)), own.offset + f});
}

void StreamReader::of_row(int row, std::vector<Element>& elements) const {
  elements.clear();
  if (descriptor_.interleave) return interleaved_of_row(row, elements);
  if (!descriptor_.own.empty()) {
    for (int n = 0; n < outputs_of_line(); ++n) own_of_row(row, slot_ + n, elements);
    return;
  }
  of_output(row, output_, extras_, elements);
}

void StreamReader::of_output(int row, int output, const std::vector<Element>& extras,
                             std::vector<Element>& elements) const {
  const std::uint64_t further = this->further(static_cast<std::size_t>(line_), output);
  const std::vector<Element>& all = common(static_cast<std::size_t>(line_))[static_cast<std::size_t>(row)];
  const std::size_t before = elements.size();
  elements.resize(before + all.size());
  Element* to = elements.data() + before;
  for (const Element& element : all) {  // branch-free: existence is unpredictable
    *to = {element.row, element.index, element.source + further};
    to += descriptor_.kept == nullptr || (*descriptor_.kept)[to->source] ? 1 : 0;
  }
  elements.resize(static_cast<std::size_t>(to - elements.data()));
  for (const Element& element : extras)
    if (element.row == row) elements.push_back(element);
}

void StreamReader::interleaved_of_row(int row, std::vector<Element>& elements) const {
  const auto outputs = static_cast<std::size_t>(outputs_of_line());
  const auto each = descriptor_.own.empty() ? static_cast<std::size_t>(descriptor_.interleave->each) : outputs;
  by_output_.resize(outputs);
  std::size_t last = 0;
  for (std::size_t n = 0; n < outputs; ++n) {
    const int slot = slot_ + static_cast<int>(n);
    by_output_[n].clear();
    if (descriptor_.own.empty())
      of_output(row, descriptor_.outputs->on_row(home_)[static_cast<std::size_t>(slot)], interleaved_extras_[n],
                by_output_[n]);
    else
      own_of_row(row, slot, by_output_[n]);
    if (!by_output_[n].empty()) last = std::max(last, (by_output_[n].size() - 1) * each + n + 1);
  }
  if (is_numbered()) return numbered_of_row(row, elements);
  if (last == 0) return;
  elements.resize(std::max(last, each), pad(row));
  for (std::size_t n = 0; n < outputs; ++n)
    for (std::size_t k = 0; k < by_output_[n].size(); ++k) elements[k * each + n] = by_output_[n][k];
}

void StreamReader::numbered_of_row(int row, std::vector<Element>& elements) const {
  counts_.clear();
  for (const std::vector<Element>& output : by_output_) counts_.push_back(output.size());
  const std::vector<std::uint8_t>& numbers = order();
  std::vector<std::size_t>& next = counts_;
  next.assign(by_output_.size(), 0);
  for (const std::uint8_t n : numbers) {
    const bool missing = n >= by_output_.size() || next[n] >= by_output_[n].size();
    elements.push_back(missing ? pad(row) : by_output_[n][next[n]++]);
    elements.back().index |= n;
  }
}

const std::vector<std::uint8_t>& StreamReader::order() const {
  return order_.of(counts_, static_cast<std::size_t>(descriptor_.interleave->each),
                   static_cast<std::size_t>(descriptor_.interleave->apart), begin());
}

void StreamReader::count_whole(int row) const {
  const std::size_t own = common(static_cast<std::size_t>(line_))[static_cast<std::size_t>(row)].size();
  counts_.clear();
  for (const std::vector<Element>& extras : interleaved_extras_)
    counts_.push_back(own + static_cast<std::size_t>(std::ranges::count(extras, row, &Element::row)));
}

const std::vector<std::uint8_t>& StreamReader::whole_order(int row) const {
  count_whole(row);
  return order();
}

std::size_t StreamReader::count_of_row(int row, std::vector<Element>& some) const {
  if (is_whole()) {
    const auto extra = std::ranges::count(extras_, row, &Element::row);
    return common(static_cast<std::size_t>(line_))[static_cast<std::size_t>(row)].size() +
           static_cast<std::size_t>(extra);
  }
  if (is_whole_interleaved()) {
    const auto each = static_cast<std::size_t>(descriptor_.interleave->each);
    count_whole(row);
    if (is_numbered()) return SumOrder::count(counts_, each, begin());
    std::size_t last = 0;
    for (std::size_t n = 0; n < counts_.size(); ++n)
      if (counts_[n] > 0) last = std::max(last, (counts_[n] - 1) * each + n + 1);
    return last == 0 ? 0 : std::max(last, each);
  }
  if (!descriptor_.interleave && descriptor_.own.empty()) {
    const std::uint64_t further = this->further(static_cast<std::size_t>(line_), output_);
    auto count = static_cast<std::size_t>(std::ranges::count(extras_, row, &Element::row));
    for (const Element& element : common(static_cast<std::size_t>(line_))[static_cast<std::size_t>(row)])
      count += (*descriptor_.kept)[element.source + further] ? 1 : 0;
    return count;
  }
  of_row(row, some);
  return some.size();
}

void StreamReader::all_rows(std::vector<Element>& elements) const {
  elements.clear();
  std::size_t fullest = 0;
  for (std::size_t row = 0; row < by_row_.size(); ++row) {
    of_row(static_cast<int>(row), by_row_[row]);
    fullest = std::max(fullest, by_row_[row].size());
  }
  for (std::size_t k = 0; k < fullest; ++k)
    for (const std::vector<Element>& row : by_row_)
      if (k < row.size()) elements.push_back(row[k]);
}

}  // namespace weft::compiler
