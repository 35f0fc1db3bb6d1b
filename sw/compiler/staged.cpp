#include "sw/compiler/staged.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

#include "sw/base/bf16.hpp"

namespace weft {
namespace {

constexpr std::size_t kBlock = 64;  // taps

using Eight = std::uint16_t __attribute__((vector_size(16)));

/// Of pairs of vectors n apart: the lower and the upper halves of both, element by element.
void interleave(std::array<Eight, 8>& v) {
  std::array<Eight, 8> w;
  for (std::size_t i = 0; i < 4; ++i) {
    w[2 * i] = __builtin_shufflevector(v[i], v[i + 4], 0, 8, 1, 9, 2, 10, 3, 11);
    w[2 * i + 1] = __builtin_shufflevector(v[i], v[i + 4], 4, 12, 5, 13, 6, 14, 7, 15);
  }
  v = w;
}

/// to[j][0..7] = from[0..7][j], for eight j.
void transpose_eight(const std::uint16_t* from, std::size_t stride, std::uint16_t* const* to, std::size_t at) {
  std::array<Eight, 8> v;
  for (std::size_t i = 0; i < 8; ++i) std::memcpy(&v[i], from + i * stride, sizeof v[i]);
  for (int step = 0; step < 3; ++step) interleave(v);
  for (std::size_t j = 0; j < 8; ++j) std::memcpy(to[j] + at, &v[j], sizeof v[j]);
}

/// to[j][t] = bf16 of parameter from + sources[t] + j, `count` outputs j, kBlock taps t at most.
void transpose(std::span<const std::uint64_t> sources, const Parameters& parameters, std::uint64_t from,
               std::size_t count, const std::array<std::uint16_t*, Staged::kTogether>& to) {
  std::array<float, kBlock * Staged::kTogether> read{};
  std::array<std::uint16_t, kBlock * Staged::kTogether> block{};  // [tap][output]
  for (std::size_t t = 0; t < sources.size(); ++t) {
    const float* const one = parameters.at(from + sources[t], count);
    float* const here = &read[t * Staged::kTogether];
    if (count == Staged::kTogether) {
      std::memcpy(here, one, Staged::kTogether * sizeof *one);  // a length that the compiler knows
    } else {
      std::copy_n(one, count, here);
    }
  }
  for (std::size_t k = 0; k < read.size(); ++k) block[k] = to_bf16(as_bits(read[k]));
  std::size_t done = 0;
  for (; count == Staged::kTogether && done + 8 <= sources.size(); done += 8)
    for (std::size_t j = 0; j < Staged::kTogether; j += 8)
      transpose_eight(&block[done * Staged::kTogether + j], Staged::kTogether, &to[j], done);
  for (std::size_t j = 0; j < count; ++j)
    for (std::size_t t = done; t < sources.size(); ++t) to[j][t] = block[t * Staged::kTogether + j];
}

}  // namespace

DealtLine::DealtLine(const std::vector<std::vector<Tap>>& rows, std::uint64_t stride) : out_stride(stride) {
  std::size_t fullest = 0;
  for (const std::vector<Tap>& row : rows) fullest = std::max(fullest, row.size());
  last.resize(rows.size());
  for (std::size_t k = 0; k <= fullest; ++k) {
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (k == rows[row].size()) last[row] = heads.size();
      if (k >= rows[row].size()) continue;
      if (!sources.empty() && rows[row][k].source != sources.back() + 1) runs.push_back(sources.size());
      heads.push_back(static_cast<std::uint32_t>(rows[row][k].index) << 16);
      sources.push_back(rows[row][k].source);
    }
  }
  runs.push_back(sources.size());
}

Staged::Staged(const Sweep& sweep, const std::vector<DealtLine>& lines) : lines_(lines) {
  bool beside = !lines.empty();
  for (const DealtLine& line : lines) {
    per_output_ += line.heads.size();
    beside &= line.out_stride == 1 || line.heads.empty();
    helps_ |= line.runs.size() > 1;
  }
  helps_ &= beside;
  if (!helps_) return;
  for (int home = 0; home < sweep.outputs->rows(); ++home) {
    const std::vector<int>& here = sweep.outputs->on_row(home);
    outputs_.insert(outputs_.end(), here.begin(), here.end());
    homes_.resize(outputs_.size(), home);
  }
}

std::size_t Staged::outputs_that_fit() const {
  std::size_t count = 1;
  std::size_t whole = 0;  // outputs of as many rows as a cache line has neighbours, or of several times as many
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
  std::vector<std::size_t> order(count);  // as the parameters lie
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::size_t n) { return outputs_[staged_ + n]; });
  const auto output = [&](std::size_t n) { return outputs_[staged_ + order[n]]; };
  std::vector<std::size_t> groups = {0};  // begins of neighbours
  for (std::size_t n = 1; n <= count; ++n)
    if (n == count || n - groups.back() == kTogether || output(n) != output(n - 1) + 1) groups.push_back(n);
  std::size_t before = 0;
  for (const DealtLine& line : lines_) {
    // All outputs of some taps, then the next taps: their parameters are on the same pages.
    for (std::size_t tap = 0; tap < line.sources.size(); tap += kBlock) {
      const auto taps = std::span(line.sources).subspan(tap, std::min(kBlock, line.sources.size() - tap));
      for (std::size_t g = 0; g + 1 < groups.size(); ++g) {
        const std::size_t first = groups[g], together = groups[g + 1] - first;
        std::array<std::uint16_t*, kTogether> to{};
        for (std::size_t j = 0; j < together; ++j)
          to[j] = values_.get() + order[first + j] * per_output_ + before + tap;
        transpose(taps, parameters, static_cast<std::uint64_t>(output(first)), together, to);
      }
    }
    before += line.heads.size();
  }
  staged_ += count;
  at_ = 0;
}

const std::uint16_t* Staged::next(const Parameters& parameters) {
  if (line_ == 0 && at_ == size_) stage(parameters);
  const std::uint16_t* const values = values_.get() + at_;
  at_ += lines_[line_].heads.size();
  line_ = (line_ + 1) % lines_.size();
  return values;
}

}  // namespace weft
