/// A simulated network and clock: events in order of time, processes, and connections that delay, hold, cut and
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

#include "host/swarmx/protocol/frame.hpp"
#include "tests/random.hpp"

namespace weft::swarmx::simulated {

using Time = std::chrono::steady_clock::time_point;
using std::chrono::milliseconds;
inline constexpr milliseconds kSilence{1000};  ///< a peer that is silent for this long is lost

class World {
 public:
  explicit World(std::uint64_t seed) : rng(seed) {}

  test::Rng rng;
  Time now{};
  bool deadlines = true;  ///< silent peers are detected

  void at(Time time, std::function<void()> event) { events_.emplace(time, std::move(event)); }
  void in(std::chrono::nanoseconds time, std::function<void()> event) { at(now + time, std::move(event)); }
  /// A time between `least` and about twice `least`.
  milliseconds about(milliseconds least) {
    return least + milliseconds(rng.below(static_cast<std::uint32_t>(least.count()) + 2));
  }
  /// Runs the next event. False: none remains.
  bool step();

 private:
  std::multimap<Time, std::function<void()>> events_;
};

/// A process, which can be stopped for a while and can die.
class Process {
 public:
  explicit Process(std::string name) : name(std::move(name)) {}
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  virtual ~Process() = default;

  /// Handles a frame, or the end of the connection.
  virtual void receive(std::size_t connection, const Frame& frame) = 0;
  virtual void lost(std::size_t connection) = 0;

  std::string name;
  bool alive = true;
  bool stopped = false;
  double slow = 1;                            ///< factor on the duration of its work
  std::vector<std::function<void()>> missed;  ///< events during a stop
  /// Runs `work` now, or when the process continues; a dead process does nothing.
  void when_it_runs(std::function<void()> work);
  void go_on();
};

/// A connection between two processes, in order in both directions. Each end is notified of the connection's loss once.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  struct End {
    std::shared_ptr<Process> process;
    std::size_t number = 0;  ///< the process's number for this connection
    Time heard{};
    Time arrives{};                               ///< arrival of the last frame to it
    std::deque<std::vector<std::uint8_t>> inbox;  ///< frames in flight
    bool notified = false;
    bool patient = false;  ///< never treats the other side as dead
  };
  Connection(World& world, std::shared_ptr<Process> a, std::shared_ptr<Process> b) : world_(world) {
    ends_[0].process = std::move(a);
    ends_[1].process = std::move(b);
  }
  /// Starts the heartbeats and deadlines of both ends.
  void start();

  /// Sends from the end `from` (0, 1) to the other.
  void send(int from, const Frame& frame);
  /// Both ends notice the cut soon.
  void cut();
  /// Flips one bit of the next frame.
  void corrupt() { corrupt_ = true; }
  /// Delays all arrivals until this time.
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

}  // namespace weft::swarmx::simulated
