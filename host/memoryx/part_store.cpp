/// The DRAM store of an instance that owns a part of the flat vectors: addresses for whole vectors, memory for touched
/// pages only.
#include <sys/mman.h>

#include <memory>
#include <new>

#include "host/memoryx/store.hpp"

namespace weft::memoryx {
namespace {

/// Zeros; only touched pages take memory.
class Sparse {
 public:
  explicit Sparse(std::uint64_t size) : size_(size) {
    if (size_ == 0) return;
    void* const at =
        ::mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) throw std::bad_alloc();
    values_ = static_cast<float*>(at);
  }
  ~Sparse() {
    if (values_ != nullptr) ::munmap(values_, bytes());
  }
  Sparse(const Sparse&) = delete;
  Sparse& operator=(const Sparse&) = delete;
  std::span<float> values() const { return {values_, size_}; }

 private:
  std::size_t bytes() const { return size_ * sizeof(float); }
  std::uint64_t size_;
  float* values_ = nullptr;
};

class PartStore final : public ParameterStore {
 public:
  PartStore(std::uint64_t parameters, int moments)
      : weights_(parameters), first_(moments > 0 ? parameters : 0), second_(moments > 1 ? parameters : 0) {}
  std::span<float> weights() override { return weights_.values(); }
  std::span<float> first_moments() override { return first_.values(); }
  std::span<float> second_moments() override { return second_.values(); }

 private:
  Sparse weights_, first_, second_;
};

}  // namespace

std::unique_ptr<ParameterStore> make_part_store(std::uint64_t parameters, int moments) {
  return std::make_unique<PartStore>(parameters, moments);
}

}  // namespace weft::memoryx
