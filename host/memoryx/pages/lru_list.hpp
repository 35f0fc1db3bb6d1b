/// LRU lists of pages, linked by page numbers: no allocation after construction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft::memoryx {

/// Several lists; a page is in at most one of them.
class LruLists {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  LruLists(std::size_t pages, std::size_t lists) : links_(pages), ends_(lists) {}

  /// The least recently added page of the list; kNone: the list is empty.
  std::uint32_t first(std::size_t list) const { return ends_[list].first; }
  std::size_t size(std::size_t list) const { return ends_[list].size; }

  void push_back(std::size_t list, std::uint32_t page) {
    Ends& ends = ends_[list];
    links_[page] = {ends.last, kNone, static_cast<std::uint32_t>(list)};
    (ends.last == kNone ? ends.first : links_[ends.last].next) = page;
    ends.last = page;
    ++ends.size;
  }
  /// Removes the page from the list that contains it, if any.
  void remove(std::uint32_t page) {
    const Link link = links_[page];
    if (link.list == kNone) return;
    Ends& ends = ends_[link.list];
    (link.before == kNone ? ends.first : links_[link.before].next) = link.next;
    (link.next == kNone ? ends.last : links_[link.next].before) = link.before;
    links_[page] = {};
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

}  // namespace weft::memoryx
