/// LRU lists of pages, linked by page numbers: no allocation after construction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft {

/// Several lists; a page is in at most one of them.
class PieceLists {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  PieceLists(std::size_t pieces, std::size_t lists) : links_(pieces), ends_(lists) {}

  /// The least recently added page of the list; kNone: the list is empty.
  std::uint32_t first(std::size_t list) const { return ends_[list].first; }
  std::size_t size(std::size_t list) const { return ends_[list].size; }

  void push_back(std::size_t list, std::uint32_t piece) {
    Ends& ends = ends_[list];
    links_[piece] = {ends.last, kNone, static_cast<std::uint32_t>(list)};
    (ends.last == kNone ? ends.first : links_[ends.last].next) = piece;
    ends.last = piece;
    ++ends.size;
  }
  /// Removes the page from the list that contains it, if any.
  void remove(std::uint32_t piece) {
    const Link link = links_[piece];
    if (link.list == kNone) return;
    Ends& ends = ends_[link.list];
    (link.before == kNone ? ends.first : links_[link.before].next) = link.next;
    (link.next == kNone ? ends.last : links_[link.next].before) = link.before;
    links_[piece] = {};
    --ends.size;
  }

 private:
  struct Link {
    std::uint32_t before = kNone, next = kNone, list = kNone;
  };
  struct Ends {
    std::uint32_t first = kNone, last = kNone;
    std::size_t size = 0;
  };
  std::vector<Link> links_;  // [page]
  std::vector<Ends> ends_;   // [list]
};

}  // namespace weft
