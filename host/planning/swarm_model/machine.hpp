/// The machines of a simulated swarm, and its job.
#pragma once

#include "host/planning/swarm_model/work.hpp"

namespace weft::planning::swarm_model {

/// Seconds of processor time, per byte of a frame unless a comment names another unit. In brackets: the thread.
struct Costs {
  double make = 0;    ///< [stream] the first pass of a step: parameters become frames
  double again = 0;   ///< [stream] every pass: frames are sent
  double send = 0;    ///< [a node's network] to each child
  double take = 0;    ///< [a member's network] from its parent, and on to its wafer or, in a node, to its children
  double decode = 0;  ///< [wafer] per message that is made of frames
  double encode = 0;  ///< [wafer] what is sent up
  double pass = 0;    ///< [a member's network] up to its parent
  double add = 0;     ///< [a node's network] what a child sends up, into a sum; at the root into that of MemoryX
  double update = 0;  ///< [MemoryX] per parameter
};

struct Machine {
  double cores = 1;           ///< per host
  double slice = 1.4e-3;      ///< seconds a thread keeps a processor while others wait: Linux's base slice for 2 cores
  bool shared = false;        ///< one host has all processes; else each has its own
  int fanout = 4;             ///< maximum children of a node; all members that are not wafers are nodes
  double bandwidth = 1e10;    ///< bytes per second, of each link in each direction
  double latency = 1e-6;      ///< seconds per hop, and until the end of an op on a wafer is seen
  double piece = kFrameDown;  ///< maximum bytes that are sent together
  int window = 32;            ///< maximum pieces in flight to a child, including those that wait there
  bool settles = false;       ///< a step ends with its update; else the next begins, and each op waits for its own
  Costs costs;
};

struct Job {
  int wafers = 1, micro_batches = 1;
  int steps = 2;  ///< without a first one, which does not count
};

}  // namespace weft::planning::swarm_model
