/// Signals: one that ends the program, a second one, stop and continue, ignored signals; and a reader that closes its
/// pipe.
#include <array>
#include <thread>

#include "tests/fault_injection/fault.hpp"

namespace weft::fault_injection {
namespace {

constexpr std::array kEnding = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGPWR, SIGXCPU};

/// Steps of a millisecond that a run may still do while the signal-handling thread waits for a core.
constexpr int kFelt = 5;

void pause(Scene& scene, std::uint32_t most) {
  std::this_thread::sleep_for(std::chrono::microseconds(scene.rng.below(1000 * most)));
}

/// Expects the current step to finish, a checkpoint, then exit code 130. Half of the signals are sent to a frozen
/// process, so that its position is known.
class Ending : public Fault {
 public:
  explicit Ending(int signal) : signal_(signal) {}
  bool during(Session& session, Process& process) override {
    if (!session.codes.insert(130).second) session.saves = false;  // another fault has sent a signal as well
    const bool held = session.scene.rng.chance(50);
    if (held && !process.freeze()) return false;
    process.kill(signal_);
    if (held) {
      felt_ = session.left(process) >= kFelt;
      process.thaw();
    }
    return true;
  }
  void after(Session& session, const End& end) override {
    session.expect(!felt_ || end.code != 0, "goes on to its end, as if there was no signal");
  }

 private:
  int signal_;
  bool felt_ = false;
};

/// Two signals: the second one ends the program at once, and the current step is not saved.
class TwoSignals : public Fault {
 public:
  bool during(Session& session, Process& process) override {
    session.codes.insert(130);
    session.saves = false;
    Scene& scene = session.scene;
    for (int i = 0; i < 2; ++i) {
      process.kill(kEnding[scene.rng.below(kEnding.size())]);
      pause(scene, 3);
    }
    return true;
  }
};

class Kill : public Fault {
 public:
  bool during(Session& session, Process& process) override {
    session.codes.insert(128 + SIGKILL);
    process.kill(SIGKILL);
    return true;
  }
};

class StopAndGoOn : public Fault {
 public:
  bool during(Session& session, Process& process) override {
    if (!process.freeze()) return false;
    pause(session.scene, session.scene.rng.chance(5) ? 2000 : 30);
    process.thaw();
    return true;
  }
};

/// `weft run ... | head`
class ReaderGone : public Fault {
 public:
  bool during(Session& session, Process& process) override {
    session.codes.insert(2);
    const bool errors = session.scene.rng.chance(30);
    if (!process.freeze()) return false;
    late_ = session.left(process) < 1;
    process.stop_reading(errors);
    session.heard = false;
    process.thaw();
    return true;
  }
  void after(Session& session, const End& end) override {
    session.expect(late_ || end.code != 0, "goes on to its end, though nobody reads");
  }

 private:
  bool late_ = false;
};

/// `nohup weft run ...`
class Ignored : public Fault {
 public:
  bool before(Session& session) override {
    signal_ = kEnding[session.scene.rng.below(kEnding.size())];
    session.start.ignored.push_back(signal_);
    return true;
  }
  bool during(Session&, Process& process) override {
    process.kill(signal_);
    return true;
  }

 private:
  int signal_ = 0;
};

}  // namespace

std::vector<Kind> signal_kinds() {
  return {kind<Ending>("signal INT", Kind::Moment, SIGINT),
          kind<Ending>("signal TERM", Kind::Moment, SIGTERM),
          kind<Ending>("signal HUP", Kind::Moment, SIGHUP),
          kind<Ending>("signal USR1", Kind::Moment, SIGUSR1),
          kind<Ending>("signal USR2", Kind::Moment, SIGUSR2),
          kind<Ending>("signal PWR", Kind::Moment, SIGPWR),
          kind<Ending>("signal XCPU", Kind::Moment, SIGXCPU),
          kind<TwoSignals>("two signals", Kind::Moment),
          kind<Kill>("signal KILL", Kind::Moment),
          kind<StopAndGoOn>("STOP, then CONT", Kind::Moment),
          kind<ReaderGone>("reader gone", Kind::Moment | Kind::Step),
          kind<Ignored>("signal ignored", Kind::Moment | Kind::Alone)};
}

}  // namespace weft::fault_injection
