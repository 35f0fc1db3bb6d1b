#include "host/board/probe.hpp"

#include <algorithm>
#include <random>
#include <thread>

#include "host/board/lines/serial_line.hpp"
#include "sw/base/refusal.hpp"

namespace weft::board {

Answer request_device_info(Line& line, Duration patience) {
  Link link;
  std::random_device random;
  link.open(std::max<std::uint32_t>(1, random()), 0, line.now());
  Answer answer;
  const std::uint64_t before = line.bytes_up();
  const Time until = line.now() + patience;
  try {
    while (!link.is_open() && !link.other_version() && line.now() < until) {
      if (line.ready())
        if (const auto frame = link.next(line.now(), false)) line.send(encode(*frame));
      Bytes came;
      if (line.receive(came, std::min(until, link.wake().value_or(until)))) link.receive(came, line.now());
    }
    if (link.is_open()) {
      line.send(encode(link.bye_frame()));
      Bytes ignored;
      line.receive(ignored, line.now() + std::chrono::milliseconds(5));  // a serial line writes while it waits
    }
  } catch (const LineGone&) {  // same as no answer
  }
  answer.info = link.info();
  if (!link.is_open()) answer.version = link.other_version();
  answer.bytes = line.bytes_up() - before;
  return answer;
}

const std::vector<int>& usual_rates() {
  static const std::vector<int> rates = {2000000, 3000000, 1000000, 4000000, 500000, 921600, 460800, 230400, 115200};
  return rates;
}

std::optional<int> find_rate(const std::string& path, int tried) {
  for (const int rate : usual_rates()) {
    if (rate == tried) continue;
    try {
      SerialLine line(path, rate);
      const Answer answer = request_device_info(line, std::chrono::milliseconds(350));
      if (answer.info || answer.version) return rate;
    } catch (const Refusal& refused) {
      if (refused.subject() != "fpga.baud") throw;  // this adapter does not support the rate
    }
  }
  return {};
}

Duration round_trip(Session& session, int times) {
  std::vector<Duration> took;
  for (int i = 0; i < times; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));  // late answers to earlier requests arrive first
    const Time before = session.now();
    session.ask();
    took.push_back(session.now() - before);
  }
  std::ranges::sort(took);
  return took[took.size() / 2];
}

}  // namespace weft::board
