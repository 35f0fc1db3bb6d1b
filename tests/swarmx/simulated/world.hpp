/// A simulated network and clock: events in the order of time, processes, connections that delay, hold, cut and
/// corrupt.
///
/// Everything follows from a seed.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "host/swarmx/frame.hpp"
#include "tests/random.hpp"

namespace weft::simulated {

using Time = std::chrono::steady_clock::time_point;
using std::chrono::milliseconds;
inline constexpr milliseconds kSilence{1000};  ///< a peer that says nothing for so long is lost

class World {
 public:
  explicit World(std::uint64_t seed) : dice(seed) {}

  test::Dice dice;
  Time now{};
  bool deadlines = true;  ///< who is silent is noticed

  void at(Time time, std::function<void()> event) { events_.emplace(time, std::move(event)); }
  void in(std::chrono::nanoseconds time, std::function<void()> event) { at(now + time, std::move(event)); }
  /// A time from `least` to twice `least` and a bit.
  milliseconds about(milliseconds least) {
    return least + milliseconds(dice.below(static_cast<std::uint32_t>(least.count()) + 2));
  }
  /// Does what comes next. False: there is nothing.
  bool step();

 private:
  std::multimap<Time, std::function<void()>> events_;
};

/// A process: it may be stopped for a while, and it may die.
class Process {
 public:
  explicit Process(std::string name) : name(std::move(name)) {}
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  virtual ~Process() = default;

  /// A frame, or the end of the connection.
  virtual void receive(std::size_t connection, const Frame& frame) = 0;
  virtual void lost(std::size_t connection) = 0;

  std::string name;
  bool alive = true;
  bool stopped = false;
  double slow = 1;                            ///< times as long for its work
  std::vector<std::function<void()>> missed;  ///< what happened while it was stopped
  /// Does it now, or when it goes on; a dead process does nothing.
  void when_it_runs(std::function<void()> work);
  void go_on();
};

/// A connection between two processes, in order both ways. Whoever notices its end is told once.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  struct End {
    std::shared_ptr<Process> process;
    std::size_t number = 0;  ///< how it calls this connection
    Time heard{};
    Time arrives{};                               ///< of the last frame to it
    std::deque<std::vector<std::uint8_t>> inbox;  ///< on their way
    bool told = false;
    bool patient = false;  ///< it never takes the other for dead
  };
  Connection(World& world, std::shared_ptr<Process> a, std::shared_ptr<Process> b) : world_(world) {
    ends_[0].process = std::move(a);
    ends_[1].process = std::move(b);
  }
  /// From now on both say that they are alive, and listen.
  void start();

  /// From the end `from` (0, 1) to the other.
  void send(int from, const Frame& frame);
  /// The end is noticed soon by both.
  void cut();
  /// One bit of what is sent next is another.
  void corrupt() { corrupt_ = true; }
  /// Nothing arrives until then.
  void hold(Time until) { held_ = until; }
  bool open() const { return open_; }
  End& end(int which) { return ends_[which]; }

 private:
  void arrive(int at);
  void take(int at);
  void tick(int which);
  void tell(int which);

  World& world_;
  End ends_[2];
  bool open_ = true;
  bool corrupt_ = false;
  Time held_{};
};

}  // namespace weft::simulated
