/// Memory for vector loads and stores: aligned to 64 bytes, so that no vector crosses a cache line, and readable up to
/// 64 bytes past its end.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

namespace weft::model {

/// Uninitialized memory.
template <class T>
class AlignedRoom {
 public:
  AlignedRoom() = default;
  explicit AlignedRoom(std::size_t size) : data_(static_cast<T*>(::operator new(bytes(size), kAlign))) {}
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }

 protected:
  static std::size_t bytes(std::size_t size) { return size * sizeof(T) + 64; }

 private:
  static constexpr std::align_val_t kAlign{64};
  struct Free {
    void operator()(T* p) const { ::operator delete(static_cast<void*>(p), kAlign); }
  };

  std::unique_ptr<T, Free> data_;
};

/// Zero-initialized memory.
template <class T>
class Aligned : public AlignedRoom<T> {
 public:
  explicit Aligned(std::size_t size) : AlignedRoom<T>(size) {
    std::memset(static_cast<void*>(this->data()), 0, this->bytes(size));
  }
};

}  // namespace weft::model
