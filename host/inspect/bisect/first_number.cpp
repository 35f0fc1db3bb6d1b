#include "host/inspect/bisect/first_number.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "host/inspect/bisect/describe.hpp"
#include "verif/trace/words.hpp"

namespace weft::inspect::bisect {
namespace {

bool first_digits(const std::string& a, const std::string& b, const Tensor& tensor, const std::string& what,
                  Finding& finding) {
  for (std::size_t at = 0; at + 8 <= std::min(a.size(), b.size()); at += 8) {
    if (a.compare(at, 8, b, at, 8) == 0) continue;
    const auto value = [at](const std::string& digits) {
      const std::string one = digits.substr(at, 8);
      return fmt::format("{} {}", one, trace::decimal_fp32(static_cast<std::uint32_t>(std::stoul(one, nullptr, 16))));
    };
    finding.place = what + element_name(tensor.name, tensor.dims, at / 8);
    finding.a = value(a);
    finding.b = value(b);
    return true;
  }
  return false;
}

}  // namespace

bool first_message(const std::vector<std::string>& a, const std::vector<std::string>& b, Finding& finding) {
  if (a == b) return false;
  const auto n = static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  finding.place = fmt::format("message {}", n);
  finding.a = n < a.size() ? a[n] : "nothing";
  finding.b = n < b.size() ? b[n] : "nothing";
  return true;
}

bool first_number(const State& a, const State& b, Finding& finding) {
  for (std::size_t t = 0; t < std::max(a.tensors.size(), b.tensors.size()); ++t) {
    const auto name = [t](const State& s) { return t < s.tensors.size() ? s.tensors[t].name : "nothing"; };
    if (name(a) != name(b) || a.tensors[t].dims != b.tensors[t].dims) {
      finding.place = fmt::format("tensor {}", t);
      finding.a = name(a);
      finding.b = name(b);
      return true;
    }
  }
  for (std::size_t t = 0; t < a.tensors.size(); ++t)
    if (first_digits(a.tensors[t].weights, b.tensors[t].weights, a.tensors[t], "", finding)) return true;
  for (std::size_t t = 0; t < a.tensors.size(); ++t) {
    const Tensor &x = a.tensors[t], &y = b.tensors[t];
    if (first_digits(x.first_moments, y.first_moments, x, "first moment of ", finding) ||
        first_digits(x.second_moments, y.second_moments, x, "second moment of ", finding))
      return true;
  }
  return false;
}

}  // namespace weft::inspect::bisect
