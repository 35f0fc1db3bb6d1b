#include "host/library/debugger.hpp"

#include <atomic>
#include <utility>

#include "host/inspect/own/debugger.hpp"
#include "host/library/translate.hpp"
#include "sw/base/refusal.hpp"

namespace weft {
inline namespace v0 {

class Debugger::Impl {
 public:
  explicit Impl(programs::Replay run) : debugger_(std::move(run)) {}

  /// Runs `call` on the debugger as a call of the library, the only one at a time.
  template <class Call>
  auto alone(const Call& call) {
    return library::called([&](const library::SignalsHeld& signals) {
      if (busy_.exchange(true))
        throw Refusal("weft.Debugger", "is in use by another thread", "use it in one at a time");
      struct Free {
        std::atomic<bool>& busy;
        ~Free() { busy = false; }
      } const free{busy_};
      return call(debugger_, signals);
    });
  }

 private:
  inspect::own::Debugger debugger_;
  std::atomic<bool> busy_ = false;
};

Debugger::Debugger(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Debugger::~Debugger() = default;
Debugger::Debugger(Debugger&&) noexcept = default;
Debugger& Debugger::operator=(Debugger&&) noexcept = default;

std::string Debugger::command(const std::string& line, const Interrupted& interrupted) {
  return impl_->alone([&](inspect::own::Debugger& debugger, const library::SignalsHeld& signals) {
    return debugger.command(
        line, interrupted ? std::function<bool()>([&] { return signals.deliver(interrupted); }) : nullptr);
  });
}

std::string Debugger::prompt() const {
  return impl_->alone([](const inspect::own::Debugger& debugger, const auto&) { return debugger.prompt(); });
}

bool Debugger::over() const {
  return impl_->alone([](const inspect::own::Debugger& debugger, const auto&) { return debugger.over(); });
}

bool Debugger::failed() const {
  return impl_->alone([](const inspect::own::Debugger& debugger, const auto&) { return debugger.failed(); });
}

}  // namespace v0

namespace library {

Debugger make_debugger(programs::Replay run) { return Debugger(std::make_unique<Debugger::Impl>(std::move(run))); }

}  // namespace library
}  // namespace weft
