/// Commands that move time, and those that manage breakpoints.
#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "host/inspect/debug/breakpoint_parser.hpp"
#include "host/inspect/debug/digits.hpp"
#include "host/inspect/debug/shell.hpp"
#include "host/inspect/debug/show.hpp"
#include "sw/base/refusal.hpp"

namespace weft::inspect::debug {
namespace {

std::uint64_t number(const std::string& text) {
  const auto value = digits<std::uint64_t>(text);
  if (!value) throw Refusal(text, "is not a number", "write digits");
  return *value;
}

}  // namespace

template <class Done>
void Shell::go(LiveTarget& live, Done done) {
  breakpoints_.forget(live);
  for (;;) {
    const std::size_t phase = live.phase();
    if (!live.advance()) {
      out_ << fmt::format("the {} is over, after {} {}s\n", live.workload().what(), live.time(), live.unit());
      return;
    }
    if (live.interrupted()) {
      out_ << "interrupted\n" << where(live, tile_);
      return;
    }
    if (live.phase() != phase) {
      for (std::size_t n = 0; n < breakpoints_.all().size(); ++n) {
        const auto& stop = breakpoints_.all()[n];
        if (!stop || stop->kind != Breakpoint::Kind::Phase || stop->phase != live.phase_name()) continue;
        out_ << fmt::format("stop {}: {} begins\n", n, live.phase_name()) << where(live, tile_);
        return;
      }
    }
    if (const auto hit = breakpoints_.check(live)) {
      tile_ = hit->tile;
      out_ << fmt::format("stop {}: tile {},{} {}\n", hit->stop, tile_.row, tile_.col, hit->what) << where(live, tile_);
      return;
    }
    if (done()) {
      out_ << where(live, tile_);
      return;
    }
  }
}

void Shell::jump(LiveTarget& live, std::uint64_t to) {
  if (to <= live.time()) live.rewind(to);
  while (live.time() < to)  // breakpoints are ignored
    if (live.interrupted() || !live.advance()) break;
  out_ << where(live, tile_);
}

bool Shell::travel(const std::string& command, const Words& words) {
  const auto is = [&](std::string_view name) { return command == name; };
  if (!is("continue") && !is("step") && !is("beat") && !is("cycle") && !is("move") && !is("back") && !is("goto"))
    return false;
  LiveTarget& live = target_.live(command);
  if (is("goto")) return jump(live, number(words.size() > 1 ? words[1] : "")), true;
  std::uint64_t count = words.size() > 1 ? number(words[1]) : 1;
  if (count == 0) throw Refusal("0", "is not a number of steps", "write a number from 1 on");
  if (is("back")) return jump(live, live.time() - std::min(live.time(), count)), true;
  if ((is("cycle") || is("move")) && command != live.unit())
    throw Refusal(command, fmt::format("there are no {}s here", command), live.other_unit_hint());
  go(live, [&] {
    const bool counts = is("step")   ? live.arrives(tile_, psum_).has_value()
                        : is("beat") ? live.issues(tile_, psum_)
                                     : !is("continue");
    return counts && --count == 0;
  });
  return true;
}

bool Shell::stop(const std::string& command, const Words& words) {
  if (command == "break") {
    Breakpoint stop = read_stop(target_.live(command), tile_, words);
    const std::string text = stop.text;
    out_ << fmt::format("stop {}: {}\n", breakpoints_.add(std::move(stop)), text);
    return true;
  }
  if (command != "delete") return false;
  const std::string which = words.size() > 1 ? words[1] : "";
  if (!breakpoints_.remove(number(which)))
    throw Refusal("delete " + which, "there is no such breakpoint", "info breaks lists them");
  return true;
}

}  // namespace weft::inspect::debug
