/// libmunge, loaded at run time: the build does not need it.
///
/// A credential is a text that the local daemon makes on request; it contains the requesting user and a payload. A
/// daemon with the same key (the cluster's) attests that user, once, within some minutes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace weft::swarmx {

class Munge {
 public:
  /// `socket`: the daemon's; empty: the default. Throws Refusal if there is no library or no daemon answers.
  explicit Munge(std::string socket);
  ~Munge();
  Munge(const Munge&) = delete;
  Munge& operator=(const Munge&) = delete;

  /// Returns a credential that only our own user may decode. Throws Refusal if the daemon does not make one.
  std::string encode(std::span<const std::uint8_t> payload) const;

  struct Decoded {
    std::string problem;  ///< problem of the credential or of our daemon; empty: the credential is valid
    bool ours = false;    ///< true if the problem is our daemon's, which has not checked the credential
    std::vector<std::uint8_t> payload;
    std::uint32_t user = 0;
  };
  Decoded decode(const std::string& credential) const;

 private:
  struct Library;
  class Context;
  std::string socket_;
  std::unique_ptr<const Library> library_;
};

}  // namespace weft::swarmx
