/// weft-board: a board in Verilator behind a pseudo-terminal or a socket (fpga/emulator/README.md).
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <exception>
#include <random>
#include <system_error>
#include <utility>

#include "fpga/emulator/damage.hpp"
#include "fpga/emulator/options.hpp"
#include "fpga/emulator/packet_line.hpp"
#include "fpga/emulator/pty_line.hpp"
#include "sw/base/quoted_lines.hpp"

namespace weft::emulator {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kSlice = 512;                       // cycles between two polls of the host
constexpr std::size_t kQueue = 4096;              // bytes: with more queued the host must wait
constexpr double kTicksPerSecond = 40e6 / 65536;  // tick rate of a real board

/// SIGTERM, SIGINT and SIGHUP, as a file descriptor to poll.
int signals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int s : {SIGTERM, SIGINT, SIGHUP}) ::sigaddset(&set, s);
  ::sigprocmask(SIG_BLOCK, &set, nullptr);
  return ::signalfd(-1, &set, SFD_CLOEXEC);
}

/// Makes the session silent after three seconds of the host's time without a frame, however slow the simulation is.
class Silence {
 public:
  void pass(EmulatedBoard& board) {
    const auto now = Clock::now();
    if (now - last_ < std::chrono::milliseconds(50)) return;
    const double ticks = std::chrono::duration<double>(now - last_).count() * kTicksPerSecond;
    const double simulated = static_cast<double>(board.cycles() - cycles_) / 65536;
    if (ticks > simulated) board.missed(static_cast<std::uint64_t>(ticks - simulated));
    last_ = now;
    cycles_ = board.cycles();
  }

 private:
  Clock::time_point last_ = Clock::now();
  std::uint64_t cycles_ = 0;
};

/// Returns true if a signal ended it, false if it reached o.most cycles.
bool run(const EmulatorOptions& o) {
  std::unique_ptr<HostLine> line;
  if (o.udp)
    line = std::make_unique<PacketLine>(*o.udp);
  else
    line = std::make_unique<PtyLine>();
  EmulatedBoard board(o.udp ? EmulatedBoard::Line::Packets : EmulatedBoard::Line::Serial, o.divider);
  Damage down(o.seed * 2, o.rates), up(o.seed * 2 + 1, o.rates);
  std::mt19937_64 rng(o.seed);
  std::uint64_t resets = 0;
  std::vector<std::uint8_t> frame;  // bytes of the serial line's frame so far
  Silence silence;

  pollfd wanted[] = {{line->fd(), POLLIN, 0}, {signals(), POLLIN, 0}};
  if (!o.link.empty()) {
    ::unlink(o.link.c_str());
    if (::symlink(line->device().c_str(), o.link.c_str()) != 0)
      throw std::system_error(errno, std::generic_category(), o.link);
  }
  std::printf("device %s\n", line->device().c_str());
  std::fflush(stdout);

  const std::uint64_t quiet = 32 + 16 * static_cast<std::uint64_t>(o.divider);  // more than the bits in flight take
  bool ended = true;
  for (;;) {
    wanted[0].events = static_cast<short>((board.queued() < kQueue ? POLLIN : 0) | (line->waits() ? POLLOUT : 0));
    ::poll(wanted, 2, board.idle() > quiet ? -1 : 0);
    silence.pass(board);
    if (wanted[1].revents != 0) break;
    if (o.most > 0 && board.cycles() >= o.most) {
      ended = false;
      break;
    }
    if (wanted[0].revents != 0) {
      for (Piece& piece : line->read()) {
        for (Piece& left : down.pass(std::move(piece))) board.send(std::move(left));
        if (o.reset > 0 && static_cast<double>(rng() >> 11) < o.reset * 0x1p53) {
          board.power_up();
          ++resets;
        }
      }
    }
    for (int i = 0; i < kSlice; ++i) board.cycle();
    for (Piece& piece : board.take()) {
      if (o.udp) {
        for (const Piece& left : up.pass(std::move(piece))) line->write(left);
        continue;
      }
      for (const std::uint8_t byte : piece.bytes) {
        frame.push_back(byte);
        if (byte != 0) continue;
        for (const Piece& left : up.pass({std::exchange(frame, {}), 0})) line->write(left);
      }
    }
  }

  if (!o.link.empty()) ::unlink(o.link.c_str());
  std::fprintf(stderr, "%s\n%s\n%llu resets\n", down.counts("down").c_str(), up.counts("up").c_str(),
               static_cast<unsigned long long>(resets));
  const double seconds = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;  // processor time
  std::fprintf(stderr, "%llu cycles, the wafer's clock ran in %llu; %.0f kHz of a processor\n",
               static_cast<unsigned long long>(board.cycles()), static_cast<unsigned long long>(board.wafer_cycles()),
               static_cast<double>(board.cycles()) / std::max(seconds, 1e-6) / 1000);
  return ended;
}

}  // namespace
}  // namespace weft::emulator

int main(int argc, char** argv) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  try {
    return weft::emulator::run(weft::emulator::parse(argc, argv)) ? 0 : 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "weft-board: %s\n", weft::quoted_lines(e.what()).c_str());
    return 1;
  }
}
