#include "verif/model/machine/later.hpp"

#include <cstring>

namespace weft::model {

float* Later::deltas(int vl) {
  beats = vl;
  if (vl > room_) dy_.emplace(most_ * size()), room_ = vl;
  open_ = false;
  current_ = outputs.size();
  return dy_->data() + current_ * size();
}

void Later::begin() {
  if (open_) return;
  const std::size_t here = outputs.size();
  if (here != current_)  // some of its groups are made already
    std::memcpy(dy_->data() + here * size(), dy(current_), size() * sizeof(float));
  current_ = here;
  open_ = true;
  outputs.push_back({x.size(), 0});
}

void Later::add(int slots, std::span<const std::uint16_t* const> features) {
  groups.push_back({.slots = slots, .first = x.size(), .n = features.size()});
  x.insert(x.end(), features.begin(), features.end());
  outputs.back().n += features.size();
}

void Later::clear() {
  outputs.clear();
  groups.clear();
  reduced = 0;
  x.clear();
  open_ = false;
}

}  // namespace weft::model
