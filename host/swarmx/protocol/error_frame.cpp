#include "host/swarmx/protocol/error_frame.hpp"

#include <exception>
#include <string_view>
#include <system_error>
#include <typeinfo>

#include "host/memoryx/fixed_point.hpp"
#include "host/swarmx/base/error.hpp"
#include "host/swarmx/protocol/payload.hpp"
#include "sw/base/refusal.hpp"
#include "verif/wafer.hpp"

namespace weft::swarmx {

void rethrow_from(const std::string& place) {
  const std::string prefix = place + ": ";
  try {
    throw;
  } catch (const memoryx::GradientOverflow& error) {
    throw memoryx::GradientOverflow(prefix + error.what());
  } catch (const LossNotFinite& error) {
    throw LossNotFinite(prefix + error.what());
  } catch (const memoryx::Diverged& error) {
    throw memoryx::Diverged(prefix + error.what());
  } catch (const WaferHang& error) {
    throw WaferHang(prefix + error.what(), error.hang_snapshot);
  } catch (const PeerLost& error) {
    throw PeerLost(prefix + error.what());
  } catch (const CorruptFrame& error) {
    throw CorruptFrame(prefix + error.what());
  } catch (const SwarmError& error) {
    throw SwarmError(prefix + error.what());
  } catch (const std::system_error& error) {
    throw std::system_error(error.code(), place);
  } catch (const std::runtime_error& error) {
    if (typeid(error) != typeid(std::runtime_error)) throw;
    throw SwarmError(prefix + error.what());
  } catch (const Refusal& error) {
    if (typeid(error) != typeid(Refusal)) throw;
    throw error.within(place);
  }
}

Frame error_frame_of_caught(const std::string& sender) {
  const auto frame = [&](ErrorKind kind, std::string_view text) {
    const bool named = text.starts_with(sender);
    return error_frame(kind, named ? std::string(text) : sender + ": " + std::string(text));
  };
  try {
    throw;
  } catch (const memoryx::GradientOverflow& error) {
    return frame(ErrorKind::GradientOverflow, error.what());
  } catch (const LossNotFinite& error) {
    return frame(ErrorKind::LossNotFinite, error.what());
  } catch (const memoryx::Diverged& error) {
    return frame(ErrorKind::Diverged, error.what());
  } catch (const WaferHang& error) {
    return frame(ErrorKind::WaferHang, error.what());
  } catch (const std::exception& error) {
    return frame(ErrorKind::Swarm, error.what());
  } catch (...) {
    return frame(ErrorKind::Swarm,
                 "an object that is not an exception was thrown. HINT: the log may have more details.");
  }
}

Frame hang_frame(const std::string& text) {
  Frame frame = error_frame(ErrorKind::Swarm, text);
  frame.op = 1;
  return frame;
}

bool is_hang(const Frame& error) { return error.op == 1; }

}  // namespace weft::swarmx
