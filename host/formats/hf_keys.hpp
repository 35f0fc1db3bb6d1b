/// Keys of a config.json for which Weft supports a single value, and the classes' defaults for missing keys.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace weft::formats {

/// The networks that Weft and Hugging Face have in common.
enum class HfKind : std::uint8_t { Gpt2, GptJ, Llama, Bert };

/// A property that is fixed in Weft's networks.
struct HfConstant {
  std::string_view key, value;    ///< as JSON
  std::string_view also[3] = {};  ///< other texts with the same meaning

  bool allows(std::string_view text) const {
    if (text == value) return true;
    for (const std::string_view same : also)
      if (!same.empty() && text == same) return true;
    return false;
  }
};

std::span<const HfConstant> hf_constants(HfKind kind);

/// A key that transformers' classes treat as an alias of another one (their attribute_map).
struct HfOtherName {
  std::string_view name, key;
};
std::span<const HfOtherName> hf_other_names();

/// A key of other models that GPT-2 and GPT-J do not read, although a person may expect it: `key` is the one they read.
struct HfUnreadName {
  enum Kind : std::uint8_t {
    Instead,  ///< only if `key` is missing: files may have both, and transformers uses `key`
    Same,     ///< a value of `key` under another name
    Another,  ///< a property that GPT-2 and GPT-J lack
  };
  std::string_view name, key;
  Kind kind = Same;
};
std::span<const HfUnreadName> hf_unread_names();

/// Defaults of GPT2Config and GPTJConfig; LLaMA's keys are in hf_llama.cpp.
struct HfDefaults {
  int vocab, positions, hidden, layers, heads, rotary;
};
HfDefaults hf_defaults(HfKind kind);

}  // namespace weft::formats
