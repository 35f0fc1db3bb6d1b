/// All columns of the wafer in step, cut into slices with a thread for each: the caller's for the first.
///
/// Messages go to all slices, which work on them at their own pace: none waits for another. What they send west is
/// joined when all have sent it.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "verif/model/edge.hpp"
#include "verif/model/step/slice.hpp"
#include "verif/model/step/worker.hpp"

namespace weft::model {

class Tiles;

class Slices {
 public:
  /// 1 .. cols threads. `outlets`, which must outlive it, gets what leaves the wafer.
  Slices(const WaferShape& shape, int threads, Outlets& outlets);
  ~Slices();
  Slices(const Slices&) = delete;
  Slices& operator=(const Slices&) = delete;

  /// Takes messages. What earlier ones brought may come now. Throws what went wrong with them, here or in a slice, and
  /// from then on always: some slices may have taken what others have not.
  void feed(std::span<const Message> messages);
  /// The same of the only slice.
  void feed(const StreamPiece& piece);
  /// Waits until nothing moves and everything has come. Throws as feed().
  void settle();
  /// As Wafer::reset(), but for the outlets.
  void reset();
  /// As Wafer::count_progress(), after settle().
  void count_progress(std::atomic<std::uint64_t>& count) {
    for (auto& slice : slices_) slice->count_progress(count);
  }
  /// After a reset gets what a reset leaves from tiles. False: they are not alike, and nothing is changed.
  bool join(const Tiles& tiles);

  // Before settle() only for what never changes:
  std::size_t size() const { return slices_.size(); }
  const Slice& operator[](std::size_t i) const { return *slices_[i]; }
  Slice::Row& row(int row, int col) const;
  const Pe& pe(int r, int c) const { return row(r, c).pe; }
  /// Some row cannot go on in step, in all slices alike.
  bool stopped() const { return stopped_; }
  /// By the routes of W that commands have set, as all slices know them.
  bool w_reaches_all() const;

 private:
  struct Portion;
  void begin();
  void share(std::span<const Message> messages);
  void alone(Incoming incoming);
  void join_first();
  void join(std::span<Slice::Yield> yields);
  void compare(std::span<const Slice::Yield> yields, std::size_t row) const;

  Outlets& outlets_;
  Slice::Yield alone_;  ///< of the only slice: its room is used again
  bool stopped_ = false;
  std::vector<std::unique_ptr<Slice>> slices_;
  std::unique_ptr<FirstFailure> failure_;
  std::deque<std::shared_ptr<Portion>> waiting_;  ///< to be joined, in order
  std::vector<std::unique_ptr<Worker>> workers_;  ///< of the slices but the first; last: they end before what they use
};

}  // namespace weft::model
