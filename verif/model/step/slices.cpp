#include "verif/model/step/slices.hpp"

#include <algorithm>
#include <latch>
#include <stdexcept>
#include <string>
#include <utility>

#include "verif/model/numbers/numbers.hpp"

namespace weft::model {

/// A portion of messages on its way through all slices.
struct Slices::Portion {
  Portion(std::span<const machine::Message> m, std::size_t slices, int rows)
      : messages(m.begin(), m.end()), yields(slices, Slice::Yield(rows)), done(static_cast<std::ptrdiff_t>(slices)) {}

  void pass(std::size_t s, Slice& slice) noexcept {
    slice.feed(Incoming(messages), yields[s]);
    done.count_down();
  }

  std::vector<machine::Message> messages;
  std::vector<Slice::Yield> yields;
  std::latch done;
};

Slices::Slices(const machine::WaferShape& shape, int threads, Outlets& outlets)
    : outlets_(outlets), alone_(shape.rows) {
  const int together = std::max(1, shape.sequence_columns), groups = shape.cols / together;
  threads = std::min(threads, groups);
  for (int first = 0, t = 0; t < threads; ++t) {
    const int count = t + 1 == threads ? shape.cols - first : (groups - first / together) / (threads - t) * together;
    slices_.push_back(std::make_unique<Slice>(shape, Columns{first, count}, threads));
    first += count;
  }
  begin();
}

void Slices::begin() {
  failure_ = std::make_unique<FirstFailure>();
  for (std::size_t s = 1; s < size(); ++s) workers_.push_back(std::make_unique<Worker>(*failure_));
}

Slices::~Slices() = default;

void Slices::feed(std::span<const machine::Message> messages) {
  failure_->check();
  failure_->guard([&] { share(messages); });
  failure_->check();
}

void Slices::feed(const machine::StreamPiece& piece) {
  failure_->check();
  failure_->guard([&] { alone(Incoming(piece)); });
  failure_->check();
}

void Slices::settle() {
  failure_->check();
  failure_->guard([&] {
    while (!waiting_.empty()) join_first();
  });
  failure_->check();
}

void Slices::reset() {
  workers_.clear();  // discards jobs not begun
  waiting_.clear();
  for (auto& slice : slices_) slice->reset();
  stopped_ = false;
  begin();
}

bool Slices::join(const std::function<const Pe&(int row, int col)>& tile) {
  const int rows = static_cast<int>(outlets_.words.size()),
            cols = slices_.back()->columns.first + slices_.back()->columns.count;
  for (int r = 0; r < rows; ++r)
    for (int c = 1; c < cols; ++c)
      if (!Pe::alike(tile(r, 0), tile(r, c))) return false;
  for (auto& slice : slices_)
    for (int r = 0; r < rows; ++r)
      slice->rows[static_cast<std::size_t>(r)]->pe.join_columns([&](int c) -> const Pe& { return tile(r, c); });
  return true;
}

bool Slices::w_reaches_all() const {
  return std::ranges::all_of(slices_[0]->rows, [](const auto& row) { return row->ports.w_reaches_all(); });
}

void Slices::share(std::span<const machine::Message> messages) {
  if (workers_.empty()) return alone(Incoming(messages));
  const int rows = static_cast<int>(outlets_.words.size());
  const auto portion = std::make_shared<Portion>(messages, size(), rows);
  for (std::size_t s = 1; s < size(); ++s)
    workers_[s - 1]->post([portion, s, slice = slices_[s].get()] { portion->pass(s, *slice); });
  portion->pass(0, *slices_[0]);
  waiting_.push_back(portion);
  constexpr std::size_t kMany = 16;  // bounds memory use
  while (!waiting_.empty() && (waiting_.size() > kMany || waiting_.front()->done.try_wait())) join_first();
}

void Slices::alone(Incoming incoming) {
  for (West& west : alone_.west) west.clear();
  alone_.stopped = false;
  slices_[0]->feed(incoming, alone_);
  join({&alone_, 1});
}

void Slices::join_first() {
  const auto portion = waiting_.front();
  waiting_.pop_front();
  portion->done.wait();
  join(portion->yields);
}

Slice::Row& Slices::row(int row, int col) const {
  for (const auto& slice : slices_)
    if (col >= slice->columns.first && col < slice->columns.first + slice->columns.count)
      return *slice->rows.at(static_cast<std::size_t>(row));
  throw std::out_of_range("column " + std::to_string(col));
}

void Slices::join(std::span<Slice::Yield> yields) {
  const std::size_t rows = outlets_.words.size();
  for (std::size_t row = 0; row < rows; ++row) compare(yields, row);
  for (const Slice::Yield& yield : yields) {
    if (yield.failure) std::rethrow_exception(yield.failure);
    stopped_ = yield.stopped;  // equal in all slices
  }
  FlushDenormals mode;
  std::vector<const West*> west(yields.size());
  for (std::size_t row = 0; row < rows; ++row) {
    std::ranges::transform(yields, west.begin(), [&](const Slice::Yield& yield) { return &yield.west[row]; });
    auto& words = outlets_.words[row];
    const std::size_t before = words.size();
    West::join(west, words);
    outlets_.delivered[row] += words.size() - before;
  }
}

/// Throws if the slices of a row have diverged.
void Slices::compare(std::span<const Slice::Yield> yields, std::size_t row) const {
  const auto& scalars = yields[0].scalars[row];
  for (std::size_t s = 1; s < yields.size(); ++s) {
    const auto& others = yields[s].scalars[row];
    for (std::size_t i = 0; i < std::min(scalars.size(), others.size()); ++i)
      if (scalars[i] != others[i])
        slices_[0]->rows[row]->pe.machine.out_of_step(scalars[i], 0, slices_[s]->columns.first);
  }
}

}  // namespace weft::model
