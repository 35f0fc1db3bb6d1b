/// Waiting frames are written together, and their sender is not delayed.
#include "host/swarmx/link/frame_queue.hpp"

#include <gtest/gtest.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <vector>

namespace weft::swarmx {
namespace {

/// Accepts all bytes at once, and records the sizes of the writes.
class Noted final : public Channel {
 public:
  explicit Noted(std::vector<std::size_t>& sizes) : sizes_(sizes) {}
  asio::awaitable<Received> read(std::span<std::uint8_t>, std::size_t) override { co_return Received{}; }
  asio::awaitable<boost::system::error_code> write(std::span<const asio::const_buffer> buffers) override {
    sizes_.push_back(0);
    for (const asio::const_buffer& buffer : buffers) sizes_.back() += buffer.size();
    co_return boost::system::error_code();
  }
  void close() noexcept override {}

 private:
  std::vector<std::size_t>& sizes_;
};

Frame frame_of(std::size_t bytes) {
  Frame frame{.type = FrameType::Op};
  frame.carry(Bytes(bytes, 1));
  return frame;
}

struct Queued : testing::Test {
  Queued() : queue(std::make_shared<FrameQueue>(io.get_executor(), kQueueFrames)) {}
  asio::awaitable<void> put_all(std::vector<Frame> frames) {
    for (const Frame& frame : frames) {
      co_await push_frame(queue, frame);
      ++puts;
    }
  }
  void fill(std::vector<Frame> frames) { asio::co_spawn(io, put_all(std::move(frames)), ended); }
  void write() {
    auto link = std::make_shared<Link>(std::make_unique<Noted>(sizes), "the peer");
    asio::co_spawn(io, write_all(std::move(link), queue), ended);
  }
  static void ended(std::exception_ptr failure) { EXPECT_FALSE(failure); }

  asio::io_context io{1};
  std::shared_ptr<FrameQueue> queue;
  std::vector<std::size_t> sizes;  // sizes of the writes
  std::size_t puts = 0;
};

TEST_F(Queued, AreWrittenTogetherUntilTheyAreManyBytes) {
  fill({frame_of(10), frame_of(20), frame_of(131072), frame_of(131072), {.type = FrameType::Stop}});
  write();
  io.run();
  EXPECT_EQ(sizes, (std::vector<std::size_t>{3 * kHeaderBytes + 30 + 131072, kHeaderBytes + 131072, kHeaderBytes}));
}

TEST_F(Queued, AreNotWrittenBehindStop) {
  fill({frame_of(10), {.type = FrameType::Stop}, frame_of(20)});
  write();
  io.run();
  EXPECT_EQ(sizes, (std::vector<std::size_t>{2 * kHeaderBytes + 10}));
}

TEST_F(Queued, GoInAtOnceUntilThereIsNoRoom) {
  fill(std::vector<Frame>(kQueueFrames + 2, frame_of(10)));
  io.run_one();
  EXPECT_EQ(puts, kQueueFrames);
  write();
  io.poll();
  EXPECT_EQ(puts, kQueueFrames + 2);
  shut(*queue);
  io.run();
}

TEST_F(Queued, AreForgottenWhenItIsShut) {
  shut(*queue);
  fill({frame_of(10)});
  io.run();
  EXPECT_EQ(puts, 1U);
}

}  // namespace
}  // namespace weft::swarmx
