/// Memory in huge pages: gradients and weight streams visit a long vector in steps of more than a page.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>

namespace weft::memoryx {

/// Allocator of vectors. Long ones begin at a huge page and ask the system for such pages (madvise(2)), if it has them.
template <class T>
struct HugePages {
  using value_type = T;
  static constexpr std::size_t kPage = std::size_t{1} << 21;  ///< bytes; a larger size is a long vector

  HugePages() = default;
  template <class U>
  HugePages(const HugePages<U>&) noexcept {}  // NOLINT: converts as std::allocator does

  T* allocate(std::size_t size) {
    if (!is_long(size)) return static_cast<T*>(::operator new(size * sizeof(T)));
    void* const at = ::operator new (size * sizeof(T), std::align_val_t{kPage});
#if defined(MADV_HUGEPAGE)
    ::madvise(at, size * sizeof(T), MADV_HUGEPAGE);  // a failure costs time only
#endif
    return static_cast<T*>(at);
  }
  void deallocate(T* at, std::size_t size) noexcept {
    if (is_long(size))
      ::operator delete (at, std::align_val_t{kPage});
    else
      ::operator delete(at);
  }
  bool operator==(const HugePages&) const = default;

 private:
  static bool is_long(std::size_t size) { return size * sizeof(T) >= kPage; }
};

}  // namespace weft::memoryx
