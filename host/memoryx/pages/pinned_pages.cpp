#include "host/memoryx/pages/pinned_pages.hpp"

#include <algorithm>
#include <bit>

#include "sw/base/invariant.hpp"

namespace weft::memoryx {

PinnedPages::PinnedPages(Pages* pages, std::size_t most, Pages::Use use, std::uint32_t prefetch)
    : pages_(pages), most_(most), use_(use), prefetch_(prefetch) {
  if (pages == nullptr) return;
  shift_ = std::countr_zero(pages->page_bytes());
  mine_.resize(pages->count());
  list_.reserve(most);
  more_.reserve(most);
}

bool PinnedPages::has(std::initializer_list<Range> ranges) const {
  return std::ranges::all_of(ranges, [this](Range range) {
    if (range.empty()) return true;
    for (std::uint32_t k = page(range.data()), last = page(&range.back()); k <= last; ++k)
      if (mine_[k] == 0) return false;
    return true;
  });
}

void PinnedPages::pin_more(std::initializer_list<Range> ranges) {
  const auto missing = [&] {
    more_.clear();
    for (const Range range : ranges) {
      if (range.empty()) continue;
      for (std::uint32_t k = page(range.data()), last = page(&range.back()); k <= last; ++k)
        if (mine_[k] == 0) more_.push_back(k);
    }
  };
  missing();
  if (list_.size() + more_.size() > most_) {
    unpin();
    missing();
  }
  invariant(more_.size() <= most_, "no more pages are pinned at a time than reserved");
  pages_->pin(more_, use_);
  for (const std::uint32_t k : more_) mine_[k] = 1;
  list_.insert(list_.end(), more_.begin(), more_.end());
  if (prefetch_ == 0) return;
  const auto behind = static_cast<std::uint32_t>(list_.back() + 1), all = static_cast<std::uint32_t>(pages_->count());
  pages_->prefetch(behind, std::min(prefetch_, all - behind));
}

void PinnedPages::unpin() noexcept {
  if (list_.empty()) return;
  pages_->unpin(list_, use_);
  for (const std::uint32_t k : list_) mine_[k] = 0;
  list_.clear();
}

}  // namespace weft::memoryx
