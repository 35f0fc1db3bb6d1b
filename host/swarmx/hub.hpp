/// The children's side of a node: what goes down goes to those it is for, what they contribute comes up as one.
///
/// Runs on one thread's io_context. Each child has a short queue; `down` waits while that of a child it is for is full,
/// so the slowest sets the pace and memory is bounded. A child of another process that is lost is let go
/// (docs/swarm.md, A node); whatever goes wrong within the process ends the run.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "host/swarmx/family.hpp"
#include "host/swarmx/frame.hpp"
#include "host/swarmx/frame_queue.hpp"
#include "host/swarmx/link.hpp"
#include "host/swarmx/seat_traffic.hpp"
#include "host/swarmx/turns.hpp"
#include "sw/base/failure.hpp"

namespace weft {

class Hub : public std::enable_shared_from_this<Hub> {
 public:
  /// Takes what goes up.
  using Up = std::function<asio::awaitable<void>(Frame)>;
  /// Is told which child was lost, its seats when it came, and why, before its Left goes up.
  using Lost = std::function<void(std::size_t child, const std::string& name, std::span<const std::uint32_t> seats,
                                  const std::string& why)>;

  /// `run` must outlive the executor.
  Hub(asio::any_io_executor executor, FirstFailure& run, const Plan& plan, std::string name, Up up, Lost lost = {});

  /// A child and the seats below it, its connection; it is read and written from now on. `leaf`: it is a wafer. Who was
  /// let in before Stop went down, and comes after it, is told so. Its number, which no other child will have.
  std::size_t adopt(std::string name, std::vector<std::uint32_t> seats, bool leaf, Link link);
  /// The same for a wafer that comes to a node of its own process: above it is heard of, before what it says.
  asio::awaitable<void> enter(std::string name, std::uint32_t seat, Link link);
  /// Queues a frame for those it is for; returns when all had room. After Stop, children may leave.
  asio::awaitable<void> down(Frame frame);
  /// What went over the connections of children that are wafers, by their seats.
  std::vector<SeatTraffic> traffic() const;
  /// Closes all connections: leaves wake from whatever they wait for.
  void close() noexcept;

  const std::string& name() const { return name_; }
  /// Children whose connections are not at their end.
  std::size_t talking() const { return talking_; }

 private:
  struct Child {
    std::string name;
    std::vector<std::uint32_t> seats;  // when it came
    std::shared_ptr<Link> link;
    std::shared_ptr<FrameQueue> queue;
  };
  static asio::awaitable<void> read(std::shared_ptr<Hub> self, std::size_t number);
  asio::awaitable<void> take(std::size_t number);
  asio::awaitable<void> lose(std::size_t number, std::string why);
  asio::awaitable<void> send(std::size_t number, Frame frame);
  std::string place_of(std::size_t number) const;

  asio::any_io_executor executor_;
  FirstFailure& run_;
  std::string name_;
  Up up_;
  Lost lost_;
  std::map<std::size_t, Child> children_;
  Family family_;
  Turns turns_;  // what the family says goes up in the order in which it says it
  std::size_t talking_ = 0;
  bool stopped_ = false;  // Stop went down: nothing that ends is an error any more
};

}  // namespace weft
