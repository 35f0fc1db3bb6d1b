#include "sw/compiler/placement/spaces.hpp"

namespace weft::compiler {
namespace {

/// The features of a head in the order of their placement: both features of a rotated pair are neighbours there.
std::vector<int> order_in_head(const ModelShape& m) {
  if (m.rotary_dim == 0 || !m.rotary.has_halves()) return {};
  std::vector<int> order;
  for (int place = 0; place < m.head_size(); ++place) order.push_back(rotary_feature(m.rotary, place, m.rotary_dim));
  return order;
}

}  // namespace

Spaces::Spaces(const ModelShape& m, int rows, const Loads& loads)
    : hidden(Space::by_load(m.hidden, rows, loads.hidden)),
      filter(Space::by_load(m.filter, rows, loads.filter)),
      vocab(Space::by_load(m.vocab, rows, loads.vocab)),
      head(Space::heads(m.heads, m.hidden / m.heads, rows, loads.head, m.head_unit(), order_in_head(m))),
      position(Space::by_load(m.seq, rows, loads.position)),
      segment(Space::by_load(m.segments, rows, loads.segment)),
      classes(Space::by_load(m.classes, rows, loads.classes)) {}

const Space& Spaces::of(network::Role role) const {
  switch (role) {
    case network::Role::Hidden:
      return hidden;
    case network::Role::Filter:
      return filter;
    case network::Role::Vocab:
      return vocab;
    case network::Role::Head:
    case network::Role::KvHead:
      return head;
    case network::Role::Segment:
      return segment;
    case network::Role::Class:
      return classes;
    case network::Role::Position:
      break;
  }
  return position;
}

bool Spaces::same_slots(const Spaces& other) const {
  return hidden.slots() == other.hidden.slots() && filter.slots() == other.filter.slots() &&
         vocab.slots() == other.vocab.slots() && head.slots() == other.head.slots() &&
         position.slots() == other.position.slots() && segment.slots() == other.segment.slots() &&
         classes.slots() == other.classes.slots();
}

}  // namespace weft::compiler
