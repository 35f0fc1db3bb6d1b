/// A visitor made of lambdas.
#pragma once

namespace weft::config {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

}  // namespace weft::config
