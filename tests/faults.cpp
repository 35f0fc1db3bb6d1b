#include "tests/faults.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <new>

namespace weft::test {
namespace {

/// Decides which requests fail.
class Requests {
 public:
  void fail(Fault fault, std::uint64_t n) {
    fault_ = Fault::None;
    left_ = static_cast<std::int64_t>(n);
    fault_ = fault;
  }
  bool next_fails() {
    const Fault fault = fault_;
    if (fault == Fault::None) return false;
    const std::int64_t left = --left_;
    return fault == Fault::Once ? left == 0 : left <= 0;
  }

 private:
  std::atomic<Fault> fault_{Fault::None};
  std::atomic<std::int64_t> left_{0};
};

constinit Requests memory, threads;

void* allocate(std::size_t size, std::size_t alignment) {
  if (memory.next_fails()) return nullptr;
  if (alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__) return std::malloc(size == 0 ? 1 : size);
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void* allocate_or_throw(std::size_t size, std::size_t alignment) {
  if (void* memory = allocate(size, alignment)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void fail_memory(Fault fault, std::uint64_t n) { memory.fail(fault, n); }
void fail_threads(Fault fault, std::uint64_t n) { threads.fail(fault, n); }

}  // namespace weft::test

// All forms of operator new and delete, because a sanitizer's forms do not call one another.
using std::align_val_t;
using weft::test::allocate;
using weft::test::allocate_or_throw;
void* operator new(std::size_t size) { return allocate_or_throw(size, 1); }
void* operator new[](std::size_t size) { return allocate_or_throw(size, 1); }
void* operator new(std::size_t size, align_val_t to) { return allocate_or_throw(size, static_cast<std::size_t>(to)); }
void* operator new[](std::size_t size, align_val_t to) { return allocate_or_throw(size, static_cast<std::size_t>(to)); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, align_val_t) noexcept { std::free(memory); }

// Overrides the C library's pthread_create for all callers.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*),
                              void* argument) noexcept {
  if (weft::test::threads.next_fails()) return EAGAIN;
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  return create(thread, attributes, work, argument);
}
