/// All columns of the wafer in lockstep, cut into slices with a thread for each. The caller's thread runs the first.
///
/// Messages go to all slices, which process them at their own pace: none waits for another. Their words to the west are
/// joined when all slices have sent them.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "verif/model/edge/edge.hpp"
#include "verif/model/step/slice.hpp"
#include "verif/model/step/worker.hpp"

namespace weft::model {

class Slices {
 public:
  /// Uses 1 .. cols threads. `outlets`, which must outlive the slices, receives the words that leave the wafer.
  Slices(const machine::WaferShape& shape, int threads, Outlets& outlets);
  ~Slices();
  Slices(const Slices&) = delete;
  Slices& operator=(const Slices&) = delete;

  /// Accepts messages. Results of earlier messages may arrive now. Throws any error they caused, here or in a slice,
  /// and throws it again in every later call: some slices may have taken messages that others have not.
  void feed(std::span<const machine::Message> messages);
  /// Accepts a stream piece. Requires a single slice.
  void feed(const machine::StreamPiece& piece);
  /// Waits until nothing moves and all results have arrived. Throws as feed().
  void settle();
  /// As Wafer::reset(), except for the outlets.
  void reset();
  /// As Wafer::count_progress(); call after settle().
  void count_progress(std::atomic<std::uint64_t>& count) {
    for (auto& slice : slices_) slice->count_progress(count);
  }
  /// As Tiles::pause(). Does nothing if there are several slices, which run in threads of their own.
  void pause(const std::function<void()>& between) {
    if (slices_.size() == 1) slices_[0]->pause(between);
  }
  /// After a reset, takes over the state that a reset preserves in tiles; `tile` returns the PE of a row and column.
  /// Returns false, and changes nothing, if the tiles of a row differ.
  bool join(const std::function<const Pe&(int row, int col)>& tile);

  // Before settle(), only for immutable state:
  std::size_t size() const { return slices_.size(); }
  const Slice& operator[](std::size_t i) const { return *slices_[i]; }
  Slice::Row& row(int row, int col) const;
  const Pe& pe(int r, int c) const { return row(r, c).pe; }
  /// Some row cannot continue in lockstep; the same in all slices.
  bool stopped() const { return stopped_; }
  /// Checks the routes of W set by commands, which all slices know.
  bool w_reaches_all() const;

 private:
  struct Portion;
  void begin();
  void share(std::span<const machine::Message> messages);
  void alone(Incoming incoming);
  void join_first();
  void join(std::span<Slice::Yield> yields);
  void compare(std::span<const Slice::Yield> yields, std::size_t row) const;

  Outlets& outlets_;
  Slice::Yield alone_;  ///< reused with a single slice
  bool stopped_ = false;
  std::vector<std::unique_ptr<Slice>> slices_;
  std::unique_ptr<FirstFailure> failure_;
  std::deque<std::shared_ptr<Portion>> waiting_;  ///< to be joined, in order
  std::vector<std::unique_ptr<Worker>>
      workers_;  ///< for all slices but the first; last member: workers end before what they use
};

}  // namespace weft::model
