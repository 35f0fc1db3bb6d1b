/// State that all parts of a simulated swarm share, and the interface of a node's children.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "host/planning/swarm_model/clock.hpp"
#include "host/planning/swarm_model/machine.hpp"
#include "host/planning/swarm_model/work.hpp"

namespace weft::planning::swarm_model {

/// A pass in pieces: what is sent down, and the buckets that are sent up for it.
struct Pieces {
  struct Piece {
    std::size_t op = 0;
    double bytes = 0;
    double messages = 0;
    bool last = false;  ///< last piece of its op
  };
  std::vector<Piece> down;         ///< followed by the end of the pass, which has no bytes
  std::vector<double> buckets;     ///< bytes of each; the last is the stats
  std::vector<std::size_t> first;  ///< [op] its first bucket; [ops]: the last bucket of all

  Pieces(const Work& work, double most) {
    for (std::size_t op = 0; op < work.size(); ++op) {
      const double pieces = std::max(1.0, std::ceil(work[op].down / most));
      for (double k = 1; k <= pieces; ++k)
        down.push_back({op, work[op].down / pieces, work[op].messages / pieces, k == pieces});
      first.push_back(buckets.size());
      const double parts = std::ceil(work[op].up / std::max(most, kFrameUp));
      for (double k = 0; k < parts; ++k) buckets.push_back(work[op].up / parts);
    }
    first.push_back(buckets.size());
    buckets.push_back(0);
  }
  double bytes(std::size_t piece) const { return piece < down.size() ? down[piece].bytes : 0; }
  double messages(std::size_t piece) const { return piece < down.size() ? down[piece].messages : 0; }
};

struct Common {
  Clock clock;
  const Work& work;
  const Machine& machine;
  Job job;
  Pieces pieces;

  Common(const Work& the_work, const Machine& the_machine, const Job& the_job)
      : work(the_work), machine(the_machine), job(the_job), pieces(the_work, the_machine.piece) {}

  /// Bytes that a wafer sends up per byte of a gradient.
  double wide_of_wafers() const { return total(work).sum ? kSumBytes / kValueBytes : 1; }
  /// Number of passes in a step. Passes are numbered over all steps.
  int passes_of_step() const { return (job.micro_batches + job.wafers - 1) / job.wafers; }
  /// Number of wafers with a micro-batch in the pass, which are wafers 0, 1, ...
  int at_work(int pass) const { return std::min(job.wafers, job.micro_batches - pass % passes_of_step() * job.wafers); }
};

struct Piece {
  int pass = 0;
  std::uint32_t number = 0;  ///< index into Pieces::down; its size: the end of the pass
};

class Child {
 public:
  /// `wide`: bytes it sends up per byte of a wafer's gradient.
  Child(int first, double wide) : first_(first), wide_(wide) {}
  virtual ~Child() = default;
  /// Takes a piece that has arrived at its host.
  virtual void receive(Piece piece) = 0;

  int first() const { return first_; }
  double wide() const { return wide_; }
  std::function<void()> room;                            ///< called when a waiting piece was taken: another may be sent
  std::function<void(int pass, std::size_t bucket)> up;  ///< sends a bucket to the parent

 private:
  int first_;
  double wide_;
};

}  // namespace weft::planning::swarm_model
