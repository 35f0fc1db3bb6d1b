#include "host/board/wafer/packer.hpp"

#include <algorithm>

namespace weft::board {
namespace {

constexpr std::size_t kRunBytes = 14, kIndicesBytes = 5, kMessagesBytes = 3, kMessageBytes = 5;
constexpr std::size_t kMostLiterals = 8192;
constexpr std::size_t kMostHeld = 4096;  // values of a run: data held back here cannot be processed on the board yet

const machine::Message kCarriageReturn = machine::Message::command(machine::Command::CR, 0, 0);

bool zero(std::span<const std::uint16_t> values) {
  return std::ranges::all_of(values, [](std::uint16_t value) { return value == 0; });
}

}  // namespace

void Packer::pack(std::span<const machine::Message> messages, Bytes& out) {
  for (const machine::Message& message : messages) {
    if (!message.ctrl) {
      indices_.push_back(static_cast<std::uint16_t>(message.data >> 16));
      values_.push_back(static_cast<std::uint16_t>(message.data));
      if (indices_.size() == memory_.entries()) end_output(false, out);
    } else if (message == kCarriageReturn) {
      end_output(true, out);
    } else {
      if (!indices_.empty()) end_output(false, out);
      close(out);
      literal(message, out);
    }
  }
}

void Packer::flush(Bytes& out) {
  if (!indices_.empty()) end_output(false, out);
  close(out);
  emit_literals(out);
}

void Packer::end_output(bool returns, Bytes& out) {
  if (run_ && (run_->values.size() >= kMostHeld || run_->times == 65535 || !join(returns))) close(out);
  if (!run_)
    run_ = {.indices = indices_, .values = values_, .times = 1, .returns = returns, .moving = !indices_.empty()};
  indices_.clear();
  values_.clear();
}

/// Appends the completed output to the run, if it matches.
bool Packer::join(bool returns) {
  Run& run = *run_;
  const std::size_t count = indices_.size();
  if (returns != run.returns || count != run.indices.size()) return false;
  if (count > 0 && !std::equal(indices_.begin(), indices_.end() - 1, run.indices.begin())) return false;
  const std::span<const std::uint16_t> values = values_, first = std::span(run.values).first(count);
  const bool same = run.same && indices_ == run.indices && zero(values) == zero(first);
  bool moving = run.moving && zero(values.first(count - 1)) == zero(first.first(count - 1));
  if (moving) {
    const auto step = static_cast<std::uint16_t>(indices_.back() - run.indices.back());
    if (run.times == 1) run.step = step;
    moving = step == static_cast<std::uint16_t>(run.times * run.step);
  }
  if (!same && !moving) return false;
  run.same = same;
  run.moving = moving;
  run.constant = run.constant && (count == 0 || values.back() == first.back());
  run.values.insert(run.values.end(), values.begin(), values.end());
  ++run.times;
  return true;
}

/// Cost of the run in this form, and its requirements.
Packer::Form Packer::form(bool moving) const {
  Form form{.moving = moving, .count = run_->indices.size() - (moving ? 1 : 0)};
  const auto list = std::span(run_->indices).first(form.count);
  form.values = !zero(std::span(run_->values).first(form.count));
  form.moving_values = moving && !run_->constant;
  form.bytes =
      kRunBytes + (form.values ? 2 * form.count * run_->times : 0) + (form.moving_values ? 2 * run_->times : 0);
  if (!memory_.find(list)) form.bytes += kIndicesBytes + 2 * form.count;
  return form;
}

void Packer::close(Bytes& out) {
  if (!run_) return;
  std::optional<Form> best;
  if (run_->same) best = form(false);
  if (run_->moving)
    if (const Form other = form(true); !best || other.bytes < best->bytes) best = other;
  const std::size_t each = run_->indices.size();
  const std::size_t plain = run_->times * (each + (run_->returns ? 1 : 0)) * kMessageBytes;
  // Between plain messages, a RUN also costs the header of another MESSAGES record.
  if (plain > best->bytes + (literals_.empty() ? 0 : kMessagesBytes)) {
    emit_literals(out);
    emit_run(*best, out);
  } else {
    for (std::size_t k = 0; k < run_->times; ++k) {
      for (std::size_t i = 0; i < each; ++i) {
        const bool moves = !run_->same && i + 1 == each;
        const std::size_t offset = moves ? k * run_->step : 0;
        literal(
            machine::Message::weight(static_cast<std::uint16_t>(run_->indices[i] + offset), run_->values[k * each + i]),
            out);
      }
      if (run_->returns) literal(kCarriageReturn, out);
    }
  }
  run_.reset();
}

void Packer::emit_run(const Form& form, Bytes& out) {
  const Run& run = *run_;
  const auto list = std::span(run.indices).first(form.count);
  std::optional<std::uint16_t> at = memory_.find(list);
  if (!at) {
    at = memory_.write(list);
    append(out, static_cast<std::uint8_t>(Record::Indices));
    append(out, *at);
    append(out, static_cast<std::uint16_t>(list.size()));
    for (const std::uint16_t index : list) append(out, index);
  }
  append(out, static_cast<std::uint8_t>(Record::Run));
  append(out, *at);
  append(out, static_cast<std::uint16_t>(form.count));
  append(out, static_cast<std::uint16_t>(run.times));
  append(out, static_cast<std::uint8_t>((form.values ? kRunValues : 0) | (form.moving ? kRunMoving : 0) |
                                        (run.returns ? kRunReturn : 0) | (form.moving_values ? kRunMovingValues : 0)));
  append(out, form.moving ? run.indices.back() : std::uint16_t{0});
  append(out, form.moving && !form.moving_values ? run.values.back() : std::uint16_t{0});
  append(out, form.moving ? run.step : std::uint16_t{0});
  const std::size_t each = run.indices.size();
  for (std::size_t k = 0; k < run.times; ++k)
    for (std::size_t i = 0; i < each; ++i)
      if (i < form.count ? form.values : form.moving_values) append(out, run.values[k * each + i]);
}

void Packer::literal(const machine::Message& message, Bytes& out) {
  literals_.push_back(message);
  if (literals_.size() == kMostLiterals) emit_literals(out);
}

void Packer::emit_literals(Bytes& out) {
  if (literals_.empty()) return;
  append(out, static_cast<std::uint8_t>(Record::Messages));
  append(out, static_cast<std::uint16_t>(literals_.size()));
  for (const machine::Message& message : literals_) {
    append(out, static_cast<std::uint8_t>(message.ctrl ? 1 : 0));
    append(out, message.data);
  }
  literals_.clear();
}

}  // namespace weft::board
