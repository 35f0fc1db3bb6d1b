/// The message of a rank of MemoryX that is asked to end.
#include "host/swarmx/memory/leave_request.hpp"

#include <gtest/gtest.h>

#include "host/swarmx/base/error.hpp"
#include "host/swarmx/protocol/payload.hpp"

namespace weft::swarmx {
namespace {

Frame saying(const std::string& text) {
  Frame frame{.type = FrameType::Leaves};
  return frame.carry(encode_text(text));
}

TEST(Leaves, SayWhy) {
  EXPECT_EQ(decode_leave_request(leave_request_frame("SIGTERM"), "memory 0"), "SIGTERM");
  EXPECT_EQ(decode_leave_request(leave_request_frame("a\nb\x1b[31m"), "memory 0"), "ab[31m");
  EXPECT_EQ(decode_leave_request(leave_request_frame(""), "memory 0"), "?");
  EXPECT_EQ(decode_leave_request(leave_request_frame(std::string(100, 'x')), "memory 0"), std::string(64, 'x'));
}

TEST(Leaves, SayNothingElse) {
  for (const std::string& text : {std::string(), std::string(65, 'x'), std::string("a\nb"), std::string("\x1b[31m"),
                                  std::string("\xc3\xa9"), std::string(1, '\0')})
    EXPECT_THROW(decode_leave_request(saying(text), "memory 0"), CorruptFrame) << text;
  for (std::uint32_t Frame::*field : {&Frame::pass, &Frame::op, &Frame::part, &Frame::contains}) {
    Frame frame = leave_request_frame("SIGTERM");
    frame.*field = 1;
    EXPECT_THROW(decode_leave_request(frame, "memory 0"), CorruptFrame);
  }
  Frame frame = leave_request_frame("SIGTERM");
  frame.step = 1;
  EXPECT_THROW(decode_leave_request(frame, "memory 0"), CorruptFrame);
}

}  // namespace
}  // namespace weft::swarmx
