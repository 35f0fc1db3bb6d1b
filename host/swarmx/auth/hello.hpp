/// The hello, the first message once the other side is authenticated: the role and run of a process that joins.
#pragma once

#include <cstdint>
#include <string>

#include "host/swarmx/auth/message.hpp"

namespace weft::swarmx {

inline constexpr std::size_t kMostText = 64;  ///< bytes of a text

struct Hello {
  std::uint32_t version = 0;  ///< version of the protocol used afterwards
  std::uint64_t plan = 0;     ///< a digest: equal if both have compiled the same
  std::string job;            ///< identifies the run, among all with this key or user
  std::string build = {};     ///< identifies the program; another one may compute other bits
  std::string role;           ///< "wafer", "node", ...
  std::string name;           ///< "wafer 3"
  std::string from = {};      ///< the address it connected from, as the listener sees it; not sent
};

/// Encodes the body of a Hello: version (4 bytes), plan (8), then job, build, role and name, each a length (1) and
/// so many bytes. Texts must have at most kMostText bytes, which the configuration ensures.
JoinMessage encode_hello(const Hello& hello);
/// Reads only the version if that is not `version`. Makes control characters in texts visible. Throws AuthError.
Hello decode_hello(const JoinMessage& message, std::uint32_t version, const std::string& peer);

/// Lists what does not match, with both values: "version 3 here, 2 there; job a here, b there"; empty if all matches.
/// An empty role or name of `here` matches any; if the versions differ, only they are compared.
std::string mismatch(const Hello& here, const Hello& there);

/// Encodes the listener's rejection of a peer, with the reason.
JoinMessage encode_rejection(std::string text);
/// Returns if `answer` is Welcome; throws AuthError with the other side's text if it is a rejection, or if it is
/// neither.
void check_welcome(const JoinMessage& answer, const std::string& peer);

}  // namespace weft::swarmx
