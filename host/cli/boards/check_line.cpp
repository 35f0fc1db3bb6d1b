#include "host/cli/boards/check_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <random>

#include "host/board/device.hpp"
#include "host/board/link/session.hpp"
#include "host/board/probe.hpp"
#include "host/board/wafer/board_wafer.hpp"
#include "host/cli/boards/bitstreams.hpp"
#include "host/cli/boards/loop_back.hpp"
#include "sw/base/refusal.hpp"

namespace weft::cli {
namespace {

constexpr int kRoundTrips = 20;

double milliseconds(board::Duration d) { return std::chrono::duration<double, std::milli>(d).count(); }

/// Drawing of the mesh, row by row, with the valve and the order of the tiles on each row.
std::string mesh(const board::DeviceInfo& info) {
  std::string text;
  for (int row = 0; row < info.rows; ++row) {
    text += fmt::format("        {}", row == 0 ? "valve " : "      ");
    for (int col = 0; col < info.cols; ++col) text += fmt::format("{}[{},{}]", col == 0 ? "- " : " - ", row, col);
    text += '\n';
  }
  return text;
}

void no_answer(const std::string& device, const LineCheck& check, const board::Answer& answer, Findings& findings) {
  if (answer.version) {
    findings.failure(fmt::format("a board answers with version {} of the link protocol, this program uses version {}",
                                 *answer.version, board::kLinkVersion),
                     "load a bitstream of this version (" + load_command(check.tree, "") +
                         "), or use the weft that came with the board's");
    return;
  }
  const bool serial = !device.starts_with("udp:") && !device.starts_with("emulated");
  if (serial) {
    if (const auto rate = board::find_rate(device, check.baud)) {
      findings.failure(
          fmt::format("no board answers at {} baud, but one does at {}", check.baud, *rate),
          fmt::format("use --fpga.baud {0} (here: --baud {0}), or a bitstream built for {1}", *rate, check.baud));
      return;
    }
  }
  const std::string came =
      answer.bytes == 0 ? "no bytes arrived" : fmt::format("{} bytes arrived, but no frame of a board", answer.bytes);
  std::string hint = "check light 0 of the board: if that light is dark or does not blink, load a bitstream: " +
                     load_command(check.tree, "");
  if (serial && answer.bytes > 0)
    hint = fmt::format(
        "the bitstream may be built for a rate that was not tried, or another device is at this line; {}", hint);
  if (!serial) hint += "; ping the board's address; another run may use the board";
  findings.failure(fmt::format("no board answers: {}", came), hint);
}

void check_build(const board::DeviceInfo& info, const LineCheck& check, Findings& findings) {
  std::vector<Bitstream> here;
  for (const auto& folder : check.bitstreams)
    for (Bitstream& bitstream : find_bitstreams(folder)) here.push_back(std::move(bitstream));
  const BuildVerdict verdict =
      judge_build(info, number_of_sources(check.tree, info), here, load_command(check.tree, info.name));
  if (verdict.kind == BuildVerdict::Kind::Same)
    findings.good(verdict.text);
  else
    findings.note(verdict.text, verdict.hint);
}

void check_round_trip(board::Session& session, Findings& findings) {
  const double ms = milliseconds(board::round_trip(session, kRoundTrips));
  const std::string text = fmt::format("a short answer takes {:.2f} ms (median of {})", ms, kRoundTrips);
  if (ms < 10)
    findings.good(text);
  else
    findings.note(text, "a latency timer of 16 ms (weft board without a device shows it), or a machine that is busy");
}

void check_data(std::unique_ptr<board::Line> line, std::shared_ptr<void> needs, const board::DeviceInfo& info,
                Findings& findings) {
  const machine::WaferShape shape{.rows = info.rows,
                                  .cols = info.cols,
                                  .lanes = info.lanes,
                                  .sram_kib = info.sram_kib,
                                  .colors = info.colors,
                                  .turns = false};
  const auto begin = std::chrono::steady_clock::now();
  const auto wafer = board::make_board_wafer(std::move(line), shape, {}, std::move(needs), false);
  const LoopBack back = loop_back(*wafer, std::random_device()());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (!back.wrong_tiles.empty())
    findings.failure(
        fmt::format("loop-back: {}", fmt::join(back.wrong_tiles, ", ")),
        "the link's checksums were right, so the wafer itself computes incorrectly: use a bitstream that meets "
        "its clock (make fpga reports it), another board, or a better power supply");
  else
    findings.good(fmt::format("loop-back: {} random words through {} tiles and back, in {:.2f} s", back.words,
                              info.rows * info.cols, seconds));
  if (const std::string flags = wafer->flags(); !flags.empty())
    findings.failure("flags are set: " + flags,
                     "load the bitstream again; if the flags reappear, report them with the bitstream's build number");
}

void check_open(board::Device device, const std::string& name, const LineCheck& check, Findings& findings,
                bool& found) {
  const board::Answer answer = board::request_device_info(*device.line, check.patience);
  if (!answer.info) {
    device.line.reset();  // closed, so that other rates can be tried
    no_answer(name, check, answer, findings);
    return;
  }
  found = true;
  findings.good(answer.info->text());
  findings.picture(mesh(*answer.info));
  const std::string settings = device.line->settings();
  findings.good(fmt::format("uses version {} of the link protocol{}{}", board::kLinkVersion,
                            settings.empty() ? "" : ", at ", settings));
  check_build(*answer.info, check, findings);
  board::Session session(std::move(device.line));
  session.open();
  check_round_trip(session, findings);
  check_data(session.release(), device.needs, *answer.info, findings);
}

}  // namespace

bool check_line(const std::string& device, const LineCheck& check, Findings& findings) {
  findings.begin("board", device, "checking");
  bool found = false;
  try {
    check_open(board::open_device(device, check.baud, check.emulator), device, check, findings, found);
  } catch (const Refusal& refused) {
    findings.failure(refused.problem(), refused.hint());
  } catch (const board::BoardLost& lost) {
    findings.failure(lost.what(),
                     "plug the board in again, or load the bitstream again; another program may also use the board");
  } catch (const WaferHang& hang) {
    findings.failure(std::string("loop-back: ") + hang.what(),
                     "load the bitstream again: " + load_command(check.tree, ""));
  }
  return found;
}

}  // namespace weft::cli
