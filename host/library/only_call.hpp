/// One call to an object of the library at a time.
#pragma once

#include <atomic>
#include <string>

#include "host/library/prepared.hpp"
#include "sw/base/refusal.hpp"

namespace weft::library {

/// While it exists, other calls to the object throw Refusal. Its end passes on the lines that were printed.
class OnlyCall {
 public:
  /// `object`: the object's name; `hint`: of the error.
  OnlyCall(Prepared& prepared, std::atomic<bool>& busy, const std::string& object, const std::string& hint)
      : prepared_(prepared), busy_(busy) {
    if (busy_.exchange(true)) throw Refusal(object, "is in use by another thread", hint);
  }
  ~OnlyCall() {
    prepared_.pass_on();
    busy_ = false;
  }
  OnlyCall(const OnlyCall&) = delete;
  OnlyCall& operator=(const OnlyCall&) = delete;

 private:
  Prepared& prepared_;
  std::atomic<bool>& busy_;
};

}  // namespace weft::library
