/// What is said when data is wrong: of a key, of a file.
#pragma once

#include <new>
#include <string>

#include "host/checkpoint/file.hpp"
#include "host/config/config.hpp"
#include "sw/base/refusal.hpp"

namespace weft {

/// Runs `work`; what is wrong with a file is said of `key`.
template <class Work>
auto about(const Config& config, const char* key, const Work& work) {
  try {
    return work();
  } catch (const Refusal& e) {
    throw config.error(key, e);
  }
}

}  // namespace weft
