#include "tests/swarmx/simulated/world.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "host/swarmx/base/error.hpp"

namespace weft::swarmx::simulated {

bool World::step() {
  if (events_.empty()) return false;
  auto next = events_.extract(events_.begin());
  now = next.key();
  next.mapped()();
  return true;
}

void Process::when_it_runs(std::function<void()> work) {
  if (!alive) return;
  if (stopped) return missed.push_back(std::move(work));
  work();
}

void Process::go_on() {
  stopped = false;
  for (auto& work : std::exchange(missed, {})) when_it_runs(std::move(work));
}

void Connection::start() {
  for (const int which : {0, 1}) {
    ends_[which].heard = world_.now;
    tick(which);
  }
}

void Connection::send(int from, const Frame& frame) {
  if (!open_) return;
  const HeaderBytes header = encode_header(frame);
  std::vector<std::uint8_t> bytes(header.begin(), header.end());
  bytes.insert(bytes.end(), frame.bytes().begin(), frame.bytes().end());
  if (std::exchange(corrupt_, false)) {
    const std::uint32_t bit = world_.rng.below(static_cast<std::uint32_t>(8 * bytes.size()));
    bytes[bit / 8] = static_cast<std::uint8_t>(bytes[bit / 8] ^ (1U << bit % 8));
  }
  End& to = ends_[1 - from];
  to.arrives = std::max({to.arrives, held_, world_.now + std::chrono::microseconds(world_.rng.below(3000))});
  to.inbox.push_back(std::move(bytes));
  world_.at(to.arrives, [self = shared_from_this(), at = 1 - from] { self->arrive(at); });
}

/// Delivers the oldest frame, unless the connection is held.
void Connection::arrive(int at) {
  End& end = ends_[at];
  if (world_.now < held_) return world_.at(held_, [self = shared_from_this(), at] { self->arrive(at); });
  end.process->when_it_runs([self = shared_from_this(), at] { self->take(at); });
}

void Connection::take(int at) {
  End& end = ends_[at];
  const std::vector<std::uint8_t> bytes = std::move(end.inbox.front());
  end.inbox.pop_front();
  if (end.notified) return;
  end.heard = world_.now;
  try {
    HeaderBytes head{};
    std::memcpy(head.data(), bytes.data(), kHeaderBytes);
    const Frame frame =
        with_payload(decode_header(head, "a peer"), {bytes.begin() + kHeaderBytes, bytes.end()}, "a peer");
    if (frame.type != FrameType::Alive) end.process->receive(end.number, frame);
  } catch (const SwarmError&) {
    cut();
    tell(at);
  }
}

/// Sends a heartbeat, and checks that the other side is alive.
void Connection::tick(int which) {
  End& end = ends_[which];
  if (end.notified || !end.process->alive) return;
  end.process->when_it_runs([this, which] {
    if (!ends_[which].notified) send(which, {.type = FrameType::Alive});
  });
  const bool silent = world_.now - end.heard > kSilence && !end.process->stopped;
  if (silent && world_.deadlines && !end.patient) {
    cut();
    tell(which);
    return;
  }
  world_.in(kSilence / 6, [self = shared_from_this(), which] { self->tick(which); });
}

void Connection::cut() {
  if (!std::exchange(open_, false)) return;
  for (const int which : {0, 1}) {
    world_.in(std::chrono::microseconds(world_.rng.below(5000)),
              [self = shared_from_this(), which] { self->tell(which); });
  }
}

void Connection::tell(int which) {
  End& end = ends_[which];
  end.process->when_it_runs([self = shared_from_this(), &end] {
    if (std::exchange(end.notified, true)) return;
    end.process->lost(end.number);
  });
}

}  // namespace weft::swarmx::simulated
