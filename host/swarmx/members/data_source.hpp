/// The root's source of training tokens: a data rank's process while one is connected, otherwise this process.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "host/swarmx/base/cancellable_wait.hpp"
#include "host/swarmx/link/frame_queue.hpp"
#include "host/swarmx/link/link.hpp"
#include "host/swarmx/protocol/batch.hpp"
#include "sw/base/failure.hpp"

namespace weft::swarmx {

class DataSource {
 public:
  using Position = std::function<std::uint64_t(std::uint64_t step)>;
  /// `here` answers requests that no other process answers. `position` is that of SwarmOptions. `plan` and `run` must
  /// outlive the executor; `run`'s `wake` must call `wake` of this object.
  DataSource(boost::asio::any_io_executor executor, FirstFailure& run, const compiler::Plan& plan, GetBatch here,
             Position position);

  /// As GetBatch, in the streaming thread. If the other process is lost meanwhile, `here` gives the answer, which is
  /// equal.
  MicroBatch get(const BatchRequest& request);

  /// Sends requests to the process behind `link` until it is lost; calls `here` once they go there. A process that was
  /// connected before is sent away with a reason, as is one that breaks the protocol. In the network's thread. Throws
  /// PeerLost and CorruptFrame.
  asio::awaitable<void> serve(Link link, std::function<void()> here);
  /// Sends Stop to the process. In the network's thread.
  asio::awaitable<void> stop();
  void wake() noexcept { waiting_.wake(); }
  /// Closes the connection; no process answers any more. In the network's thread.
  void close() noexcept;

 private:
  asio::awaitable<void> send(Frame frame);
  void receive(const Frame& frame, MicroBatch& batch, const std::string& peer);

  boost::asio::any_io_executor executor_;
  FirstFailure& run_;
  const compiler::Plan& plan_;
  GetBatch here_;
  Position position_;
  std::shared_ptr<Link> link_;         // used by the network's thread only, as queue_; null: none is connected
  std::shared_ptr<FrameQueue> queue_;  // to that process
  bool stopped_ = false;               // a process that connects now is sent Stop
  CancellableWait waiting_;            // its mutex guards all below
  bool there_ = false;
  std::uint64_t times_ = 0;  // number of processes that have connected
  bool pending_ = false;     // a request is unanswered
  BatchRequest request_;
  std::optional<MicroBatch> answer_;
};

}  // namespace weft::swarmx
