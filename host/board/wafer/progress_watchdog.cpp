#include "host/board/wafer/progress_watchdog.hpp"

#include "host/board/link/session.hpp"

namespace weft::board {

ProgressWatchdog::Verdict ProgressWatchdog::evaluate(const Status& status, const Host& host) {
  if (seen_ && status.cycles == seen_->status.cycles) return Verdict::Progresses;
  const Seen before = seen_.value_or(Seen{});
  const bool quiet =
      !status.awake && !status.unsent && status.words == host.words && !host.in_flight && host.confirms_all;
  seen_ = Seen{status, quiet, host.waiting};
  if (lacks_traffic(status, host.words)) return Verdict::NoTraffic;
  if (is_overdue(status, host)) return Verdict::Overdue;
  const bool same = before.quiet && before.status.messages == status.messages && before.status.words == status.words &&
                    before.waiting == host.waiting;
  // Data held back on the host for lack of room is not movement; a program at rest has nothing to wait for.
  const bool sent = host.waiting == 0;
  if (!quiet || !same || (status.idle() && !sent)) return Verdict::Progresses;
  return host.awaits || !sent || status.waiting ? Verdict::Hangs : Verdict::Progresses;
}

bool ProgressWatchdog::lacks_traffic(const Status& status, std::uint64_t words) {
  const bool works = status.awake && !status.unsent && status.words == words;
  if (!works) {
    works_.reset();
  } else if (!works_ || works_->messages != status.messages || works_->words != status.words) {
    works_ = status;
  } else {
    return status.cycles - works_->cycles >= kMostWork;
  }
  return false;
}

bool ProgressWatchdog::is_overdue(const Status& status, const Host& host) {
  const bool due = status.unsent || status.words != host.words || (!host.in_flight && !host.confirms_all);
  if (!due || !lacks_ || lacks_->words != host.words || lacks_->messages != status.messages) {
    lacks_ = Lacks{host.now, host.words, status.messages, 0};
    return false;
  }
  return ++lacks_->times >= kLeastLacks && host.now - lacks_->since >= Session::kStall;
}

}  // namespace weft::board
