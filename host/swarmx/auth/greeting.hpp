/// Who comes, and for what: the first that is said once the other side is known to be one of us.
#pragma once

#include <cstdint>
#include <string>

#include "host/swarmx/auth/message.hpp"

namespace weft {

inline constexpr std::size_t kMostText = 64;  ///< bytes of a text

struct Greeting {
  std::uint32_t version = 0;  ///< of the protocol that is spoken afterwards
  std::uint64_t plan = 0;     ///< a digest: both have compiled the same
  std::string job;            ///< which run, of all that have this key or user
  std::string build = {};     ///< of which program; another one may compute other bits
  std::string role;           ///< "wafer", "node", ...
  std::string name;           ///< "wafer 3"
  std::string from = {};      ///< the address it came from, which the listener knows; not said
};

/// The body of a Greeting: version (4 bytes), plan (8), then job, build, role and name, each a length (1) and so many
/// bytes. Texts are at most kMostText long, which is our own mistake otherwise: the configuration sees to it.
JoinMessage encode_greeting(const Greeting& greeting);
/// Of another version than `version` only the version is read. Control characters in texts are made visible. Throws
/// Refused.
Greeting decode_greeting(const JoinMessage& message, std::uint32_t version, const std::string& peer);

/// What does not match, with both values: "version 3 here, 2 there; job a here, b there". Empty: all does. An empty
/// role or name of `here` matches any; of another version only the version is compared.
std::string mismatch(const Greeting& here, const Greeting& there);

/// What the listener says to one that it does not let in, and why.
JoinMessage encode_refusal(std::string text);
/// Returns if `answer` is Welcome; throws Refused with the other's text if it is a refusal, or if it is neither.
void check_welcome(const JoinMessage& answer, const std::string& peer);

}  // namespace weft
