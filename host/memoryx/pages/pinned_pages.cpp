#include "host/memoryx/pages/pinned_pages.hpp"

#include <algorithm>
#include <bit>

#include "sw/base/invariant.hpp"

namespace weft {

Held::Held(Pieces* pieces, std::size_t most, Pieces::Use use, std::uint32_t ahead)
    : pieces_(pieces), most_(most), use_(use), ahead_(ahead) {
  if (pieces == nullptr) return;
  shift_ = std::countr_zero(pieces->piece_bytes());
  mine_.resize(pieces->count());
  list_.reserve(most);
  more_.reserve(most);
}

bool Held::has(std::initializer_list<Range> ranges) const {
  return std::ranges::all_of(ranges, [this](Range range) {
    if (range.empty()) return true;
    for (std::uint32_t k = piece(range.data()), last = piece(&range.back()); k <= last; ++k)
      if (mine_[k] == 0) return false;
    return true;
  });
}

void Held::take_more(std::initializer_list<Range> ranges) {
  const auto missing = [&] {
    more_.clear();
    for (const Range range : ranges) {
      if (range.empty()) continue;
      for (std::uint32_t k = piece(range.data()), last = piece(&range.back()); k <= last; ++k)
        if (mine_[k] == 0) more_.push_back(k);
    }
  };
  missing();
  if (list_.size() + more_.size() > most_) {
    release();
    missing();
  }
  invariant(more_.size() <= most_, "nobody uses more pieces at a time than was said");
  pieces_->hold(more_, use_);
  for (const std::uint32_t k : more_) mine_[k] = 1;
  list_.insert(list_.end(), more_.begin(), more_.end());
  if (ahead_ == 0) return;
  const auto behind = static_cast<std::uint32_t>(list_.back() + 1), all = static_cast<std::uint32_t>(pieces_->count());
  pieces_->ahead(behind, std::min(ahead_, all - behind));
}

void Held::release() noexcept {
  if (list_.empty()) return;
  pieces_->release(list_, use_);
  for (const std::uint32_t k : list_) mine_[k] = 0;
  list_.clear();
}

}  // namespace weft
