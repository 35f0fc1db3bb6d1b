#include "host/swarmx/run_leaf.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "host/memoryx/fixed_point.hpp"
#include "host/swarmx/link.hpp"
#include "host/swarmx/payload.hpp"

namespace weft {
namespace {

/// Runs `work` and returns what went wrong as the frame that reports it.
template <class Work>
std::optional<Frame> attempt(const std::string& who, const Work& work) {
  try {
    work();
    return std::nullopt;
  } catch (const GradientOverflow& error) {
    return error_frame(ErrorKind::GradientOverflow, who + ": " + error.what());
  } catch (const WaferStuck& error) {
    return error_frame(ErrorKind::WaferStuck, who + ": " + error.what());
  } catch (const LossNotFinite& error) {
    return error_frame(ErrorKind::LossNotFinite, who + ": " + error.what());
  } catch (const std::exception& error) {
    return error_frame(ErrorKind::Swarm, who + ": " + error.what());
  }
}

asio::awaitable<void> session(const Plan& plan, const LeafOptions& options) {
  const std::string name = "wafer " + std::to_string(options.id);
  const tcp::endpoint parent(asio::ip::make_address(options.address), options.port);
  Link link = co_await connect(parent, options.parent, name);
  std::optional<Leaf> leaf;
  std::optional<Frame> failure =
      attempt(name, [&] { leaf.emplace(plan, options.make_wafer(options.id), options.id, options.get); });
  std::vector<Frame> up;
  while (!failure) {
    Frame frame;
    try {
      frame = co_await link.read();
    } catch (const CorruptFrame& error) {
      failure = error_frame(ErrorKind::Swarm, name + ": " + error.what());
      break;
    }
    if (frame.type == FrameType::Stop) co_return;
    up.clear();
    const std::string who = name + ", step " + std::to_string(frame.step) + ", round " + std::to_string(frame.round);
    failure = attempt(who, [&] { leaf->handle(frame, up); });
    if (failure) break;
    for (const Frame& answer : up) co_await link.write(answer);
  }
  co_await link.write(*failure);
  co_await link.drain();
}

}  // namespace

void run_leaf(const Plan& plan, const LeafOptions& options) {
  asio::io_context io(1);
  asio::co_spawn(io, session(plan, options), [](std::exception_ptr error) {
    try {
      if (error) std::rethrow_exception(error);
    } catch (const PeerLost&) {  // the parent ended, and its side says why
    }
  });
  io.run();
}

}  // namespace weft
