#include "host/board/board_wafer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <type_traits>

#include "host/board/count_reader.hpp"
#include "host/board/fits.hpp"
#include "host/board/packer.hpp"
#include "host/board/session.hpp"
#include "host/board/standing.hpp"
#include "host/board/unpacker.hpp"
#include "host/board/watch.hpp"

namespace weft::board {
namespace {

class BoardWafer final : public Wafer {
 public:
  BoardWafer(std::unique_ptr<Line> line, const WaferShape& shape, std::shared_ptr<Tally> tally,
             std::shared_ptr<void> line_with, bool core_memories)
      : shape_(shape),
        core_memories_(core_memories),
        line_with_(std::move(line_with)),
        session_(std::move(line)),
        packer_(checked(session_.open(), shape, session_.line().name()).entries),
        record_(shape),
        unpacker_(shape.rows),
        outlets_(static_cast<std::size_t>(shape.rows)),
        taken_(outlets_.size()),
        tally_(std::move(tally)) {}
  ~BoardWafer() override { publish(); }

  const WaferShape& shape() const override { return shape_; }

  void feed(std::span<const Message> messages) override {
    if (tally_) tally_->messages += messages.size();
    record_.put(messages);
    placed([&] {
      packer_.put(messages, records_);
      put_records();
      session_.listen();
      go_on(false, now());
      while (session_.link().sender().waiting() > Session::kMostQueued) {
        go_on(false, now() + Session::kSilence);
        check_stands({});
      }
    });
  }

  void await(std::span<const std::uint64_t> totals) override {
    if (totals.size() != outlets_.size()) throw std::invalid_argument("await: one total per row");
    placed([&] {
      finish_records();
      while (!delivered(totals)) {
        go_on(true, now() + Session::kSilence);
        if (!delivered(totals)) check_stands(totals);
      }
      session_.answer();
    });
  }

  void settle() override {
    placed([&] {
      finish_records();
      while (!session_.link().sender().done()) {
        go_on(true, now() + Session::kSilence);
        check_stands({});
      }
      // Between two records the expander looks idle, but only for some cycles: idle twice without a message is idle.
      std::optional<Status> before;
      for (;;) {
        Status status = ask();
        const bool idle = status.idle() && status.words == unpacker_.words() && session_.link().confirms_all();
        if (idle && before && before->messages == status.messages && before->words == status.words) {
          if (session_.link().about()->debug && some_thread_waits(session_, shape_)) stuck({}, status);
          return;
        }
        check_stands({});
        if (!idle) go_on(true, now() + std::chrono::milliseconds(1));
        before = idle ? std::optional(status) : std::nullopt;
      }
    });
  }

  void reset() override {
    Bytes thrown_away;
    packer_.flush(thrown_away);
    record_.begin();
    packer_.forget();  // what was on its way may not have arrived
    placed([&] { checked(session_.open(), shape_, session_.line().name()); });
    unpacker_.begin();
    for (auto& words : outlets_) words.clear();
    std::ranges::fill(taken_, 0);
    watch_.begin();
  }

  /// What the caller clears, it has taken: so the totals of `await` are counted here.
  std::vector<std::uint32_t>& outlet(int row) override { return outlets_.at(static_cast<std::size_t>(row)); }

  std::vector<std::uint16_t> sram(int /*row*/, int /*col*/) const override {
    throw std::logic_error("a board does not show its memory");
  }
  void at(const StreamPlace& place) override {
    if (tally_ && place.phase != "load" &&
        (place.step != place_.step || place.micro_batch != place_.micro_batch || !begun_))
      ++tally_->micro_batches, begun_ = true;
    place_ = place;
  }

  WaferCounters counters() const override {
    const Status status = placed([&] { return ask(); });
    publish();
    return {.cycles = status.cycles, .edge_messages = status.messages + status.words};
  }

  std::string flags() const override {
    return placed([&] { return ask(); }).flags_text();
  }

  std::vector<TallyRecord> counts() {
    return placed([&] { return read_counts(session_, shape_); });
  }

 private:
  static const About& checked(const About& about, const WaferShape& shape, const std::string& device) {
    check_fits(about, shape, device);
    return about;
  }

  Time now() const { return session_.now(); }

  /// Says where the host was of a board that is lost.
  template <class Work>
  std::invoke_result_t<Work> placed(const Work& work) const {
    try {
      return work();
    } catch (const BoardLost& lost) {
      if (place_.wafer < 0) throw;
      throw BoardLost(
          fmt::format("wafer {}, step {}, micro-batch {}, {}: {}. HINT: look after the board and its line; "
                      "the same command goes on from the last checkpoint.",
                      place_.wafer, place_.step + 1, place_.micro_batch, place_.phase, lost.what()));
    }
  }

  void put_records() {
    session_.link().put(records_);
    if (tally_) tally_->stream_down += records_.size();
    records_.clear();
  }
  void finish_records() {
    packer_.flush(records_);
    put_records();
    session_.listen();
  }

  /// Sends, waits for a frame, takes what it brought.
  void go_on(bool all, Time until) const {
    session_.go_on(all, until);
    take();
  }
  Status ask() const {
    const Status status = session_.ask();
    take();
    if (status.fault) session_.lost("met a record that it does not know: host and board are not of one version");
    return status;
  }
  void take() const {
    Bytes& bytes = session_.link().received();
    if (bytes.empty()) return;
    if (tally_) tally_->stream_up += bytes.size();
    if (!unpacker_.put(bytes, fresh_))
      session_.lost(fmt::format("sent words of row {}, but has {} rows", unpacker_.row(), shape_.rows));
    bytes.clear();
    for (std::size_t r = 0; r < outlets_.size(); ++r) {
      outlets_[r].insert(outlets_[r].end(), fresh_[r].begin(), fresh_[r].end());
      taken_[r] += fresh_[r].size();
      fresh_[r].clear();
    }
  }

  bool delivered(std::span<const std::uint64_t> totals) const {
    for (std::size_t r = 0; r < totals.size(); ++r)
      if (taken_[r] < totals[r]) return false;
    return true;
  }

  /// What the last STATUS says, if it is a new one. Throws WaferStuck, BoardLost.
  void check_stands(std::span<const std::uint64_t> totals) const {
    const Link& link = session_.link();
    if (!link.status()) return;
    const Status& status = *link.status();
    if (status.fault) session_.lost("met a record that it does not know: host and board are not of one version");
    switch (watch_.see(status, {.now = now(),
                                .words = unpacker_.words(),
                                .waiting = link.sender().waiting(),
                                .in_flight = link.sender().in_flight(),
                                .confirms_all = link.confirms_all(),
                                .awaits = !totals.empty()})) {
      case Watch::Verdict::GoesOn:
        return;
      case Watch::Verdict::Stands:
        stuck(totals, status);
      case Watch::Verdict::WorksOn:
        stuck(totals, status,
              fmt::format("works on, but no message has gone in or out for {} cycles", Watch::kMostWork));
      case Watch::Verdict::KeepsBack:
        session_.lost("answers, but what it has for us does not come");
    }
  }

  [[noreturn]] void stuck(std::span<const std::uint64_t> totals, const Status& status,
                          const std::string& how = "stands still") const {
    std::string text = fmt::format("the wafer is stuck: the board at {} has taken {} messages and {}",
                                   session_.line().name(), status.messages, how);
    if (status.waiting) text += ", one waits at the valve";
    for (std::size_t r = 0; r < totals.size(); ++r)
      if (taken_[r] < totals[r]) text += fmt::format("; row {} has delivered {} of {} words", r, taken_[r], totals[r]);
    if (const std::string flags = status.flags_text(); !flags.empty()) text += "; flags: " + flags;
    if (place_.wafer >= 0) text += "; the host was at " + place_.phase;
    if (!session_.link().about()->debug)
      throw WaferStuck(
          text + ". It has no debug chain. HINT: a board made with `make fpga MESH=debug=1` says who waits for whom.");
    throw WaferStuck(text, standing(totals, text));
  }

  std::shared_ptr<const Standstill> standing(std::span<const std::uint64_t> totals, const std::string& why) const {
    const auto s = read_standing(session_, shape_, record_, core_memories_ && keeps_memories(shape_));
    s->why = why;
    s->place = place_;
    for (std::size_t r = 0; r < s->rows.size(); ++r) {
      s->rows[r].delivered = taken_[r];
      if (r < totals.size()) s->rows[r].awaited = totals[r];
    }
    return s;
  }

  void publish() const {
    if (!tally_) return;
    const Link& link = session_.link();
    const Published now{session_.line().bytes_down(), session_.line().bytes_up(),
                        link.sender().sent() + link.sender().again(), link.sender().again(),
                        link.damaged() + session_.line().broken()};
    tally_->down += now.down - published_.down;
    tally_->up += now.up - published_.up;
    tally_->frames += now.frames - published_.frames;
    tally_->again += now.again - published_.again;
    tally_->damaged += now.damaged - published_.damaged;
    published_ = now;
  }

  struct Published {
    std::uint64_t down = 0, up = 0, frames = 0, again = 0, damaged = 0;
  };

  const WaferShape shape_;
  const bool core_memories_;
  const std::shared_ptr<void> line_with_;
  mutable Session session_;  // who asks the board, talks
  Packer packer_;
  StreamRecord record_;
  mutable Unpacker unpacker_;
  mutable std::vector<std::vector<std::uint32_t>> outlets_;  // [row]
  mutable std::vector<std::vector<std::uint32_t>> fresh_{outlets_.size()};
  mutable std::vector<std::uint64_t> taken_;  // [row], words since the session began
  Bytes records_;
  StreamPlace place_;
  bool begun_ = false;  // a micro-batch
  mutable Watch watch_;
  std::shared_ptr<Tally> tally_;
  mutable Published published_;
};

}  // namespace

std::unique_ptr<Wafer> make_board_wafer(std::unique_ptr<Line> line, const WaferShape& shape,
                                        std::shared_ptr<Tally> tally, std::shared_ptr<void> line_with,
                                        bool core_memories) {
  return std::make_unique<BoardWafer>(std::move(line), shape, std::move(tally), std::move(line_with), core_memories);
}

std::vector<TallyRecord> read_counts(Wafer& wafer) { return dynamic_cast<BoardWafer&>(wafer).counts(); }

}  // namespace weft::board
