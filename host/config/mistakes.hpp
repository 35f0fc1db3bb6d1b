/// Several mistakes at once.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sw/base/refusal.hpp"

namespace weft {

/// Several refusals, a line each. Caught as one it is the first of them.
class Refusals : public Refusal {
 public:
  /// `all` has one at least.
  explicit Refusals(std::vector<Refusal> all) : Refusal(all.front()), all_(std::move(all)) {
    for (const Refusal& one : all_) lines_ += (lines_.empty() ? "" : "\n") + std::string(one.what());
  }
  const char* what() const noexcept override { return lines_.c_str(); }
  const std::vector<Refusal>& all() const { return all_; }

 private:
  std::vector<Refusal> all_;
  std::string lines_;
};

/// What is wrong with a file, so that who mends it need not start the program for each line.
class Mistakes {
 public:
  /// Keeps the refusal that `read` throws, if it does. Throws them all when they are too many to be of any use.
  template <class Read>
  void in(const Read& read) {
    try {
      read();
    } catch (const Refusals&) {  // of an `in` within: too many
      throw;
    } catch (const Refusal& e) {
      all_.push_back(e);
      if (all_.size() >= kMost) check();
    }
  }
  bool empty() const { return all_.empty(); }
  /// Throws Refusal if there are any.
  void check() const {
    if (all_.size() == 1) throw all_.front();
    if (!all_.empty()) throw Refusals(all_);
  }

 private:
  static constexpr std::size_t kMost = 100;
  std::vector<Refusal> all_;
};

}  // namespace weft
