/// Payload bytes. `Bytes(n)` are not cleared, since a payload is always written as a whole.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace weft::swarmx {

template <class T>
struct Uncleared : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = Uncleared<U>;
  };
  template <class U>
  void construct(U* at) noexcept {
    ::new (static_cast<void*>(at)) U;
  }
  template <class U, class... Values>
  void construct(U* at, Values&&... values) {
    std::construct_at(at, std::forward<Values>(values)...);
  }
};

using Bytes = std::vector<std::uint8_t, Uncleared<std::uint8_t>>;

}  // namespace weft::swarmx

/// Instantiated in frame.cpp, whose compiler options remove the constructor's loop over the bytes.
extern template class std::vector<std::uint8_t, weft::swarmx::Uncleared<std::uint8_t>>;
