/// The sizes of GPT-3 on one wafer, as compile_only sees them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/swarmx/model/work.hpp"
#include "sw/compiler/plan.hpp"

namespace weft::bench {

struct Gpt3Size {
  std::string name;
  ModelShape model;
  double batch = 0;  ///< tokens
};

/// The eight of table 2.1 of Brown et al. 2020 (arXiv:2005.14165), in GPT-2's form: 2,048 tokens, 50,257 of them in the
/// vocabulary, a filter of 4 x hidden, blocks computed again. 24 heads of 128 (XL) do not make 2,048 features, and 40
/// not 5,140 (13B): they are taken as 16 heads, and as 5,120 features. Batches are the table's.
std::vector<Gpt3Size> gpt3_sizes();

/// A size, on as few columns a sequence as fit, each with a sequence or its part.
struct Gpt3Line {
  std::string name;
  ModelShape model;
  WaferShape wafer;
  std::uint64_t parameters = 0;
  std::string misfit;  ///< empty: it fits
  int layers =
      0;  ///< of the plan the cycles are of: if the model does not fit with all of them, those of two are multiplied
  double cycles = 0;              ///< of a micro-batch; 0: not even two layers fit
  double sent = 0, returned = 0;  ///< messages, words
  std::string bound;
  swarm_model::Work work;  ///< of a micro-batch, a cycle taken for a second; none if it does not fit
  double batch = 0;        ///< tokens
};

Gpt3Line gpt3_line(const Gpt3Size& size, const WaferShape& mesh);

/// Cycles a second of the wafer that the text tells of.
double clock_of_the_text();

/// Markdown.
std::string gpt3_table(const std::vector<Gpt3Line>& lines);

/// The wafer of the text that Weft is built after, which has 850,000 cores.
WaferShape wafer_of_the_text();
/// What so many of Weft's tiles would have, beside what the text says, and what `line` would make of them; Markdown.
std::string projection_table(const WaferShape& wafer, const Gpt3Line& line);

}  // namespace weft::bench
