#include "host/swarmx/root/stream.hpp"

#include <algorithm>
#include <utility>

namespace weft::swarmx {

void Stream::begin_step(bool repeats) {
  repeats_ = repeats;
  for (std::size_t op = 0; op < packed_.size(); ++op) {
    if (!plan_.ops[op].tensors.empty()) forget(op);  // commands and masks stay as they are
  }
}

void Stream::op(std::size_t index, MemoryXClient& memory, const std::function<void(Frame)>& send) {
  if (!packed_[index].empty()) {
    for (const Frame& frame : packed_[index]) send(frame);
    return;
  }
  bool keep = repeats_ || plan_.ops[index].tensors.empty();
  memory.frames(index, next_after(index), clock_, [&](Frame frame) {
    keep = keep && cache(index, frame);
    send(std::move(frame));
  });
}

/// Returns the next op whose weights must be fetched.
std::optional<std::size_t> Stream::next_after(std::size_t op) const {
  for (++op; op < packed_.size(); ++op) {
    if (packed_[op].empty() && !plan_.ops[op].tensors.empty()) return op;
  }
  return std::nullopt;
}

bool Stream::cache(std::size_t op, const Frame& frame) {
  if (kept_ + frame.bytes().size() <= kKept) {
    packed_[op].push_back(frame);
    kept_ += frame.bytes().size();
    return true;
  }
  forget(op);
  return false;
}

void Stream::forget(std::size_t op) {
  for (const Frame& frame : packed_[op]) kept_ -= frame.bytes().size();
  packed_[op].clear();
}

}  // namespace weft::swarmx
