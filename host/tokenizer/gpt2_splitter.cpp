#include "host/tokenizer/gpt2_splitter.hpp"

#include <array>

#include "host/tokenizer/unicode/characters.hpp"

namespace weft::tokenizer {
namespace {

constexpr std::array<Kind, 128> ascii_kinds() {
  std::array<Kind, 128> kinds{};
  for (int c = 'a'; c <= 'z'; ++c) kinds[c] = kinds[c - 'a' + 'A'] = Kind::Letter;
  for (int c = '0'; c <= '9'; ++c) kinds[c] = Kind::Number;
  for (const int c : {'\t', '\n', '\v', '\f', '\r', ' '}) kinds[c] = Kind::Space;
  return kinds;
}
constexpr std::array<Kind, 128> kAscii = ascii_kinds();

struct Classified {
  Kind kind;
  std::uint32_t bytes;
};

inline Classified classify(const char* at, const char* end) {
  const auto byte = static_cast<unsigned char>(*at);
  if (byte < 128) return {kAscii[byte], 1};
  const Character c = character_at(at, end);
  return {kind_of(c.code), c.bytes};
}

/// End of the run of characters of `kind` that starts at `at`.
inline const char* run(const char* at, const char* end, Kind kind) {
  while (at != end) {
    const Classified seen = classify(at, end);
    if (seen.kind != kind) break;
    at += seen.bytes;
  }
  return at;
}

/// Length in bytes of the contraction at `at`, an apostrophe; 0: there is none.
int contraction(const char* at, const char* end) {
  if (end - at < 2) return 0;
  const char a = at[1], b = end - at > 2 ? at[2] : '\0';
  if (a == 's' || a == 't' || a == 'm' || a == 'd') return 2;
  return (a == 'r' && b == 'e') || (a == 'v' && b == 'e') || (a == 'l' && b == 'l') ? 3 : 0;
}

/// `\s+(?!\S)|\s+`, given a space at `at` that is `bytes` long. The last of several spaces belongs to the following
/// word.
const char* spaces(const char* at, const char* end, std::uint32_t bytes) {
  const char *last = at, *next = at + bytes;
  while (next != end) {
    const Classified seen = classify(next, end);
    if (seen.kind != Kind::Space) return last == at ? next : last;
    last = next;
    next += seen.bytes;
  }
  return end;
}

const char* word(const char* at, const char* end) {
  if (*at == '\'') {
    if (const int bytes = contraction(at, end)) return at + bytes;
  }
  const Classified first = classify(at, end);
  if (first.kind != Kind::Space) return run(at + first.bytes, end, first.kind);
  if (*at == ' ' && at + 1 != end) {
    const Classified next = classify(at + 1, end);
    if (next.kind != Kind::Space) return run(at + 1 + next.bytes, end, next.kind);
  }
  return spaces(at, end, first.bytes);
}

}  // namespace

void Gpt2Splitter::split(std::string_view text, std::vector<std::uint32_t>& ends) const {
  const char *const begin = text.data(), *const end = begin + text.size();
  for (const char* at = begin; at != end;) {
    at = word(at, end);
    ends.push_back(static_cast<std::uint32_t>(at - begin));
  }
}

std::unique_ptr<Splitter> make_splitter(const Split& split) {
  // Isolated matches and the text between them are the same words if the two are exchanged.
  if (split.pattern == kGpt2Pattern && split.behavior == SplitBehavior::Isolated)
    return std::make_unique<Gpt2Splitter>();
  return make_regex_splitter(split);
}

}  // namespace weft::tokenizer
