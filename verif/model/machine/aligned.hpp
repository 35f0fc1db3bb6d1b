/// A zeroed array for vector loads: aligned to 64 bytes, and 64 bytes past its end may be read.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

namespace weft::model {

template <class T>
class Aligned {
 public:
  explicit Aligned(std::size_t size) : bytes_(size * sizeof(T) + 64), data_(allocate(bytes_)) {
    std::memset(static_cast<void*>(data_.get()), 0, bytes_);
  }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }

 private:
  static constexpr std::align_val_t kAlign{64};
  struct Free {
    void operator()(T* p) const { ::operator delete(static_cast<void*>(p), kAlign); }
  };
  static T* allocate(std::size_t bytes) { return static_cast<T*>(::operator new(bytes, kAlign)); }

  std::size_t bytes_;
  std::unique_ptr<T, Free> data_;
};

}  // namespace weft::model
