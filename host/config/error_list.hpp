/// Collects several errors to report them together.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sw/base/refusal.hpp"

namespace weft::config {

/// Several refusals, one per line. Caught as a Refusal, it is the first of them.
class Refusals : public Refusal {
 public:
  /// `all` must not be empty.
  explicit Refusals(std::vector<Refusal> all) : Refusal(all.front()), all_(std::move(all)) {
    for (const Refusal& one : all_) lines_ += (lines_.empty() ? "" : "\n") + std::string(one.what());
  }
  const char* what() const noexcept override { return lines_.c_str(); }
  const std::vector<Refusal>& all() const { return all_; }

 private:
  std::vector<Refusal> all_;
  std::string lines_;
};

/// Errors of a file, collected so that the user can correct all of them before the next start.
class ErrorList {
 public:
  /// Runs `read` and keeps the Refusal that it throws, if any. Throws all of them when there are too many to be useful.
  template <class Read>
  void collect(const Read& read) {
    try {
      read();
    } catch (const Refusals&) {  // from a nested `collect`: too many errors
      throw;
    } catch (const Refusal& e) {
      all_.push_back(e);
      if (all_.size() >= kMost) check();
    }
  }
  bool empty() const { return all_.empty(); }
  /// Throws Refusal if there are any errors.
  void check() const {
    if (all_.size() == 1) throw all_.front();
    if (!all_.empty()) throw Refusals(all_);
  }

 private:
  static constexpr std::size_t kMost = 100;
  std::vector<Refusal> all_;
};

}  // namespace weft::config
