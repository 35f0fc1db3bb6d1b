/// libmunge, loaded when it is asked for: nothing of it is needed to build.
///
/// A credential is a text that the local daemon makes for whoever asks, with the user who asked and a payload. A daemon
/// with the same key (that of the cluster) says who it was, once, within some minutes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace weft {

class Munge {
 public:
  /// `socket`: the daemon's; empty: where it always is. Throws Refusal if there is no library or no daemon answers.
  explicit Munge(std::string socket);
  ~Munge();
  Munge(const Munge&) = delete;
  Munge& operator=(const Munge&) = delete;

  /// A credential that only our own user may decode. Throws Refusal if the daemon does not make one.
  std::string encode(std::span<const std::uint8_t> payload) const;

  struct Decoded {
    std::string problem;  ///< of the credential, or of our daemon; empty: it is good
    bool ours = false;    ///< the problem: no daemon of ours has looked at it
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

}  // namespace weft
