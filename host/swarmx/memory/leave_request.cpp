#include "host/swarmx/memory/leave_request.hpp"

#include <algorithm>

#include "host/swarmx/protocol/pass_returns.hpp"
#include "host/swarmx/protocol/payload.hpp"

namespace weft::swarmx {
namespace {

constexpr std::size_t kMostReason = 64;

bool is_printable(char c) { return c >= ' ' && c <= '~'; }

}  // namespace

Frame leave_request_frame(std::string_view why) {
  std::string text;
  std::ranges::copy_if(why.substr(0, kMostReason), std::back_inserter(text), is_printable);
  Frame frame{.type = FrameType::Leaves};
  return frame.carry(encode_text(text.empty() ? "?" : text));
}

/// Checks the text strictly, since it goes to the root's console and log.
std::string decode_leave_request(const Frame& frame, const std::string& sender) {
  std::string text = decode_text(frame.bytes());
  const bool bare = frame.step == 0 && frame.pass == 0 && frame.op == 0 && frame.part == 0 && frame.contains == 0;
  if (!bare || text.empty() || text.size() > kMostReason || !std::ranges::all_of(text, is_printable))
    broken(sender, "sent a leave request with more than a reason");
  return text;
}

}  // namespace weft::swarmx
