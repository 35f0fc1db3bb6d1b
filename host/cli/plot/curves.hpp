/// Loss curves of a run, read from its metrics.jsonl.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace weft::cli {

struct Curve {
  std::string name;                               ///< "train loss", "eval loss"
  std::vector<std::pair<double, double>> points;  ///< step and loss, in order; finite
};

/// The curves of a run folder or a metrics.jsonl: of training, and of evaluation if the run has any. A last line that
/// is being written is left out. Throws Refusal if there is no such file, or it is damaged, or has no step.
std::vector<Curve> read_curves(const std::string& path);

/// At most `most` points: means over equal numbers of neighbours.
Curve thinned(const Curve& curve, std::size_t most);

/// Range of all points.
struct Range {
  double left, right, bottom, top;

  double width() const { return right - left; }
  double height() const { return top - bottom; }
};
/// Neither side is empty, even for one point.
Range range_of(const std::vector<Curve>& curves);

/// Numbers at which an axis is marked: multiples of 1, 2 or 5 times a power of ten, about `count` of them.
std::vector<double> ticks(double from, double to, int count);

}  // namespace weft::cli
