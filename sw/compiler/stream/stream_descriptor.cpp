#include "sw/compiler/stream/stream_descriptor.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "sw/machine/shape.hpp"

namespace weft {

SweepReader::SweepReader(const Sweep& sweep) : sweep_(sweep) {
  if (sweep_.empty()) return;
  if (sweep_.residual && sweep_.bias && !sweep_.bias->before_home)
    throw std::invalid_argument("a bias beside a residual is not on the row before the home row");
  if (sweep_.deal && sweep_.values != Sweep::Values::Weights) throw std::invalid_argument("indices are not dealt");
  if (sweep_.deal && !sweep_.own.empty() && sweep_.lines_of_output() != 1)
    throw std::invalid_argument("slots that are dealt have one line");
  if (sweep_.together != 1 &&
      (sweep_.together < 1 || sweep_.own.empty() || sweep_.deal || sweep_.lines_of_output() != 1))
    throw std::invalid_argument("only slots share a line, which is their only one");
  row_shift_ = WaferShape{.rows = rows()}.row_shift();
  by_row_.resize(static_cast<std::size_t>(rows()));
  lines_ = sweep.lines_of_output();
  for (const std::vector<Sweep::Input>& inputs : sweep.lines) {
    std::vector<std::vector<Tap>>& taps = common_.emplace_back(by_row_.size());
    out_stride_.push_back(inputs.empty() ? 0 : inputs.front().out_stride);
    for (const Sweep::Input& in : inputs) {
      if (in.out_stride != out_stride_.back()) throw std::invalid_argument("inputs of a line have one stride");
      for (int i = 0; i < in.space->features(); ++i) {
        if (!in.has(i)) continue;
        const int row = in.space->row(i);
        taps[static_cast<std::size_t>(row)].push_back({static_cast<std::uint16_t>(row), index(row, in.local_of(i)),
                                                       in.offset + static_cast<std::uint64_t>(i) * in.in_stride});
      }
    }
  }
}

bool SweepReader::next() {
  if (sweep_.empty() || !step()) return false;
  find_extras();
  return true;
}

void SweepReader::go(const Place& place) {
  line_ = place.line;
  home_ = place.home;
  slot_ = place.slot;
  find_output();
  find_extras();
}

bool SweepReader::step() {
  if (!sweep_.own.empty()) {
    if (slot_ >= sweep_.outputs->slots()) return false;
    if (home_ >= 0 && ++line_ < lines_) return true;
    slot_ = home_ = home_ + outputs_of_line();
    line_ = 0;
    find_output();
    return slot_ < sweep_.outputs->slots();
  }
  if (home_ >= rows()) return false;
  if (home_ >= 0 && ++line_ < lines_) return true;
  line_ = 0;
  slot_ += outputs_of_line();
  while (home_ < 0 || slot_ >= sweep_.outputs->count(home_)) {
    if (++home_ >= rows()) return false;
    slot_ = 0;
  }
  find_output();
  return true;
}

void SweepReader::find_output() {
  output_ = sweep_.own.empty() ? sweep_.outputs->on_row(home_)[static_cast<std::size_t>(slot_)] : slot_;
}

bool SweepReader::exists(std::uint64_t source) const {
  return sweep_.kept == nullptr || source == Tap::kOne || (*sweep_.kept)[source];
}

int SweepReader::outputs_of_line() const {
  if (home_ < 0 || (!sweep_.deal && sweep_.together == 1)) return 1;
  return std::min(sweep_.deal ? sweep_.deal->each : sweep_.together,
                  (sweep_.own.empty() ? sweep_.outputs->count(home_) : sweep_.outputs->slots()) - slot_);
}

void SweepReader::find_extras() {
  if (!sweep_.own.empty()) return;
  if (!sweep_.deal) {
    extras_of(slot_, output_, extras_);
    return;
  }
  const std::vector<int>& here = sweep_.outputs->on_row(home_);
  extras_of_dealt_.resize(static_cast<std::size_t>(outputs_of_line()));
  for (std::size_t n = 0; n < extras_of_dealt_.size(); ++n) {
    const int slot = slot_ + static_cast<int>(n);
    extras_of(slot, here[static_cast<std::size_t>(slot)], extras_of_dealt_[n]);
  }
}

void SweepReader::extras_of(int slot, int output, std::vector<Tap>& extras) const {
  extras.clear();
  if (sweep_.bias && sweep_.bias->line == line_) {
    const int row = (sweep_.bias->before_home ? home_ + rows() - 1 : home_ + slot) % rows();
    const std::uint64_t source = sweep_.bias->offset + static_cast<std::uint64_t>(output);
    if (exists(source)) extras.push_back({static_cast<std::uint16_t>(row), index(row, sweep_.bias->local), source});
  }
  if (sweep_.residual && sweep_.residual->line == line_)
    extras.push_back({static_cast<std::uint16_t>(home_), index(home_, sweep_.residual->local + slot), Tap::kOne});
  const auto place = [&](const Tap& tap) {
    return std::pair(common_.empty() ? 0 : common(static_cast<std::size_t>(line_))[tap.row].size(), tap.row);
  };
  if (extras.size() == 2 && place(extras[1]) < place(extras[0])) std::swap(extras[0], extras[1]);
}

void SweepReader::own_of_row(int row, int slot, std::vector<Tap>& taps) const {
  if (slot >= sweep_.outputs->count(row)) return;
  const auto f = static_cast<std::uint64_t>(sweep_.outputs->on_row(row)[static_cast<std::size_t>(slot)]);
  for (const Sweep::Own& own : sweep_.own)
    if (own.line == line_ && exists(own.offset + f))
      taps.push_back({static_cast<std::uint16_t>(row), index(row, own.local + (own.fixed ? 0 : slot)), own.offset + f});
}

void SweepReader::of_row(int row, std::vector<Tap>& taps) const {
  taps.clear();
  if (sweep_.deal) return dealt_of_row(row, taps);
  if (!sweep_.own.empty()) {
    for (int n = 0; n < outputs_of_line(); ++n) own_of_row(row, slot_ + n, taps);
    return;
  }
  of_output(row, output_, extras_, taps);
}

void SweepReader::of_output(int row, int output, const std::vector<Tap>& extras, std::vector<Tap>& taps) const {
  const std::uint64_t further = static_cast<std::uint64_t>(output) * out_stride(static_cast<std::size_t>(line_));
  const std::vector<Tap>& all = common(static_cast<std::size_t>(line_))[static_cast<std::size_t>(row)];
  const std::size_t before = taps.size();
  taps.resize(before + all.size());
  Tap* to = taps.data() + before;
  for (const Tap& tap : all) {  // branch-free: existence is unpredictable
    *to = {tap.row, tap.index, tap.source + further};
    to += sweep_.kept == nullptr || (*sweep_.kept)[to->source] ? 1 : 0;
  }
  taps.resize(static_cast<std::size_t>(to - taps.data()));
  for (const Tap& tap : extras)
    if (tap.row == row) taps.push_back(tap);
}

void SweepReader::dealt_of_row(int row, std::vector<Tap>& taps) const {
  const auto outputs = static_cast<std::size_t>(outputs_of_line());
  const auto each = sweep_.own.empty() ? static_cast<std::size_t>(sweep_.deal->each) : outputs;
  by_output_.resize(outputs);
  std::size_t last = 0;
  for (std::size_t n = 0; n < outputs; ++n) {
    const int slot = slot_ + static_cast<int>(n);
    by_output_[n].clear();
    if (sweep_.own.empty())
      of_output(row, sweep_.outputs->on_row(home_)[static_cast<std::size_t>(slot)], extras_of_dealt_[n], by_output_[n]);
    else
      own_of_row(row, slot, by_output_[n]);
    if (!by_output_[n].empty()) last = std::max(last, (by_output_[n].size() - 1) * each + n + 1);
  }
  if (last == 0) return;
  taps.resize(std::max(last, each), pad(row));
  for (std::size_t n = 0; n < outputs; ++n)
    for (std::size_t k = 0; k < by_output_[n].size(); ++k) taps[k * each + n] = by_output_[n][k];
}

std::size_t SweepReader::count_of_row(int row, std::vector<Tap>& some) const {
  if (is_whole()) {
    const auto extra = std::ranges::count(extras_, row, &Tap::row);
    return common(static_cast<std::size_t>(line_))[static_cast<std::size_t>(row)].size() +
           static_cast<std::size_t>(extra);
  }
  if (is_whole_dealt()) {
    const auto each = static_cast<std::size_t>(sweep_.deal->each);
    std::size_t last = 0;
    for (std::size_t n = 0; n < extras_of_dealt_.size(); ++n) {
      const auto extra = static_cast<std::size_t>(std::ranges::count(extras_of_dealt_[n], row, &Tap::row));
      const std::size_t own = common(static_cast<std::size_t>(line_))[static_cast<std::size_t>(row)].size() + extra;
      if (own > 0) last = std::max(last, (own - 1) * each + n + 1);
    }
    return last == 0 ? 0 : std::max(last, each);
  }
  if (!sweep_.deal && sweep_.own.empty()) {
    const std::uint64_t further = static_cast<std::uint64_t>(output_) * out_stride(static_cast<std::size_t>(line_));
    auto count = static_cast<std::size_t>(std::ranges::count(extras_, row, &Tap::row));
    for (const Tap& tap : common(static_cast<std::size_t>(line_))[static_cast<std::size_t>(row)])
      count += (*sweep_.kept)[tap.source + further] ? 1 : 0;
    return count;
  }
  of_row(row, some);
  return some.size();
}

void SweepReader::dealt(std::vector<Tap>& taps) const {
  taps.clear();
  std::size_t fullest = 0;
  for (std::size_t row = 0; row < by_row_.size(); ++row) {
    of_row(static_cast<int>(row), by_row_[row]);
    fullest = std::max(fullest, by_row_[row].size());
  }
  for (std::size_t k = 0; k < fullest; ++k)
    for (const std::vector<Tap>& row : by_row_)
      if (k < row.size()) taps.push_back(row[k]);
}

}  // namespace weft
