#include "host/swarmx/members/data_source.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <utility>

#include "host/swarmx/base/error.hpp"
#include "host/swarmx/protocol/pass_returns.hpp"
#include "host/swarmx/protocol/payload.hpp"
#include "sw/base/token_id.hpp"

namespace weft::swarmx {
namespace {

constexpr std::chrono::seconds kLast{1};  // time for a process that is sent away to read why

/// Sends the reason, and closes the connection after kLast.
asio::awaitable<void> send_away(std::shared_ptr<Link> link, std::shared_ptr<FrameQueue> queue, std::string why) {
  queue->try_send(boost::system::error_code(), error_frame(ErrorKind::Swarm, why));
  asio::steady_timer timer(co_await asio::this_coro::executor, kLast);
  co_await timer.async_wait(asio::use_awaitable);
  link->close();
  shut(*queue);
}

}  // namespace

DataSource::DataSource(boost::asio::any_io_executor executor, FirstFailure& run, const compiler::Plan& plan,
                       GetBatch here, Position position)
    : executor_(std::move(executor)),
      run_(run),
      plan_(plan),
      here_(std::move(here)),
      position_(std::move(position)),
      waiting_(run) {}

MicroBatch DataSource::get(const BatchRequest& request) {
  {
    std::unique_lock lock(waiting_.mutex);
    while (there_ && request.train) {
      request_ = request;
      answer_.reset();
      pending_ = true;
      Frame ask{.type = FrameType::Batch, .step = request.step, .op = request.micro_batch};
      ask.carry(encode_numbers<std::uint64_t>(std::array{position_ ? position_(request.step) : 0}));
      asio::co_spawn(executor_, send(std::move(ask)), run_.ending());
      // A process that takes the place of the one that was asked has not been asked yet.
      waiting_.until(lock, [this, before = times_] { return answer_ || !there_ || times_ != before; });
      pending_ = false;
      if (answer_) return std::move(*answer_);
    }
  }
  return here_(request);
}

asio::awaitable<void> DataSource::send(Frame frame) {
  const auto queue = queue_;
  if (queue) co_await push_frame(queue, std::move(frame));
}

asio::awaitable<void> DataSource::stop() {
  stopped_ = true;
  co_await send({.type = FrameType::Stop});
}

asio::awaitable<void> DataSource::serve(Link link, std::function<void()> here) {
  if (link_)  // the previous one counts as lost
    asio::co_spawn(
        executor_,
        send_away(link_, queue_, "another process has joined as the same rank. HINT: start one for each RANK."),
        run_.ending());
  const auto mine = std::make_shared<Link>(std::move(link));
  const auto queue = std::make_shared<FrameQueue>(executor_, kQueueFrames);
  link_ = mine, queue_ = queue;
  if (stopped_) queue->try_send(boost::system::error_code(), Frame{.type = FrameType::Stop});
  asio::co_spawn(executor_, write_all(mine, queue), run_.ending());
  {
    const std::lock_guard lock(waiting_.mutex);
    there_ = true;
    ++times_;
    waiting_.notify();
  }
  here();
  std::exception_ptr failure;
  try {
    MicroBatch batch;
    for (;;) receive(co_await mine->read(), batch, mine->peer());
  } catch (const PeerLost&) {
    failure = std::current_exception();
    mine->close();
    shut(*queue);
  } catch (const SwarmError& error) {
    failure = std::current_exception();
    asio::co_spawn(executor_, send_away(mine, queue, error.what()), run_.ending());
  }
  if (link_ == mine) {
    link_ = nullptr, queue_ = nullptr;
    const std::lock_guard lock(waiting_.mutex);
    there_ = false;
    waiting_.notify();
  }
  std::rethrow_exception(failure);
}

/// Takes a part of a micro-batch. A complete one becomes the answer if it is the one that is still asked for.
void DataSource::receive(const Frame& frame, MicroBatch& batch, const std::string& peer) {
  const auto all = static_cast<std::size_t>(plan_.sequences()) * static_cast<std::size_t>(plan_.model.seq);
  const MicroBatch part = frame.type == FrameType::Batch ? decode_batch(frame.bytes()) : MicroBatch{};
  if (frame.part == 0) batch = {};
  const auto beyond = [&](TokenId id) { return id >= static_cast<TokenId>(plan_.model.vocab); };
  const auto no_label = [&](TokenId word) { return !compiler::are_labels(plan_.losses, plan_.model, word); };
  const auto no_input = [&](TokenId input) {
    return beyond(token_of(input)) || segment_of(input) >= std::max(1, plan_.model.segments) ||
           (begins_document(input) && !plan_.model.vsl);
  };
  if (part.inputs.empty() || batch.inputs.size() + part.inputs.size() > all ||
      std::ranges::any_of(part.inputs, no_input) || std::ranges::any_of(part.labels, no_label)) {
    broken(peer, "sent a micro-batch that does not fit this model");
  }
  batch.inputs.insert(batch.inputs.end(), part.inputs.begin(), part.inputs.end());
  batch.labels.insert(batch.labels.end(), part.labels.begin(), part.labels.end());
  batch.class_weight = part.class_weight;
  if (batch.inputs.size() < all) return;
  const std::lock_guard lock(waiting_.mutex);
  if (pending_ && frame.step == request_.step && frame.op == request_.micro_batch) answer_ = std::move(batch);
  waiting_.notify();
}

void DataSource::close() noexcept {
  if (link_) link_->close();
}

}  // namespace weft::swarmx
