#include "verif/sim/clocked_wafer.hpp"

#include <algorithm>

namespace weft::sim {
namespace {

// Limits of the deadlock detection. After kPatience cycles without a beat or a message the wafer counts as hanging;
// with beats but no message, after kPatienceWithBeats cycles, ten times as long as the largest attention that fits into
// a memory.
constexpr std::uint64_t kPatience = 16384;             // cycles, a power of two
constexpr std::uint64_t kPatienceWithBeats = 1 << 21;  // cycles

machine::WaferShape checked(const machine::WaferShape& s) {
  if (s.rows < 1 || s.row_groups < 1 || s.all_rows() > machine::WaferShape::kMostRows || s.cols < 1 ||
      s.cols > machine::WaferShape::kMostCols || s.valves < 1 || s.valves > s.rows)
    throw std::invalid_argument("a wafer of " + std::to_string(s.all_rows()) + " x " + std::to_string(s.cols) +
                                " tiles and " + std::to_string(s.valves) +
                                " valves. HINT: 1 to 1024 rows and columns, 1 to rows valves");
  return s;
}

}  // namespace

ClockedWafer::ClockedWafer(const machine::WaferShape& shape)
    : intake_(checked(shape)),
      shape_(shape),
      outlets_(static_cast<std::size_t>(shape.all_rows())),
      delivered_(static_cast<std::size_t>(shape.all_rows())),
      awaited_(delivered_),
      taken_(static_cast<std::size_t>(shape.valves)) {}

void ClockedWafer::log_stalls(StallLog*) { throw std::logic_error("this simulator does not count where cycles go"); }

void ClockedWafer::feed(std::span<const machine::Message> messages) {
  intake_.push(messages);
  while (intake_.all_busy()) run_cycle();
}

void ClockedWafer::feed_group(int group, std::span<const machine::Message> messages) {
  if (group < 0 || group >= shape_.row_groups) throw std::invalid_argument("the wafer has no such group of rows");
  intake_.push(messages, shape_.row_groups > 1 ? group : kAllGroups);
  while (intake_.all_busy()) run_cycle();
}

void ClockedWafer::await(std::span<const std::uint64_t> totals) {
  std::ranges::copy(totals.first(std::min(totals.size(), awaited_.size())), awaited_.begin());
  for (std::size_t row = 0; row < totals.size(); ++row) {
    while (delivered_[row] < totals[row]) {
      if (!can_move()) {
        throw_hang("row " + std::to_string(row) + "'s outlet has delivered " + std::to_string(delivered_[row]) +
                   " of " + std::to_string(totals[row]) + " messages");
      }
      run_cycle();
    }
  }
}

void ClockedWafer::settle() {
  while (can_move()) run_cycle();
  if (!intake_.empty()) throw_hang("messages are left in the intake");
  fetch_tile_states();
  if (!rests()) throw_hang("a program waits for words that do not arrive");
}

void ClockedWafer::reset() {
  intake_ = Intake(shape_);
  reset_edge();
  cycles_ = edge_messages_ = 0;
  for (auto& words : outlets_) words.clear();
  for (auto* counts : {&delivered_, &awaited_, &taken_}) std::ranges::fill(*counts, 0);
  last_ = {};
}

WaferCounters ClockedWafer::counters() const {
  WaferCounters sum = work();
  sum.cycles = cycles_;
  sum.edge_messages = edge_messages_;
  return sum;
}

void ClockedWafer::watch(TileWatch* /*watch*/, std::span<const TilePlace> /*tiles*/) {
  throw std::logic_error("this wafer shows no wires");
}

void ClockedWafer::set_state(int /*row*/, int /*col*/, const machine::TileState& /*state*/) {
  throw std::logic_error("this wafer takes no state");
}

void ClockedWafer::accepted(int valve) {
  if (log_ != nullptr) log_->push_back({cycles_, EdgeEvent::Kind::In, valve, intake_[valve].front()});
  intake_[valve].pop();
  ++taken_[static_cast<std::size_t>(valve)];
  ++edge_messages_;
}

void ClockedWafer::delivered(int row, std::uint32_t word) {
  if (log_ != nullptr) log_->push_back({cycles_, EdgeEvent::Kind::Out, row, word});
  outlets_[static_cast<std::size_t>(row)].push_back(word);
  ++delivered_[static_cast<std::size_t>(row)];
  ++edge_messages_;
}

void ClockedWafer::run_cycle() {
  cycle();
  ++cycles_;
  if (progress_ != nullptr) progress_->fetch_add(1, std::memory_order_relaxed);
  if (cycles_ % kPatience == 0) look_for_progress();
  if (cycles_ >= limit_) throw_hang("the wafer is still active after the maximum number of cycles");
}

void ClockedWafer::look_for_progress() {
  const std::uint64_t messages = edge_messages_ + link_messages();
  const std::uint64_t beats = work().beats;
  if (messages != last_.messages) {
    last_.message_cycle = cycles_;
  } else if (beats == last_.beats) {
    throw_hang("no message and no beat for " + std::to_string(kPatience) + " cycles");
  } else if (cycles_ - last_.message_cycle >= kPatienceWithBeats) {
    throw_hang("no message for " + std::to_string(kPatienceWithBeats) + " cycles, only beats");
  }
  last_.messages = messages;
  last_.beats = beats;
}

bool ClockedWafer::can_move() const {
  if (awake()) return true;
  for (int v = 0; v < intake_.valves(); ++v)
    if (!intake_[v].empty() && ready(v)) return true;
  return false;
}

void ClockedWafer::throw_hang(const std::string& why) {
  fetch_tile_states();
  std::string text = "the wafer hangs: " + why + " at cycle " + std::to_string(cycles_) + "\n" + waiting();
  for (int v = 0; v < intake_.valves(); ++v)
    text += "valve " + std::to_string(v) + ": " + std::to_string(intake_[v].size()) + " messages wait\n";
  throw WaferHang(text, hang_snapshot(why));
}

std::shared_ptr<const machine::HangSnapshot> ClockedWafer::hang_snapshot(const std::string& why) const {
  constexpr std::size_t kNext = 4;
  auto s = std::make_shared<machine::HangSnapshot>();
  if (!show(*s)) return nullptr;
  s->shape = shape_;
  s->machine = "rtl";
  s->why = why;
  s->cycle = cycles_;
  s->place = place_;
  for (std::size_t r = 0; r < s->rows.size(); ++r) {
    s->rows[r].delivered = delivered_[r];
    s->rows[r].awaited = awaited_[r];
  }
  for (std::size_t i = 0; i < s->valves.size(); ++i) {
    const int v = static_cast<int>(i) % shape_.valves, group = static_cast<int>(i) / shape_.valves;
    machine::ValveHang& valve = s->valves[i];
    valve.taken = taken_[static_cast<std::size_t>(v)];
    for (std::size_t n = served(v, group) ? 1 : 0; n < intake_[v].size(); ++n) {
      const std::uint64_t word = intake_[v].next(n);
      if (!is_for(word, group)) continue;
      ++valve.rest;
      if (valve.next.size() < kNext) valve.next.push_back({static_cast<std::uint32_t>(word), (word >> 37 & 1) != 0});
    }
  }
  if (shape_.row_groups > 1) keep_one_group(*s);
  return s;
}

}  // namespace weft::sim
