#include "host/board/wafer/board_wafer.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <type_traits>

#include "host/board/debug/count_reader.hpp"
#include "host/board/debug/hang_snapshot.hpp"
#include "host/board/link/session.hpp"
#include "host/board/shape_check.hpp"
#include "host/board/wafer/board_traffic.hpp"
#include "host/board/wafer/outlet_words.hpp"
#include "host/board/wafer/packer.hpp"
#include "host/board/wafer/progress_watchdog.hpp"

namespace weft::board {
namespace {

class BoardWafer final : public Wafer {
 public:
  BoardWafer(std::unique_ptr<Line> line, const machine::WaferShape& shape, std::shared_ptr<LinkTraffic> traffic,
             std::shared_ptr<void> line_with, bool core_memories)
      : shape_(shape),
        core_memories_(core_memories),
        line_with_(std::move(line_with)),
        session_(std::move(line)),
        packer_(checked(session_.open(), shape, session_.line().name()).entries),
        record_(shape),
        words_(shape.rows),
        traffic_(std::move(traffic)) {}
  ~BoardWafer() override { traffic_.publish(session_); }

  const machine::WaferShape& shape() const override { return shape_; }

  void feed(std::span<const machine::Message> messages) override {
    traffic_.messages(messages.size());
    record_.append(messages);
    placed([&] {
      packer_.pack(messages, records_);
      put_records();
      session_.listen();
      go_on(false, now());
      while (session_.link().sender().waiting() > Session::kMostQueued) {
        go_on(false, now() + Session::kSilence);
        check_hang({});
      }
    });
  }

  void await(std::span<const std::uint64_t> totals) override {
    if (totals.size() != words_.rows()) throw std::invalid_argument("await: one total per row");
    placed([&] {
      finish_records();
      while (!words_.delivered(totals)) {
        go_on(true, now() + Session::kSilence);
        if (!words_.delivered(totals)) check_hang(totals);
      }
      session_.answer();
    });
  }

  void settle() override {
    placed([&] {
      finish_records();
      while (!session_.link().sender().done()) {
        go_on(true, now() + Session::kSilence);
        check_hang({});
      }
      // The expander briefly looks idle between two records, so the board counts as idle only after two idle reports
      // without a message in between.
      std::optional<Status> before;
      for (;;) {
        Status status = ask();
        const bool idle = status.idle() && status.words == words_.words() && session_.link().confirms_all();
        if (idle && before && before->messages == status.messages && before->words == status.words) {
          if (session_.link().info()->debug && some_thread_waits(session_, shape_)) throw_hang({}, status);
          return;
        }
        check_hang({});
        if (!idle) go_on(true, now() + std::chrono::milliseconds(1));
        before = idle ? std::optional(status) : std::nullopt;
      }
    });
  }

  void reset() override {
    Bytes thrown_away;
    packer_.flush(thrown_away);
    record_.begin();
    packer_.forget();  // records in flight may not have arrived
    placed([&] { checked(session_.open(), shape_, session_.line().name()); });
    words_.begin();
    watchdog_.begin();
  }

  std::vector<std::uint32_t>& outlet(int row) override { return words_.row(row); }

  std::vector<std::uint16_t> sram(int /*row*/, int /*col*/) const override {
    throw std::logic_error("a board does not show its memory");
  }
  void at(const machine::StreamPlace& place) override {
    traffic_.at(place);
    place_ = place;
  }

  bool count_progress(std::atomic<std::uint64_t>& count) override {
    session_.count_progress(count);
    return true;
  }

  WaferCounters counters() const override {
    const Status status = placed([&] { return ask(); });
    traffic_.publish(session_);
    return {.cycles = status.cycles, .edge_messages = status.messages + status.words};
  }

  std::string flags() const override {
    return placed([&] { return ask(); }).flags_text();
  }

  std::vector<sim::StallRecord> counts() {
    return placed([&] { return read_counts(session_, shape_); });
  }

 private:
  static const DeviceInfo& checked(const DeviceInfo& info, const machine::WaferShape& shape,
                                   const std::string& device) {
    check_shape(info, shape, device);
    return info;
  }

  Time now() const { return session_.now(); }

  /// Adds the host's position to the error if the board is lost.
  template <class Work>
  std::invoke_result_t<Work> placed(const Work& work) const {
    try {
      return work();
    } catch (const BoardLost& lost) {
      if (place_.wafer < 0) throw;
      throw BoardLost(
          fmt::format("wafer {}, step {}, micro-batch {}, {}: {}. HINT: check the board and its line; the same command "
                      "continues from the last checkpoint.",
                      place_.wafer, place_.step + 1, place_.micro_batch, place_.phase, lost.what()));
    }
  }

  void put_records() {
    session_.link().enqueue(records_);
    traffic_.stream_down(records_.size());
    records_.clear();
  }
  void finish_records() {
    packer_.flush(records_);
    put_records();
    session_.listen();
  }

  /// Sends, waits for a frame, and takes its contents.
  void go_on(bool all, Time until) const {
    session_.go_on(all, until);
    take();
  }
  Status ask() const {
    const Status status = session_.ask();
    take();
    if (status.fault) session_.lost("received an unknown record, so host and board have different versions");
    return status;
  }
  void take() const {
    Bytes& bytes = session_.link().received();
    if (bytes.empty()) return;
    traffic_.stream_up(bytes.size());
    if (!words_.add(bytes))
      session_.lost(fmt::format("sent words of row {}, but has {} rows", words_.named(), shape_.rows));
    bytes.clear();
  }

  /// Evaluates the last STATUS if it is a new one. Throws WaferHang, BoardLost.
  void check_hang(std::span<const std::uint64_t> totals) const {
    const Link& link = session_.link();
    if (!link.status()) return;
    const Status& status = *link.status();
    if (status.fault) session_.lost("received an unknown record, so host and board have different versions");
    switch (watchdog_.evaluate(status, {.now = now(),
                                        .words = words_.words(),
                                        .waiting = link.sender().waiting(),
                                        .in_flight = link.sender().in_flight(),
                                        .confirms_all = link.confirms_all(),
                                        .awaits = !totals.empty()})) {
      case ProgressWatchdog::Verdict::Progresses:
        return;
      case ProgressWatchdog::Verdict::Hangs:
        throw_hang(totals, status);
      case ProgressWatchdog::Verdict::NoTraffic:
        throw_hang(totals, status,
                   fmt::format("is busy, but no message has entered or left the wafer for {} cycles",
                               ProgressWatchdog::kMostWork));
      case ProgressWatchdog::Verdict::Overdue:
        session_.lost("answers, but its data does not arrive");
    }
  }

  [[noreturn]] void throw_hang(std::span<const std::uint64_t> totals, const Status& status,
                               const std::string& how = "hangs") const {
    std::string text = fmt::format("the wafer hangs: the board at {} has accepted {} messages and {}",
                                   session_.line().name(), status.messages, how);
    if (status.waiting) text += ", one waits at the valve";
    text += words_.missing(totals);
    if (const std::string flags = status.flags_text(); !flags.empty()) text += "; flags: " + flags;
    if (place_.wafer >= 0) text += "; the host was at " + place_.phase;
    if (!session_.link().info()->debug)
      throw WaferHang(text +
                      "; the board has no debug chain. HINT: a board built with `make fpga MESH=debug=1` reports which "
                      "thread waits for which.");
    throw WaferHang(text, hang_snapshot(totals, text));
  }

  std::shared_ptr<const machine::HangSnapshot> hang_snapshot(std::span<const std::uint64_t> totals,
                                                             const std::string& why) const {
    const auto s = read_hang_snapshot(session_, shape_, record_, core_memories_ && machine::keeps_memories(shape_));
    s->why = why;
    s->place = place_;
    for (std::size_t r = 0; r < s->rows.size(); ++r) {
      s->rows[r].delivered = words_.taken(r);
      if (r < totals.size()) s->rows[r].awaited = totals[r];
    }
    return s;
  }

  const machine::WaferShape shape_;
  const bool core_memories_;
  const std::shared_ptr<void> line_with_;
  mutable Session session_;  // even const queries of the board send and receive
  Packer packer_;
  StreamRecord record_;
  mutable OutletWords words_;
  Bytes records_;
  machine::StreamPlace place_;
  mutable ProgressWatchdog watchdog_;
  mutable BoardTraffic traffic_;
};

}  // namespace

std::unique_ptr<Wafer> make_board_wafer(std::unique_ptr<Line> line, const machine::WaferShape& shape,
                                        std::shared_ptr<LinkTraffic> traffic, std::shared_ptr<void> line_with,
                                        bool core_memories) {
  return std::make_unique<BoardWafer>(std::move(line), shape, std::move(traffic), std::move(line_with), core_memories);
}

std::vector<sim::StallRecord> read_counts(Wafer& wafer) { return dynamic_cast<BoardWafer&>(wafer).counts(); }

}  // namespace weft::board
