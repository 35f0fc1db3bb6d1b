#include "verif/random/shrink.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace weft::random {

namespace {

void drop(Line& line) {
  line.word = kNop;
  line.target = Line::kNone;
  line.unit = kFrame;
  line.alone = false;
}

Case without(const Case& c, const std::set<int>& units) {
  Case less = c;
  std::erase_if(less.items, [&](const Item& item) { return units.contains(item.unit); });
  for (Program& p : less.programs)
    for (Line& line : p)
      if (units.contains(line.unit)) drop(line);
  return less;
}

/// Lines that can be left out alone.
std::vector<std::pair<std::size_t, std::size_t>> singles(const Case& c) {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  for (std::size_t p = 0; p < c.programs.size(); ++p)
    for (std::size_t i = 0; i < c.programs[p].size(); ++i)
      if (c.programs[p][i].alone) found.emplace_back(p, i);
  return found;
}

/// Leaves out as many of `parts` as possible: halves, quarters, ..., single parts. `without_some(case, out)` is the
/// case without the parts in `out`.
template <class Part, class Without>
void reduce(Case& c, std::vector<Part> parts, const Without& without_some,
            const std::function<bool(const Case&)>& fails) {
  for (std::size_t size = (parts.size() + 1) / 2; size > 0; size = size == 1 ? 0 : (size + 1) / 2)
    for (std::size_t first = 0; first < parts.size();) {
      const auto begin = parts.begin() + static_cast<std::ptrdiff_t>(first);
      const auto end = begin + static_cast<std::ptrdiff_t>(std::min(size, parts.size() - first));
      Case less = without_some(c, std::vector<Part>(begin, end));
      if (fails(less)) {
        c = std::move(less);
        parts.erase(begin, end);
      } else {
        first += size;
      }
    }
}

}  // namespace

Case shrink(const Case& from, const std::function<bool(const Case&)>& fails) {
  Case c = from;
  std::set<int> units;
  for (const Program& p : c.programs)
    for (const Line& line : p) units.insert(line.unit);
  for (const Item& item : c.items) units.insert(item.unit);
  units.erase(kFrame);
  reduce(
      c, std::vector<int>(units.rbegin(), units.rend()),
      [](const Case& whole, const std::vector<int>& some) {
        return without(whole, {some.begin(), some.end()});
      },
      fails);
  reduce(
      c, singles(c),
      [](const Case& whole, const std::vector<std::pair<std::size_t, std::size_t>>& some) {
        Case less = whole;
        for (const auto& [p, i] : some) drop(less.programs[p][i]);
        return less;
      },
      fails);
  std::vector<std::size_t> messages;  // last message first, so that those before it keep their positions
  for (std::size_t i = c.items.size(); i-- > 0;)
    if (c.items[i].unit != kFrame) messages.push_back(i);
  reduce(
      c, messages,
      [](const Case& whole, const std::vector<std::size_t>& some) {
        Case less = whole;
        for (const std::size_t i : some) less.items[i].gone = true;
        return less;
      },
      fails);
  std::erase_if(c.items, [](const Item& item) { return item.gone; });
  return c;
}

}  // namespace weft::random
