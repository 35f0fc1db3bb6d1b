#include "host/swarmx/protocol/batch.hpp"

#include <algorithm>
#include <new>
#include <string>

#include "host/swarmx/protocol/error_frame.hpp"
#include "sw/base/invariant.hpp"

namespace weft::swarmx {
namespace {

constexpr std::size_t kTokens = kMaxPayload / (2 * sizeof(TokenId));  // per frame, whose weight takes the place of one

MicroBatch ask(const GetBatch& get, const BatchRequest& request) {
  try {
    return get(request);
  } catch (const std::bad_alloc&) {  // rethrown unchanged, without another allocation
    throw;
  } catch (...) {
    rethrow_from("step " + std::to_string(request.step + 1) + ", micro-batch " + std::to_string(request.micro_batch));
  }
}

}  // namespace

std::vector<Frame> batch_frames(const compiler::Plan& plan, const GetBatch& get, const BatchRequest& request,
                                std::uint32_t member_id) {
  const MicroBatch batch = ask(get, request);
  const auto seq = static_cast<std::size_t>(plan.model.seq);
  const std::size_t tokens = batch.inputs.size();
  invariant(batch.labels.size() == tokens && tokens > 0 && tokens % seq == 0,
            "a micro-batch is whole sequences with a label for each token");
  invariant(tokens <= seq * static_cast<std::size_t>(plan.sequences()), "a micro-batch fits the wafer");
  return batch_parts(batch, member_id);
}

std::vector<Frame> batch_parts(const MicroBatch& batch, std::uint32_t op) {
  const std::size_t tokens = batch.inputs.size(), most = kTokens - (batch.class_weight == 1 ? 0 : 1);
  std::vector<Frame> frames;
  for (std::size_t begin = 0; begin < tokens; begin += most) {
    const auto of = [&](const std::vector<TokenId>& all) {
      const auto at = all.begin() + static_cast<std::ptrdiff_t>(begin);
      return std::vector<TokenId>(at, at + static_cast<std::ptrdiff_t>(std::min(most, tokens - begin)));
    };
    Frame frame{.type = FrameType::Batch, .op = op, .part = static_cast<std::uint32_t>(begin / most)};
    frames.push_back(frame.carry(encode_batch({of(batch.inputs), of(batch.labels), batch.class_weight})));
  }
  return frames;
}

}  // namespace weft::swarmx
