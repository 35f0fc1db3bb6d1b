#include "host/formats/joined_source.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace weft {

std::uint64_t JoinedSource::add(std::unique_ptr<ByteSource> part) {
  const std::uint64_t begin = size_;
  size_ += part->size();
  parts_.push_back({begin, std::move(part)});
  return begin;
}

void JoinedSource::read(std::uint64_t at, std::span<std::uint8_t> to) const {
  while (!to.empty()) {
    const Part& part = *std::prev(std::ranges::upper_bound(parts_, at, {}, &Part::begin));
    const std::uint64_t here = std::min<std::uint64_t>(to.size(), part.begin + part.source->size() - at);
    part.source->read(at - part.begin, to.first(here));
    at += here;
    to = to.subspan(here);
  }
}

void JoinedSource::check() const {
  for (const Part& part : parts_) part.source->check();
}

}  // namespace weft
