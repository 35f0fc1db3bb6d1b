#include "host/swarmx/auth/hello.hpp"

#include <fmt/format.h>

#include <span>

#include "host/swarmx/auth/auth_error.hpp"
#include "sw/base/invariant.hpp"
#include "sw/base/refusal.hpp"

namespace weft::swarmx {
namespace {

constexpr std::size_t kMostRefusal = 1000;  // bytes

[[noreturn]] void malformed(const std::string& peer) {
  throw AuthError(peer + " sent a malformed hello. HINT: check that all ranks run the same program.");
}

/// Reads integers and texts from the front of a body.
class Reader {
 public:
  Reader(std::span<const std::uint8_t> rest, const std::string& peer) : rest_(rest), peer_(peer) {}
  std::span<const std::uint8_t> take(std::size_t size) {
    if (rest_.size() < size) malformed(peer_);
    const auto taken = rest_.first(size);
    rest_ = rest_.subspan(size);
    return taken;
  }
  std::uint64_t integer(std::size_t size) {
    std::uint64_t value = 0;
    std::size_t at = 0;
    for (const std::uint8_t byte : take(size)) value |= std::uint64_t{byte} << 8 * at++;
    return value;
  }
  std::string text() {
    const std::size_t size = integer(1);
    if (size > kMostText) malformed(peer_);
    const auto bytes = take(size);
    return one_line({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
  void end() const {
    if (!rest_.empty()) malformed(peer_);
  }

 private:
  std::span<const std::uint8_t> rest_;
  const std::string& peer_;
};

void put(std::vector<std::uint8_t>& body, std::uint64_t value, std::size_t size) {
  for (std::size_t n = 0; n < size; ++n) body.push_back(static_cast<std::uint8_t>(value >> 8 * n & 255));
}

}  // namespace

JoinMessage encode_hello(const Hello& hello) {
  JoinMessage message{MessageKind::Hello, {}};
  put(message.body, hello.version, 4);
  put(message.body, hello.plan, 8);
  for (const std::string* text : {&hello.job, &hello.build, &hello.role, &hello.name}) {
    invariant(text->size() <= kMostText, "the texts of a hello have at most 64 bytes");
    put(message.body, text->size(), 1);
    message.body.insert(message.body.end(), text->begin(), text->end());
  }
  return message;
}

Hello decode_hello(const JoinMessage& message, std::uint32_t version, const std::string& peer) {
  if (message.kind != MessageKind::Hello) malformed(peer);
  Reader body(message.body, peer);
  Hello hello;
  hello.version = static_cast<std::uint32_t>(body.integer(4));
  if (hello.version != version) return hello;
  hello.plan = body.integer(8);
  for (std::string* text : {&hello.job, &hello.build, &hello.role, &hello.name}) *text = body.text();
  body.end();
  return hello;
}

std::string mismatch(const Hello& here, const Hello& there) {
  if (here.version != there.version) return fmt::format("version {} here, {} there", here.version, there.version);
  std::string all;
  const auto add = [&](const std::string& what) { all += (all.empty() ? "" : "; ") + what; };
  if (here.job != there.job) add(fmt::format("job {} here, {} there", here.job, there.job));
  if (here.build != there.build) add(fmt::format("build {} here, {} there", here.build, there.build));
  if (here.plan != there.plan) add(fmt::format("plan {:016x} here, {:016x} there", here.plan, there.plan));
  if (!here.role.empty() && here.role != there.role) add(fmt::format("role {} here, {} there", here.role, there.role));
  if (!here.name.empty() && here.name != there.name) add(fmt::format("name {} here, {} there", here.name, there.name));
  return all;
}

JoinMessage encode_rejection(std::string text) {
  text = one_line(text, kMostRefusal);
  text.resize(std::min(text.size(), kMostBody));
  return {MessageKind::Rejected, {text.begin(), text.end()}};
}

void check_welcome(const JoinMessage& answer, const std::string& peer) {
  if (answer.kind == MessageKind::Welcome) return;
  if (answer.kind != MessageKind::Rejected) malformed(peer);
  const std::string text = one_line({reinterpret_cast<const char*>(answer.body.data()), answer.body.size()});
  const std::string why = peer + " rejects this process: " + text +
                          ". HINT: 'here' means the peer and 'there' this process; start all processes of a run from "
                          "the same program, with the same configuration and job.";
  if (text.starts_with("job ") || text.starts_with("version ")) throw OtherRunError(why);  // as in `mismatch`
  throw AuthError(why);
}

}  // namespace weft::swarmx
