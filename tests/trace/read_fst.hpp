/// An FST file read back, by GTKWave's library.
#pragma once

#include <gtkwave/fstapi.h>

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace weft {

struct FstContent {
  /// By full name, "tile_2_1.west.in_W": time and value, a character a bit, or a text.
  std::map<std::string, std::vector<std::pair<std::uint64_t, std::string>>> signals;

  /// The values that are there (no z, not empty), in order.
  std::vector<std::string> values(const std::string& name) const {
    std::vector<std::string> list;
    for (const auto& [time, value] : signals.at(name))
      if (!value.empty() &&
          !(value.find_first_not_of("01zx") == std::string::npos && value.find_first_of("zx") != std::string::npos))
        list.push_back(value);
    return list;
  }
};

inline FstContent read_fst(const std::string& path) {
  void* reader = fstReaderOpen(path.c_str());
  if (reader == nullptr) throw std::runtime_error(path + " is no FST file");
  FstContent content;
  std::vector<std::string> names;
  std::string scope;
  while (fstHier* h = fstReaderIterateHier(reader)) {
    if (h->htyp == FST_HT_SCOPE) scope += std::string(h->u.scope.name) + ".";
    if (h->htyp == FST_HT_UPSCOPE) scope.erase(scope.rfind('.', scope.size() - 2) + 1);
    if (h->htyp != FST_HT_VAR) continue;
    std::string name = h->u.var.name;
    name = scope + name.substr(0, name.find(' '));
    names.resize(std::max<std::size_t>(names.size(), h->u.var.handle + 1));
    names[h->u.var.handle] = name;
    content.signals[name];
  }
  struct Target {
    FstContent& content;
    std::vector<std::string>& names;
  } target{content, names};
  const auto put = [](void* user, std::uint64_t time, fstHandle handle, const unsigned char* value,
                      std::uint32_t size) {
    auto& [out, known] = *static_cast<Target*>(user);
    out.signals[known[handle]].emplace_back(time, std::string(reinterpret_cast<const char*>(value), size));
  };
  fstReaderSetFacProcessMaskAll(reader);
  fstReaderIterBlocks2(
      reader,
      [](void* user, std::uint64_t time, fstHandle handle, const unsigned char* value) {
        auto& [out, known] = *static_cast<Target*>(user);
        out.signals[known[handle]].emplace_back(time, reinterpret_cast<const char*>(value));
      },
      put, &target, nullptr);
  fstReaderClose(reader);
  return content;
}

}  // namespace weft
