#include "host/swarmx/protocol/payload.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <functional>
#include <limits>

#include "host/memoryx/fixed_point.hpp"
#include "host/swarmx/base/error.hpp"
#include "sw/base/invariant.hpp"
#include "sw/base/refusal.hpp"
#include "verif/wafer.hpp"

namespace weft::swarmx {
namespace {

Bytes encode_words(std::span<const std::uint32_t> words) {
  Bytes bytes(words.size_bytes());
  if (!words.empty()) std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

std::vector<std::uint32_t> decode_words(std::span<const std::uint8_t> bytes) {
  check_frame(bytes.size() % 4 == 0, "a frame of 32-bit integers has a wrong length");
  std::vector<std::uint32_t> words(bytes.size() / 4);
  if (!words.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

}  // namespace

Bytes encode_pass(const Pass& pass) {
  std::vector<std::uint32_t> words{pass.train ? 1U : 0U};
  for (const Task& task : pass.tasks)
    words.insert(words.end(), {task.member_id, task.micro_batch, task.unmerged ? 1U : 0U});
  return encode_words(words);
}

Pass decode_pass(std::span<const std::uint8_t> bytes) {
  const std::vector<std::uint32_t> words = decode_words(bytes);
  check_frame(words.size() >= 4 && words.size() % 3 == 1, "the frame of a pass has a wrong length");
  Pass pass{.train = words[0] == 1, .tasks = {}};
  std::vector<std::uint32_t> micro_batches;
  for (std::size_t at = 1; at < words.size(); at += 3) {
    check_frame(words[0] <= 1 && words[at + 2] <= 1, "the frame of a pass has invalid values");
    check_frame(pass.tasks.empty() || pass.tasks.back().member_id < words[at],
                "the member ids of a pass are not ascending");
    pass.tasks.push_back({words[at], words[at + 1], words[at + 2] == 1});
    micro_batches.push_back(words[at + 1]);
  }
  std::ranges::sort(micro_batches);
  check_frame(std::ranges::adjacent_find(micro_batches) == micro_batches.end(), "a pass has a micro-batch twice");
  return pass;
}

Bytes encode_member_ids(std::span<const std::uint32_t> member_ids) { return encode_words(member_ids); }

std::vector<std::uint32_t> decode_member_ids(std::span<const std::uint8_t> bytes) {
  std::vector<std::uint32_t> member_ids = decode_words(bytes);
  check_frame(!member_ids.empty() && std::ranges::is_sorted(member_ids, std::less_equal()),
              "member ids are not ascending");
  return member_ids;
}

Bytes encode_batch(const MicroBatch& batch) {
  invariant(batch.inputs.size() == batch.labels.size(), "a micro-batch has a label for each token");
  const std::size_t each = batch.inputs.size() * sizeof(TokenId);
  Bytes bytes(2 * each + (batch.class_weight == 1 ? 0 : sizeof batch.class_weight));
  if (each == 0) return bytes;
  std::memcpy(bytes.data(), batch.inputs.data(), each);
  std::memcpy(bytes.data() + each, batch.labels.data(), each);
  if (batch.class_weight != 1) std::memcpy(bytes.data() + 2 * each, &batch.class_weight, sizeof batch.class_weight);
  return bytes;
}

MicroBatch decode_batch(std::span<const std::uint8_t> bytes) {
  const std::size_t count = bytes.size() / (2 * sizeof(TokenId)), each = count * sizeof(TokenId),
                    rest = bytes.size() - 2 * each;
  MicroBatch batch;
  check_frame(rest == 0 || (rest == sizeof batch.class_weight && count > 0),
              "a micro-batch's frame has a wrong length");
  batch.inputs.resize(count), batch.labels.resize(count);
  if (count == 0) return batch;
  if (rest > 0) std::memcpy(&batch.class_weight, bytes.data() + 2 * each, rest);
  check_frame(std::isfinite(batch.class_weight) && batch.class_weight >= 0, "a micro-batch's weight is no weight");
  std::memcpy(batch.inputs.data(), bytes.data(), each);
  std::memcpy(batch.labels.data(), bytes.data() + each, each);
  return batch;
}

Frame error_frame(ErrorKind kind, std::string_view text) {
  Bytes bytes = encode_text(text.substr(0, kMaxPayload / 2));
  bytes.insert(bytes.begin(), static_cast<std::uint8_t>(kind));
  Frame frame{.type = FrameType::Error};
  return frame.carry(std::move(bytes));
}

void throw_error(std::span<const std::uint8_t> bytes, std::string_view sender) {
  if (bytes.empty()) throw CorruptFrame(std::string(sender) + " reports an error without a text");
  std::string text = one_line(decode_text(bytes.subspan(1)));
  if (!text.starts_with(sender)) text = std::string(sender) + ": " + text;
  switch (static_cast<ErrorKind>(bytes[0])) {
    case ErrorKind::GradientOverflow:
      throw memoryx::GradientOverflow(text);
    case ErrorKind::WaferHang:
      throw WaferHang(text);
    case ErrorKind::LossNotFinite:
      throw LossNotFinite(text);
    case ErrorKind::Diverged:
      throw memoryx::Diverged(text);
    case ErrorKind::Swarm:
      break;
  }
  throw SwarmError(text);
}

Bytes encode_text(std::string_view text) { return {text.begin(), text.end()}; }
std::string decode_text(std::span<const std::uint8_t> bytes) { return {bytes.begin(), bytes.end()}; }

}  // namespace weft::swarmx
