#include "host/cli/plot/curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "host/checkpoint/error.hpp"
#include "host/checkpoint/file.hpp"
#include "host/metrics/metrics.hpp"

namespace weft::cli {
namespace {

constexpr auto kHint = "name the folder of a run, or its metrics.jsonl: weft plot DIR";

std::string file_of(const std::string& path) {
  std::error_code error;
  const bool folder = std::filesystem::is_directory(path, error);
  const std::string file = folder ? (std::filesystem::path(path) / "metrics.jsonl").string() : path;
  if (!std::filesystem::exists(file, error))
    throw Refusal(file, folder ? "does not exist: no run has trained in this folder" : "does not exist", kHint);
  return file;
}

std::optional<metrics::StepMetrics> metrics_in(std::string_view line) {
  try {
    return metrics::parse_metrics(line);
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace

std::vector<Curve> read_curves(const std::string& path) {
  const std::string file = file_of(path);
  const std::vector<std::uint8_t> bytes = checkpoint::read_file(file);
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  Curve train{"train loss", {}}, eval{"eval loss", {}};
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const auto metrics = metrics_in(text.substr(0, end));
    if (!metrics && end == std::string_view::npos) break;
    if (!metrics) throw Refusal(fmt::format("{}:{}", file, number), "does not record a training step", kHint);
    const auto step = static_cast<double>(metrics->step);
    if (std::isfinite(metrics->loss)) train.points.emplace_back(step, metrics->loss);
    if (metrics->eval_loss && std::isfinite(*metrics->eval_loss)) eval.points.emplace_back(step, *metrics->eval_loss);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  if (train.points.empty()) throw Refusal(file, "has no step with a loss", "plot it after the run's first step");
  std::vector<Curve> curves = {std::move(train)};
  if (!eval.points.empty()) curves.push_back(std::move(eval));
  return curves;
}

Curve thinned(const Curve& curve, std::size_t most) {
  const std::size_t each = (curve.points.size() + most - 1) / most;
  if (each <= 1) return curve;
  Curve result{curve.name, {}};
  for (std::size_t n = 0; n < curve.points.size(); n += each) {
    const std::size_t end = std::min(n + each, curve.points.size());
    double step = 0, loss = 0;
    for (std::size_t k = n; k < end; ++k) step += curve.points[k].first, loss += curve.points[k].second;
    const auto count = static_cast<double>(end - n);
    result.points.emplace_back(step / count, loss / count);
  }
  return result;
}

Range range_of(const std::vector<Curve>& curves) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Range range{kInfinity, -kInfinity, kInfinity, -kInfinity};
  for (const Curve& curve : curves) {
    for (const auto& [step, loss] : curve.points) {
      range.left = std::min(range.left, step), range.right = std::max(range.right, step);
      range.bottom = std::min(range.bottom, loss), range.top = std::max(range.top, loss);
    }
  }
  if (range.width() <= 0) range.left -= 0.5, range.right += 0.5;
  if (range.height() <= 0) range.bottom -= 0.5, range.top += 0.5;
  return range;
}

std::vector<double> ticks(double from, double to, int count) {
  const double exact = (to - from) / count;
  double power = 1;  // power of ten, at most `exact`
  while (power * 10 <= exact) power *= 10;
  while (power > exact) power /= 10;
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0})
    if (factor * power >= exact) step = factor * power;
  std::vector<double> result;
  for (double n = std::ceil(from / step); n * step <= to; ++n) result.push_back(n * step);
  return result;
}

}  // namespace weft::cli
