/// Adds the key that names a file to errors about the file.
#pragma once

#include <new>
#include <string>

#include "host/checkpoint/file.hpp"
#include "host/config/config.hpp"
#include "sw/base/refusal.hpp"

namespace weft::config {

/// Runs `work`. A Refusal that it throws is reported as an error of `key`.
template <class Work>
auto about(const Config& config, const char* key, const Work& work) {
  try {
    return work();
  } catch (const Refusal& e) {
    throw config.error(key, e);
  }
}

}  // namespace weft::config
