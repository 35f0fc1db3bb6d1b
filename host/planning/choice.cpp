#include "host/planning/choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft::planning {

std::string text_of(const Choice& choice) {
  std::string text;
  for (std::size_t i = 0; i < choice.keys.size(); ++i)
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", choice.keys[i], choice.best.values[i]);
  if (choice.compared == 0) return text;
  text += fmt::format(": {:.4g} cycles {}; ", choice.best.cycles, choice.measure);
  if (!choice.next) return text + "nothing else fits";
  return text + fmt::format("next best {}: {:.3f} times", fmt::join(choice.next->values, ", "), choice.ratio());
}

}  // namespace weft::planning
