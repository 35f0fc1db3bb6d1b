/// Where the root gets the tokens of training micro-batches: from a process that reads the data, while there is one.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "host/swarmx/batch.hpp"
#include "host/swarmx/frame_queue.hpp"
#include "host/swarmx/link.hpp"
#include "host/swarmx/waiting.hpp"
#include "sw/base/failure.hpp"

namespace weft {

class DataSource {
 public:
  using Position = std::function<std::uint64_t(std::uint64_t step)>;
  /// `here`: asked for what no other process answers. `position`: that of SwarmOptions. `plan` and `run` must outlive
  /// the executor; `run`'s `wake` must call `wake` of this object.
  DataSource(boost::asio::any_io_executor executor, FirstFailure& run, const Plan& plan, GetBatch here,
             Position position);

  /// As GetBatch, in the streaming thread. If the other process is lost meanwhile, the answer is from here: the same.
  MicroBatch get(const BatchRequest& request);

  /// A process that answers; until it is lost. Calls `here` when it is asked from now on. One that was there before is
  /// told why it is not any more, as is one that breaks the rules. In the network's thread. Throws PeerLost and
  /// CorruptFrame.
  asio::awaitable<void> serve(Link link, std::function<void()> here);
  /// Tells it that the run is over. In the network's thread.
  asio::awaitable<void> stop();
  void wake() noexcept { waiting_.wake(); }
  /// In the network's thread: no process answers any more.
  void close() noexcept;

 private:
  asio::awaitable<void> send(Frame frame);
  void take(const Frame& frame, MicroBatch& batch, const std::string& peer);

  boost::asio::any_io_executor executor_;
  FirstFailure& run_;
  const Plan& plan_;
  GetBatch here_;
  Position position_;
  std::shared_ptr<Link> link_;         // of the network's thread, as the next; null: nobody
  std::shared_ptr<FrameQueue> queue_;  // to it
  bool stopped_ = false;               // who comes now is told that the run is over
  Waiting waiting_;                    // its mutex guards all below
  bool there_ = false;
  std::uint64_t times_ = 0;  // somebody came
  bool asked_ = false;       // and not answered
  BatchRequest request_;
  std::optional<MicroBatch> answer_;
};

}  // namespace weft
