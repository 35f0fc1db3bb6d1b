#include "host/programs/machine.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "host/board/link/session.hpp"
#include "host/programs/inspected.hpp"
#include "host/programs/stopped.hpp"
#include "verif/model/model_wafer.hpp"
#include "verif/sim/clocked_wafer.hpp"

namespace weft::programs {
namespace {

constexpr int kSramKib = 48;
constexpr const char* kCheckBoard = "check the board and its line; load the layout again to go on";

/// An error whose text may end with a hint of its own.
Refusal refused(const std::string& subject, const std::string& text, const char* hint) {
  const std::size_t own = text.find(". HINT: ");
  return {subject, text.substr(0, own), own == std::string::npos ? hint : text.substr(own + 8)};
}

std::unique_ptr<Wafer> simulate(machine::WaferShape shape, const Backend& backend) {
  if (shape.sram_kib == 0) shape.sram_kib = kSramKib;
  try {
    if (backend.name == "model") return make_model_wafer(shape);
    if (backend.name == "rtl")
      return backend.inspect ? make_inspected_wafer(shape, backend.threads) : make_rtl_wafer(shape, backend.threads);
  } catch (const std::invalid_argument& e) {
    throw refused("wafer", e.what(), "use another shape");
  }
  throw Refusal("backend", "there is no backend '" + printable(backend.name) + "'",
                "use model, rtl, emulated, udp: with a board's address, or the path of a serial device");
}

/// Calls `work`, which may ask a board.
template <class Work>
auto reached(const Work& work) {
  try {
    return work();
  } catch (const board::BoardLost& lost) {
    throw Refusal("backend", lost.what(), kCheckBoard);
  }
}

/// Runs the clock until nothing moves. Returns false if interrupted.
bool run_clock(sim::ClockedWafer& wafer, const std::function<bool()>& interrupted) {
  constexpr std::uint64_t kCycles = 4096;  // between two calls of `interrupted`: some milliseconds
  for (std::uint64_t cycle = 1; wafer.can_move(); ++cycle) {
    wafer.tick();
    if (cycle % kCycles == 0 && interrupted()) return false;
  }
  return true;
}

/// Feeds messages in pieces. Returns false if interrupted.
bool feed(Wafer& wafer, std::span<const machine::Message> messages, const Machine::Ask& ask) {
  constexpr std::size_t kMessages = 4096;
  for (std::size_t at = 0; at < messages.size(); at += kMessages) {
    const std::size_t end = std::min(messages.size(), at + kMessages);
    wafer.feed(messages.subspan(at, end - at));
    if (end < messages.size() && ask && ask(end)) return false;
  }
  return true;
}

/// While in scope, the functional model asks between the work of two tiles, and throws Interrupted.
class ModelAsks {
 public:
  ModelAsks(Wafer& wafer, const std::function<bool()>& interrupted)
      : model_(interrupted ? dynamic_cast<model::ModelWafer*>(&wafer) : nullptr) {
    if (model_ == nullptr) return;
    model_->pause([interrupted, last = Clock::now()]() mutable {
      constexpr auto kBetween = std::chrono::milliseconds(20);
      if (Clock::now() - last < kBetween) return;
      if (interrupted()) throw Interrupted();
      last = Clock::now();
    });
  }
  ~ModelAsks() {
    if (model_ != nullptr) model_->pause({});
  }
  ModelAsks(const ModelAsks&) = delete;
  ModelAsks& operator=(const ModelAsks&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  model::ModelWafer* const model_;
};

}  // namespace

Machine::Machine(machine::WaferShape shape, const Backend& backend) {
  if (is_board(backend.name)) {
    if (shape.general) throw Refusal("general", "boards have no general tiles", "use the backend model or rtl");
    board_ = Board::open(backend.name, backend.baud, shape);
  } else {
    simulated_ = simulate(shape, backend);
  }
  wafer_ = board_ ? &board_->wafer() : simulated_.get();
}

bool Machine::run(std::span<const machine::Message> messages, const std::string& what,
                  const deadlock::Programs& programs, const Ask& ask) {
  struct Asks {  // while this call runs
    std::optional<Board>& board;
    ~Asks() {
      if (board) board->ask({});
    }
  } const asks{board_};
  const std::function<bool()> interrupted = ask ? [&] { return ask(messages.size()); } : std::function<bool()>();
  if (board_) board_->ask(interrupted);
  const ModelAsks model_asks(*wafer_, interrupted);
  try {
    wafer_->at({.phase = what});
    if (!feed(*wafer_, messages, ask)) return false;
    if (auto* const clocked = dynamic_cast<sim::ClockedWafer*>(wafer_); clocked && interrupted)
      if (!run_clock(*clocked, interrupted)) return false;
    wafer_->settle();
  } catch (const Interrupted&) {
    return false;
  } catch (const WaferHang& hang) {
    std::string report = hang.hang_snapshot ? deadlock::report(*hang.hang_snapshot, programs) : hang.what();
    throw Stopped(what, "the wafer hangs", "the report below names the root cause; load the layout again to go on",
                  report);
  } catch (const board::BoardLost& lost) {
    throw Refusal(what, lost.what(), kCheckBoard);
  } catch (const std::runtime_error& error) {  // of a program that the functional model rejects
    throw refused(what, error.what(), "correct the program, and load the layout again");
  }
  return true;
}

void Machine::reset() {
  reached([&] { wafer_->reset(); });
}

std::string Machine::flags() const {
  return reached([&] { return wafer_->flags(); });
}

WaferCounters Machine::counters() const {
  return reached([&] { return wafer_->counters(); });
}

}  // namespace weft::programs
