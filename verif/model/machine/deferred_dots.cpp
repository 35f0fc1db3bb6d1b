#include "verif/model/machine/deferred_dots.hpp"

#include <cstring>

namespace weft::model {

std::uint32_t* DeferredDots::deltas(int vl) {
  beats = vl;
  if (vl > room_) {
    dy_ = Aligned<std::uint32_t>(most_ * words());
    room_ = vl;  // set after the allocation has succeeded
  }
  open_ = false;
  current_ = outputs.size();
  return dy_->data() + current_ * words();
}

void DeferredDots::begin() {
  if (open_) return;
  const std::size_t here = outputs.size();
  if (here != current_)  // some groups of this output have been computed already
    std::memcpy(dy_->data() + here * words(), dy(current_), words() * sizeof(std::uint32_t));
  current_ = here;
  open_ = true;
  outputs.push_back({size_, 0});
}

void DeferredDots::add(int slots, std::size_t n) {
  groups.push_back({.slots = slots, .first = size_, .n = n});
  size_ += n;
  outputs.back().n += n;
}

void DeferredDots::clear() {
  outputs.clear();
  groups.clear();
  reduced = 0;
  size_ = 0;
  open_ = false;
}

}  // namespace weft::model
