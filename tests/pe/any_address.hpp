/// The kind of tile that a module is from, and its lanes.
#pragma once

namespace weft::test {

inline constexpr unsigned kModuleLanes = 4;  // the modules' default
#ifdef WEFT_ANY_ADDRESS
inline constexpr bool kAnyAddress = true;  // vectors begin at any element (docs/reference/general_tile.md)
#else
inline constexpr bool kAnyAddress = false;
#endif

}  // namespace weft::test
