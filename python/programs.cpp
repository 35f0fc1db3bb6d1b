#include "programs.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <memory>
#include <utility>

#include "calls.hpp"
#include "weft/debugger.hpp"
#include "weft/error.hpp"
#include "weft/wafer.hpp"

namespace nb = nanobind;

namespace weft_python {
namespace {

using Pair = std::pair<int, int>;
using Pairs = std::vector<Pair>;

template <class Element>
using InOrder = nb::ndarray<const Element, nb::c_contig, nb::device::cpu>;

weft::Region region_of(const std::vector<int>& r) { return {r.at(0), r.at(1), r.at(2), r.at(3)}; }

/// `kind`: a function of weft::Way; `tiles`: its arguments.
weft::Way way_of(const std::string& kind, const Pairs& tiles) {
  if (kind == "shift") return weft::Way::shift(tiles.at(0).first, tiles.at(0).second);
  if (kind == "reduce") return weft::Way::reduce(tiles.at(0).first, tiles.at(0).second);
  if (kind == "broadcast") {
    const auto [row, col] = tiles.at(0);
    if (row < 0) return weft::Way::broadcast_along_rows(col);
    if (col < 0) return weft::Way::broadcast_along_columns(row);
    return weft::Way::broadcast({row, col});
  }
  if (kind == "gather") return weft::Way::gather();
  std::vector<weft::Tile> path;
  for (const auto& [row, col] : tiles) path.push_back({row, col});
  return weft::Way::path(std::move(path));
}

/// An array of that shape that owns `values`.
template <class Value>
nb::object to_array(std::vector<Value>&& values, const std::vector<std::size_t>& shape) {
  auto* const kept = new std::vector<Value>(std::move(values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<Value>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, Value>(kept->data(), shape.size(), shape.data(), owner));
}

nb::dict dict_of(const weft::Work& work) {
  nb::dict dict;
  dict["cycles"] = work.cycles;
  dict["beats"] = work.beats;
  dict["multiply_adds"] = work.multiply_adds;
  dict["messages"] = work.messages;
  return dict;
}

class OwnWafer {
 public:
  explicit OwnWafer(const weft::WaferSettings& settings) {
    wafer_ = without_gil([&] { return std::make_unique<weft::Wafer>(settings); });
  }

  weft::Wafer* operator->() const { return wafer_.get(); }

  /// Calls `work` without the GIL. Signals and `progress` end it with the exception that they raise.
  template <class Work>
  auto observed(const Work& work) {
    // Owned by the observer, which a call in another thread may replace.
    const auto interrupts = std::make_shared<Interrupts>();
    wafer_->observe(
        [this, interrupts, check = interrupts->check(), last = Clock::now()](const weft::Progress& p) mutable {
          if (check()) return true;
          if (!reports_ || Clock::now() - last < kBetweenReports) return false;
          last = Clock::now();
          return interrupts->call([&] { progress_(p.what, p.done, p.all); });
        });
    try {
      auto result = [&] {
        const nb::gil_scoped_release released;
        return work();
      }();
      interrupts->raise();
      return result;
    } catch (const weft::Error&) {
      interrupts->raise();
      throw;
    }
  }

  void progress(nb::object callable) {
    reports_ = !callable.is_none();
    progress_ = std::move(callable);
  }

  // For Python's garbage collector: a function of progress may refer to the wafer.
  static int traverse(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    if (nb::inst_ready(self)) Py_VISIT(nb::inst_ptr<OwnWafer>(self)->progress_.ptr());
    return 0;
  }
  static int clear(PyObject* self) {
    nb::inst_ptr<OwnWafer>(self)->progress_.reset();
    return 0;
  }

  void load(const weft::Layout& layout, bool check) {
    observed([&] {
      wafer_->load(layout, check);
      return 0;
    });
  }

  weft::ArrayShape shape(const std::string& name) const {
    auto arrays = wafer_->arrays();
    const auto found = arrays.find(name);
    if (found == arrays.end()) wafer_->floats(name);  // throws
    return found->second;
  }

  template <class Value>
  void set(const std::string& name, const InOrder<Value>& values) {
    const std::span<const Value> span(values.data(), values.size());
    observed([&] {
      wafer_->set(name, span);
      return 0;
    });
  }

  nb::object get(const std::string& name) {
    const weft::ArrayShape s = shape(name);
    const std::vector<std::size_t> sizes = {static_cast<std::size_t>(s.rows), static_cast<std::size_t>(s.cols),
                                            static_cast<std::size_t>(s.count)};
    if (s.type == "int16") return to_array(observed([&] { return wafer_->integers(name); }), sizes);
    return to_array(observed([&] { return wafer_->floats(name); }), sizes);
  }

  template <class Value>
  void get_into(const std::string& name, const nb::ndarray<Value, nb::c_contig, nb::device::cpu>& values) {
    const std::span<Value> span(values.data(), values.size());
    observed([&] {
      wafer_->get(name, span);
      return 0;
    });
  }

  nb::dict run(const std::string& kernel, const weft::Arguments& arguments, bool check, bool remember) {
    const std::optional<weft::Work> work = observed([&] {
      return wafer_->run(kernel, arguments, {check, {}, remember});
    });
    return dict_of(work.value());  // observed() has raised if the run was interrupted
  }

  std::string first_difference() {
    return observed([&] { return wafer_->first_difference(); });
  }

  nb::dict stalls(std::size_t rows, std::size_t cols) const {
    nb::dict dict;
    for (auto& [name, cycles] : wafer_->stalls())
      dict[name.c_str()] = to_array(std::vector<std::uint64_t>(cycles), {rows, cols});
    return dict;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr auto kBetweenReports = std::chrono::milliseconds(100);

  std::unique_ptr<weft::Wafer> wafer_;
  nb::object progress_;
  bool reports_ = false;  // progress_ is no None, readable without the GIL
};

}  // namespace

void add_programs(nb::module_& module) {
  nb::class_<weft::Layout> layout(module, "Layout");
  layout.def(nb::init<>())
      .def("program", [](weft::Layout& to, const std::string& file, const weft::Parameters& parameters,
                         const std::vector<int>& region) { to.program(file, parameters, region_of(region)); })
      .def("program_text",
           [](weft::Layout& to, const std::string& text, const std::string& name, const weft::Parameters& parameters,
              const std::vector<int>& region) { to.program_text(text, name, parameters, region_of(region)); })
      .def(
          "stream",
          [](weft::Layout& to, const std::string& name, const std::string& kind, const Pairs& tiles,
             std::optional<int> color,
             const std::vector<int>& region) { to.stream(name, way_of(kind, tiles), color, region_of(region)); },
          nb::arg("name"), nb::arg("kind"), nb::arg("tiles"), nb::arg("color").none(), nb::arg("region"));
  layout.def("collective", [](weft::Layout& to, const std::string& name, int kind, const std::string& array,
                              const std::string& other, int along, const Pair& root, const std::vector<int>& region) {
    to.collective(name,
                  {static_cast<weft::Collective::Kind>(kind),
                   array,
                   other,
                   static_cast<weft::Collective::Along>(along),
                   {root.first, root.second}},
                  region_of(region));
  });
  nb::class_<weft::Debugger>(module, "Debugger")
      .def("command",
           [](weft::Debugger& debugger, const std::string& line) {
             return interruptible([&](const weft::Interrupted& check) { return debugger.command(line, check); });
           })
      .def("prompt", &weft::Debugger::prompt)
      .def("over", &weft::Debugger::over)
      .def("failed", &weft::Debugger::failed);
  static PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(&OwnWafer::traverse)},
                                {Py_tp_clear, reinterpret_cast<void*>(&OwnWafer::clear)},
                                {0, nullptr}};
  nb::class_<OwnWafer>(module, "Wafer", nb::type_slots(slots))
      .def("__init__",
           [](OwnWafer* place, int rows, int cols, const std::string& backend, int lanes, int sram_kib, int threads,
              int baud, bool inspect, bool general) {
             new (place) OwnWafer({rows, cols, backend, lanes, sram_kib, threads, baud, inspect, general});
           })
      .def("load", &OwnWafer::load)
      .def("progress", &OwnWafer::progress, nb::arg("callable").none())
      .def("shape",
           [](const OwnWafer& wafer, const std::string& name) {
             const weft::ArrayShape s = wafer.shape(name);
             return nb::make_tuple(s.rows, s.cols, s.count, s.type);
           })
      .def("arrays",
           [](const OwnWafer& wafer) {
             std::vector<std::string> names;
             for (const auto& [name, shape] : wafer->arrays()) names.push_back(name);
             return names;
           })
      .def("set_floats", [](OwnWafer& wafer, const std::string& name,
                            const InOrder<float>& values) { wafer.set<float>(name, values); })
      .def("set_integers", [](OwnWafer& wafer, const std::string& name,
                              const InOrder<std::int16_t>& values) { wafer.set<std::int16_t>(name, values); })
      .def("get", &OwnWafer::get)
      .def("get_floats", &OwnWafer::get_into<float>)
      .def("get_integers", &OwnWafer::get_into<std::int16_t>)
      .def("stalls", &OwnWafer::stalls)
      .def("waves", [](const OwnWafer& wafer, const std::string& file, const std::string& tiles,
                       const std::string& cycles) { wafer->waves(file, tiles, cycles); })
      .def("profile", [](const OwnWafer& wafer) { return wafer->profile(); })
      .def("save_profile", [](const OwnWafer& wafer, const std::string& file) { wafer->save_profile(file); })
      .def("run", &OwnWafer::run)
      .def("first_difference", &OwnWafer::first_difference)
      .def("debug", [](const OwnWafer& wafer, const std::string& kernel,
                       const weft::Arguments& arguments) { return wafer->debug(kernel, arguments); })
      .def("words",
           [](const OwnWafer& wafer, int row) {
             std::vector<std::uint32_t> words = wafer->words(row);
             const std::size_t count = words.size();
             return to_array(std::move(words), {count});
           })
      .def("tile_beats",
           [](const OwnWafer& wafer, std::size_t rows, std::size_t cols) {
             return to_array(wafer->tile_beats(), {rows, cols});
           })
      .def("work", [](const OwnWafer& wafer) { return dict_of(wafer->work()); });
  module.def("bf16_bits", &weft::bf16_bits);
}

}  // namespace weft_python
