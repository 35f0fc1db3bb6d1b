#include "arrays.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace nb = nanobind;

namespace weft_python {
namespace {

/// An array that owns `values`, whose elements Python sees as `Element`s.
template <class Element, class Value>
nb::object to_array(std::vector<Value>&& values, const std::vector<std::uint64_t>& shape) {
  static_assert(sizeof(Element) == sizeof(Value));
  auto* const kept = new std::vector<Value>(std::move(values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<Value>*>(p); });
  const std::vector<std::size_t> sizes(shape.begin(), shape.end());
  return nb::cast(nb::ndarray<nb::numpy, Element>(kept->data(), sizes.size(), sizes.data(), owner));
}

template <class Element>
using InOrder = nb::ndarray<const Element, nb::c_contig, nb::device::cpu>;

}  // namespace

nb::tuple to_arrays(weft::Checkpoint&& checkpoint) {
  nb::list arrays;
  for (weft::Array& array : checkpoint.arrays)
    arrays.append(nb::make_tuple(array.name, array.is_mask ? to_array<bool>(std::move(array.mask), array.shape)
                                                           : to_array<float>(std::move(array.values), array.shape)));
  return nb::make_tuple(checkpoint.step, nb::cast(checkpoint.metadata), arrays);
}

nb::object to_array(std::vector<float>&& values) {
  const std::vector<std::uint64_t> shape = {values.size()};
  return to_array<float>(std::move(values), shape);
}

weft::Checkpoint from_arrays(std::uint64_t step, const std::map<std::string, std::string>& metadata,
                             const nb::list& arrays) {
  weft::Checkpoint checkpoint{.step = step, .metadata = metadata, .arrays = {}};
  for (const nb::handle entry : arrays) {
    weft::Array array{.name = nb::cast<std::string>(entry[0]), .shape = {}};
    const auto take = [&](const auto& given, auto& to) {
      for (std::size_t d = 0; d < given.ndim(); ++d) array.shape.push_back(given.shape(d));
      to.assign(given.data(), given.data() + given.size());
    };
    const nb::object given = entry[1];
    InOrder<bool> mask;
    if (nb::try_cast(given, mask, false)) {  // floats are not converted to bool
      array.is_mask = true;
      take(mask, array.mask);
    } else {
      take(nb::cast<InOrder<float>>(given), array.values);
    }
    checkpoint.arrays.push_back(std::move(array));
  }
  return checkpoint;
}

}  // namespace weft_python
