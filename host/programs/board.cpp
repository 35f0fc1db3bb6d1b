#include "host/programs/board.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "host/board/device.hpp"
#include "host/board/link/session.hpp"
#include "host/board/shape_check.hpp"
#include "host/board/wafer/board_wafer.hpp"
#include "sw/base/refusal.hpp"

namespace weft::programs {
namespace {

namespace fs = std::filesystem;

/// The emulated board whose routers have all turns, next to this library or program, or in the folder `bin` of the same
/// installation.
fs::path emulator() {
  constexpr const char* kName = "weft-program-board";
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  Dl_info info{};
  fs::path own = program;
  if (::dladdr(reinterpret_cast<const void*>(&emulator), &info) != 0 && info.dli_fname != nullptr)
    if (const fs::path library = fs::canonical(info.dli_fname, error); !library.empty()) own = library;
  const fs::path folder = own.parent_path();
  for (const fs::path& place : {folder, folder.parent_path() / "bin", program.parent_path()})
    if (fs::exists(place / kName, error)) return place / kName;
  return folder / kName;
}

/// A refusal of the key fpga.device or fpga.baud, in the words of this interface.
Refusal own_words(const Refusal& refusal) {
  const std::string subject = refusal.subject() == "fpga.baud" ? "baud" : "backend";
  return refusal.reworded(subject, refusal.problem(), refusal.hint());
}

machine::WaferShape fitting(const board::DeviceInfo& info, machine::WaferShape shape, const std::string& device) {
  if (shape.sram_kib == 0) shape.sram_kib = info.sram_kib;
  shape.colors = info.colors;
  shape.turns = false;
  if (info.rows != shape.rows || info.cols != shape.cols)
    throw Refusal("backend",
                  fmt::format("{}: the board has {} x {} tiles, not {} x {}", device, info.rows, info.cols, shape.rows,
                              shape.cols),
                  fmt::format("use rows={}, cols={}", info.rows, info.cols));
  if (info.lanes != shape.lanes)
    throw Refusal("backend", fmt::format("{}: the board has {} lanes, not {}", device, info.lanes, shape.lanes),
                  fmt::format("use lanes={}", info.lanes));
  if (info.sram_kib < shape.sram_kib)
    throw Refusal(
        "backend",
        fmt::format("{}: the board's tiles have {} KiB of memory, not {}", device, info.sram_kib, shape.sram_kib),
        fmt::format("use sram_kib={} or less", info.sram_kib));
  if (!info.all_turns)
    throw Refusal("backend", fmt::format("{}: the routers of {} have the routes of training alone", device, info.name),
                  "make fpga MESH=programs=1 builds a board for programs of one's own; or use the backend emulated");
  board::check_shape(info, shape, device);
  return shape;
}

}  // namespace

/// A line that asks while it waits.
class Board::Asking final : public board::Line {
 public:
  explicit Asking(std::unique_ptr<board::Line> line) : line_(std::move(line)) {}

  const std::string& name() const override { return line_->name(); }
  std::string settings() const override { return line_->settings(); }
  board::Time now() const override { return line_->now(); }
  bool ready() const override { return line_->ready(); }
  void send(std::span<const std::uint8_t> frame) override {
    line_->send(frame);
    count();
  }
  bool receive(board::Bytes& frame, board::Time until) override {
    if (interrupted_ && interrupted_()) throw Interrupted();
    const bool came = line_->receive(frame, until);
    count();
    return came;
  }
  void ask(std::function<bool()> interrupted) { interrupted_ = std::move(interrupted); }

 private:
  void count() {
    down_ = line_->bytes_down();
    up_ = line_->bytes_up();
    broken_frames_ = line_->broken_frames();
  }

  const std::unique_ptr<board::Line> line_;
  std::function<bool()> interrupted_;
};

Board::Board(std::unique_ptr<board::Line> line, std::shared_ptr<void> needs, const machine::WaferShape& asked) {
  auto asking = std::make_unique<Asking>(std::move(line));
  line_ = asking.get();
  try {
    board::Session session(std::move(asking));
    const machine::WaferShape shape = fitting(session.open(), asked, line_->name());
    wafer_ = board::make_board_wafer(session.release(), shape, {}, std::move(needs), false);
  } catch (const board::BoardLost& lost) {
    throw Refusal("backend", lost.what(), "check the board, its line and its bitstream: weft board tests them");
  } catch (const Refusal& refusal) {
    throw own_words(refusal);
  }
}

Board Board::open(const std::string& device, int baud, const machine::WaferShape& asked) {
  board::Device opened;
  try {
    opened = board::open_device(device, baud, emulator());
  } catch (const Refusal& refusal) {
    throw own_words(refusal);
  }
  return {std::move(opened.line), std::move(opened.needs), asked};
}

void Board::ask(std::function<bool()> interrupted) { line_->ask(std::move(interrupted)); }

bool is_board(const std::string& backend) {
  return backend == "emulated" || backend == "emulated:udp" || backend.starts_with("udp:") || backend.starts_with("/");
}

}  // namespace weft::programs
