#include "host/programs/inspected.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <stdexcept>

#include "sw/base/refusal.hpp"
#include "verif/sim/clocked_wafer.hpp"

namespace weft::programs {
namespace {

using Make = Wafer* (*)(const machine::WaferShape*, int);

Make find() {
  Dl_info info{};
  std::error_code error;
  std::filesystem::path file = kInspectedLibrary;
  if (::dladdr(reinterpret_cast<const void*>(&find), &info) != 0 && info.dli_fname != nullptr)
    file = std::filesystem::canonical(info.dli_fname, error).parent_path() / file;
  // It stays loaded: its wafers and exceptions have their code there.
  void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const function = library != nullptr ? ::dlsym(library, kInspectedFunction) : nullptr;
  if (function == nullptr) {
    const char* const text = ::dlerror();
    throw Refusal("inspect", text != nullptr ? printable(text) : "cannot load " + file.string(),
                  "make build compiles it, next to libweft.so");
  }
  return reinterpret_cast<Make>(function);
}

bool counts(Wafer& wafer) {
  try {
    dynamic_cast<sim::ClockedWafer&>(wafer).log_stalls(nullptr);
    return true;
  } catch (const std::logic_error&) {
    return false;
  }
}

}  // namespace

std::unique_ptr<Wafer> make_inspected_wafer(const machine::WaferShape& shape, int threads) {
  auto own = make_rtl_wafer(shape, threads);
  if (counts(*own)) return own;
  static const Make make = find();
  return std::unique_ptr<Wafer>(make(&shape, threads));
}

}  // namespace weft::programs
