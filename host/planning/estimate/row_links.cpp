#include "host/planning/estimate/row_links.hpp"

#include <algorithm>

namespace weft::planning {
namespace {

constexpr double kRouter = 7;  // latency of an index from one column to the next

}  // namespace

RowLinks::RowLinks(std::size_t columns, bool turns, double stands_for)
    : columns_(columns),
      room_(std::min(kLongest, static_cast<std::size_t>(kBuffer * stands_for))),
      turns_(turns),
      hop_(kRouter * stands_for),
      times_((kFreed + kList) * columns) {}

/// A router passes a message to its PE and to the next router before it accepts another. A PE accepts no message of the
/// output after the next. If W turns around, messages first travel east through the whole row, which holds messages,
/// and then from router to router to the west.
double RowLinks::message(double at, std::size_t o, bool index) {
  double* const took = slot(kTook + all_++ % kBuffer);
  double* const last_took = slot(kLast);
  const double* const taken = slot(kTaken + o % 2);
  const double* const freed = index ? slot(kFreed + indices_++ % kList) : nullptr;
  const bool full = passed_.size() == room_ * columns_;  // otherwise no message was passed on that long ago
  if (!full) passed_.resize(passed_.size() + columns_);
  double* const passed_on = &passed_[next_ * columns_];
  next_ = next_ + 1 == room_ ? 0 : next_ + 1;
  if (arrived_.size() < (messages_ + 1) * columns_) arrived_.resize((messages_ + 1) * columns_);
  double* const arrived = &arrived_[messages_++ * columns_];

  const std::size_t last = columns_ - 1;
  const double before = turns_ ? hop_ * static_cast<double>(last) : 0;
  at += before;
  double first = 0;
  for (std::size_t k = 0; k <= last; ++k) {
    const std::size_t c = turns_ ? last - k : k;
    const double pe = std::max(at, took[c]);
    const double on = k < last ? std::max(at, full ? passed_on[turns_ ? c - 1 : c + 1] : 0) : at;
    const double passed = std::max(pe, on);
    passed_on[c] = passed;
    const double room = freed != nullptr ? freed[c] : 0;
    last_took[c] = std::max({pe, taken[c], room, last_took[c] + 1});
    took[c] = last_took[c];
    arrived[c] = last_took[c];
    if (k == 0) first = passed;
    at = on + hop_;
  }
  return first;
}

}  // namespace weft::planning
