#include "host/swarmx/run_leaf.hpp"

#include <exception>
#include <new>
#include <optional>
#include <vector>

#include "host/swarmx/error.hpp"
#include "host/swarmx/payload.hpp"
#include "host/swarmx/pulse.hpp"
#include "host/swarmx/round_returns.hpp"
#include "host/swarmx/told.hpp"
#include "sw/base/failure.hpp"

namespace weft {
namespace {

std::string name_of(int id) { return "wafer " + std::to_string(id); }

/// Sends what went wrong, if the parent can be told.
void tell(Wire& parent, const std::string& name, const Frame& no_memory, std::exception_ptr failure) noexcept {
  try {
    std::rethrow_exception(std::move(failure));
  } catch (const PeerLost&) {  // the parent
    return;
  } catch (const std::bad_alloc&) {
    try {
      parent.write(no_memory);
    } catch (...) {  // it is lost as well
    }
  } catch (...) {
    try {
      parent.write(error_frame_of_caught(name));
    } catch (const std::bad_alloc&) {
      return tell(parent, name, no_memory, std::current_exception());
    } catch (...) {
    }
  }
  parent.drain();
}

}  // namespace

void serve(const Plan& plan, int id, const MakeWafer& make_wafer, Wire& parent) {
  bool made = false;
  Frame frame;
  const auto place_of = [&] { return name_of(id) + (made ? ", " + place(frame.step, frame.round) : ""); };
  const auto guarded = [&](const auto& work) {
    try {
      work();
    } catch (const std::bad_alloc&) {  // goes on as it is, and without another allocation
      throw;
    } catch (...) {
      rethrow_from(place_of());
    }
  };
  std::optional<Leaf> leaf;
  guarded([&] { leaf.emplace(plan, make_wafer(id), id); });
  std::vector<Frame> up;
  for (;;) {
    frame = parent.read();
    if (frame.type == FrameType::Stop) return;
    made = true;
    bool more = false;
    const auto send = [&] {
      for (const Frame& answer : up) parent.write(answer);
      up.clear();
    };
    guarded([&] { more = leaf->handle(frame, up); });
    for (send(); more; send()) guarded([&] { more = leaf->more(up); });
  }
}

void run_leaf(const Plan& plan, const LeafOptions& options) {
  const std::string name = name_of(options.id);
  const Frame no_memory = error_frame(ErrorKind::Swarm, name + ": not enough memory. HINT: give it more.");
  const std::unique_ptr<Wire> parent = connect(options.address, options.port, options.parent, name, options.silence);
  const Pulse pulse(*parent, options.silence / 6);
  FirstFailure failure;
  failure.guard([&] { serve(plan, options.id, options.make_wafer, *parent); });
  if (failure.happened()) tell(*parent, name, no_memory, failure.get());
  failure.check();
}

}  // namespace weft
