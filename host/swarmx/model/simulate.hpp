/// What a step takes on a swarm, by a simulation of discrete events: docs/scaling.md, A model of the swarm.
#pragma once

#include "host/swarmx/model/work.hpp"

namespace weft::swarm_model {

/// Seconds of a processor: a byte, of a frame that passes. In brackets whose thread.
struct Costs {
  double make = 0;    ///< [stream] the first round of a step: parameters become frames
  double again = 0;   ///< [stream] every round: frames that are kept are sent again
  double send = 0;    ///< [a node's network] to each child
  double take = 0;    ///< [a member's network] from its parent, and on to its wafer or, in a node, to its children
  double decode = 0;  ///< [wafer] a message, made of what came down
  double encode = 0;  ///< [wafer] what goes up
  double pass = 0;    ///< [a member's network] up to its parent
  double add = 0;     ///< [a node's network] what a child sends up, into a sum; at the root into MemoryX's
  double update = 0;  ///< [MemoryX] a parameter
};

struct Machine {
  double cores = 1;           ///< of a host
  double slice = 1.4e-3;      ///< seconds that a thread keeps a processor while others wait: Linux's base slice for two
  bool shared = false;        ///< one host has all processes; else each has its own
  int fanout = 4;             ///< children of a node at most; what is not a wafer is a node
  double bandwidth = 1e10;    ///< bytes a second, of each link in each direction
  double latency = 1e-6;      ///< seconds of a hop, and until a wafer's end of an op is seen
  double piece = kFrameDown;  ///< bytes that go on together, at most
  int window = 32;            ///< pieces on their way to a child at most, those that wait there included
  bool settles = false;       ///< a step ends when its update does; else the next begins, and each op waits for its own
  Costs costs;
};

struct Job {
  int wafers = 1, micro_batches = 1;
  int steps = 2;  ///< the first does not count
};

struct Outcome {
  double step = 0;       ///< seconds, the mean
  double processor = 0;  ///< seconds of all processors in a step
};

/// Each micro-batch of a step is for one wafer, in rounds of one each (docs/swarm.md, The root). Throws
/// std::invalid_argument for what there cannot be.
Outcome simulate(const Work& work, const Machine& machine, const Job& job);

/// The same for a step of any number of micro-batches: of many rounds those in the middle all take what one takes.
double step_seconds(const Work& work, const Machine& machine, int wafers, int micro_batches);

}  // namespace weft::swarm_model
