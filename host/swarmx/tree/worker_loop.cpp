#include "host/swarmx/tree/worker_loop.hpp"

#include <exception>
#include <new>
#include <optional>
#include <vector>

#include "host/swarmx/base/error.hpp"
#include "host/swarmx/protocol/error_frame.hpp"
#include "host/swarmx/protocol/pass_returns.hpp"
#include "host/swarmx/protocol/payload.hpp"
#include "host/swarmx/tree/tree.hpp"
#include "sw/base/failure.hpp"

namespace weft::swarmx {
namespace {

/// Returns the next frame. At Stop or PeerLost the leaf ends, and its wafer goes to `cache`.
Frame next_frame(Wire& parent, std::optional<Leaf>& leaf, int id, WaferCache* cache) {
  const auto leave = [&] {
    if (cache == nullptr) return;
    if (LoadedWafer wafer = leaf->release(); wafer.wafer != nullptr) cache->store(id, std::move(wafer));
  };
  try {
    Frame frame = parent.read();
    if (frame.type == FrameType::Stop) leave();
    return frame;
  } catch (const PeerLost&) {
    leave();
    throw;
  }
}

}  // namespace

void worker_loop(const compiler::Plan& plan, int id, const MakeWafer& make_wafer, Wire& parent, WaferCache* cache,
                 ProgressWatchdog* watchdog) {
  bool made = false;
  Frame frame;
  const auto place_of = [&] { return wafer_name(id) + (made ? ", " + place(frame.step, frame.pass) : ""); };
  const auto guarded = [&](const auto& work) {
    try {
      work();
    } catch (const std::bad_alloc&) {  // rethrown unchanged, without another allocation
      throw;
    } catch (...) {
      rethrow_from(place_of());
    }
  };
  std::optional<ProgressWatchdog::Idle> cannot_say;
  std::optional<Leaf> leaf;
  guarded([&] {
    LoadedWafer loaded = cache != nullptr ? cache->take(id, plan.load) : LoadedWafer{};
    const bool made_before = loaded.wafer != nullptr;
    if (!made_before) {
      const ProgressWatchdog::Idle rest(watchdog);  // finding a board, or memory for a large wafer, may take long
      loaded.wafer = make_wafer(id);
    }
    if (watchdog != nullptr && !loaded.wafer->count_progress(watchdog->count())) cannot_say.emplace(watchdog);
    made_before ? leaf.emplace(plan, std::move(loaded), id) : leaf.emplace(plan, std::move(loaded.wafer), id);
  });
  std::vector<Frame> up;
  for (;;) {
    frame = next_frame(parent, leaf, id, cache);
    if (frame.type == FrameType::Stop) return;
    made = true;
    bool more = false;
    const auto send = [&] {
      for (const Frame& answer : up) parent.write(answer);
      up.clear();
    };
    guarded([&] { more = leaf->handle(frame, up); });
    for (send(); more; send()) guarded([&] { more = leaf->append_more(up); });
  }
}

Frame last_words(int id, std::exception_ptr failure) {
  try {
    std::rethrow_exception(std::move(failure));
  } catch (const std::bad_alloc&) {
    return error_frame(ErrorKind::Swarm, wafer_name(id) + ": not enough memory. HINT: use a machine with more memory.");
  } catch (...) {
    return error_frame_of_caught(wafer_name(id));
  }
}

}  // namespace weft::swarmx
