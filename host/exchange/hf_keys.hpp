/// Keys of a config.json that have one value here, and what the classes take for those that are missing.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "host/exchange/hf_config.hpp"

namespace weft {

/// A property that Weft's networks have as they are.
struct HfConstant {
  std::string_view key, value;    ///< JSON
  std::string_view also[3] = {};  ///< other texts that mean the same

  bool allows(std::string_view text) const {
    if (text == value) return true;
    for (const std::string_view same : also)
      if (!same.empty() && text == same) return true;
    return false;
  }
};

std::span<const HfConstant> hf_constants(HfKind kind);

/// A key that transformers' classes take for another one (their attribute_map).
struct HfOtherName {
  std::string_view name, key;
};
std::span<const HfOtherName> hf_other_names();

/// A key of another model that GPT-2 and GPT-J do not read, though a reader may think so: `key` is what they read.
struct HfUnreadName {
  enum Kind : std::uint8_t {
    Instead,  ///< only where `key` is missing: files have both, and transformers takes `key`
    Same,     ///< a value of `key` by another name
    Another,  ///< what such models have, and GPT-2 and GPT-J have not
  };
  std::string_view name, key;
  Kind kind = Same;
};
std::span<const HfUnreadName> hf_unread_names();

/// Of GPT2Config and GPTJConfig.
struct HfDefaults {
  int vocab, positions, hidden, layers, heads, rotary;
};
HfDefaults hf_defaults(HfKind kind);

}  // namespace weft
