/// The module weft._weft: libweft as the files of python/weft use it. The GIL is released in every call of the library,
/// which therefore calls nothing of Python but `Interrupts`.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "arrays.hpp"
#include "batches.hpp"
#include "calls.hpp"
#include "programs.hpp"
#include "weft/weft.hpp"

namespace nb = nanobind;

namespace weft_python {
namespace {

using Settings = std::vector<std::pair<std::string, std::optional<std::string>>>;

std::vector<weft::Setting> settings_of(const Settings& given) {
  std::vector<weft::Setting> settings;
  for (const auto& [name, value] : given) settings.push_back({name, value});
  return settings;
}

/// Lines that a run printed, until Python takes them.
class Lines {
 public:
  weft::Log log() {
    return [this](const std::string& line) {
      const std::lock_guard lock(mutex_);
      lines_.push_back(line);
    };
  }
  std::vector<std::string> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(lines_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> lines_;
};

class Run {
 public:
  Run(const weft::Config& config, bool given) {
    const weft::Data data = given ? weft::Data::Given : weft::Data::Files;
    trainer_ = without_gil([&] { return std::make_unique<weft::Trainer>(config, lines_.log(), data); });
  }
  /// The trainer goes without the GIL, since it waits for its threads.
  ~Run() {
    const nb::gil_scoped_release released;
    trainer_.reset();
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  weft::Trainer* operator->() const { return trainer_.get(); }
  std::vector<std::string> take_lines() { return lines_.take(); }

 private:
  Lines lines_;
  std::unique_ptr<weft::Trainer> trainer_;
};

/// The wafers of weft::Gradients, with their messages.
class Passes {
 public:
  explicit Passes(const weft::Config& config) {
    gradients_ = without_gil([&] { return std::make_unique<weft::Gradients>(config, lines_.log()); });
  }
  /// The object goes without the GIL, since it waits for its threads.
  ~Passes() {
    const nb::gil_scoped_release released;
    gradients_.reset();
  }
  Passes(const Passes&) = delete;
  Passes& operator=(const Passes&) = delete;

  weft::Gradients* operator->() const { return gradients_.get(); }
  std::vector<std::string> take_lines() { return lines_.take(); }

 private:
  Lines lines_;
  std::unique_ptr<weft::Gradients> gradients_;
};

using Flat = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// (loss, tokens, gradient) of a batch.
nb::tuple compute(Passes& passes, const Flat& weights, const Ids& inputs, const Ids& labels, bool backward) {
  const weft::Batch batch = batch_of(inputs, labels);
  weft::LossAndGradient result = without_gil([&] {
    const std::span<const float> flat(weights.data(), weights.size());
    return backward ? passes->compute(flat, batch) : passes->loss(flat, batch);
  });
  return nb::make_tuple(result.loss, result.tokens, to_array(std::move(result.gradient)));
}

/// Raises weft.Error with the parts of the message.
void raise_error(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const weft::Error& e) {
    const nb::object type = nb::module_::import_("weft.errors").attr("Error");
    const nb::object error = type(e.what(), e.place(), e.subject(), e.problem(), e.hint(), e.exit_code());
    PyErr_SetObject(type.ptr(), error.ptr());
  }
}

void add_config(nb::module_& module) {
  nb::class_<weft::Config>(module, "Config")
      .def("__init__",
           [](weft::Config* place, const std::string& file, const Settings& settings) {
             new (place) weft::Config(without_gil([&] { return weft::Config(file, settings_of(settings)); }));
           })
      .def_static("from_text",
                  [](const std::string& text, const std::string& name, const Settings& settings) {
                    return without_gil([&] { return weft::Config::from_text(text, name, settings_of(settings)); });
                  })
      .def("with_settings",
           [](const weft::Config& config, const Settings& settings) {
             return without_gil([&] { return config.with(settings_of(settings)); });
           })
      .def("yaml", &weft::Config::yaml)
      .def("json", &weft::Config::json);
}

void add_run(nb::module_& module) {
  nb::class_<Run>(module, "Run")
      .def(nb::init<const weft::Config&, bool>(), nb::arg("config"), nb::arg("given") = false)
      .def("step", [](Run& run) { return without_gil([&] { return run->step(); }); })
      .def("step_on",
           [](Run& run, const Ids& inputs, const Ids& labels) {
             const weft::Batch batch = batch_of(inputs, labels);
             return without_gil([&] { return run->step(batch); });
           })
      .def("evaluate", [](Run& run) { return interruptible([&](const auto& check) { return run->evaluate(check); }); })
      .def("evaluate_on",
           [](Run& run, const Ids& inputs, const Ids& labels) {
             const weft::Batch batch = batch_of(inputs, labels);
             return interruptible([&](const auto& check) { return run->evaluate(batch, check); });
           })
      .def("continue_prompts",
           [](Run& run, const weft::Config& config) {
             return without_gil([&] { return run->continue_prompts(config); });
           })
      .def("state", [](Run& run) { return to_arrays(without_gil([&] { return run->state(); })); })
      .def("save", [](Run& run) { return without_gil([&] { return run->save(); }); })
      .def("close",
           [](Run& run) {
             without_gil([&] {
               run->close();
               return 0;
             });
           })
      .def("take_lines", [](Run& run) { return run.take_lines(); })
      .def("config", [](const Run& run) { return run->config(); })
      .def_prop_ro("is_open", [](const Run& run) { return run->is_open(); })
      .def_prop_ro("steps_done", [](const Run& run) { return run->steps_done(); })
      .def_prop_ro("max_steps", [](const Run& run) { return run->max_steps(); });
}

void add_passes(nb::module_& module) {
  nb::class_<Passes>(module, "Gradients")
      .def(nb::init<const weft::Config&>())
      .def("compute", [](Passes& passes, const Flat& weights, const Ids& inputs,
                         const Ids& labels) { return compute(passes, weights, inputs, labels, true); })
      .def("loss", [](Passes& passes, const Flat& weights, const Ids& inputs,
                      const Ids& labels) { return compute(passes, weights, inputs, labels, false); })
      .def("take_lines", [](Passes& passes) { return passes.take_lines(); })
      .def("config", [](const Passes& passes) { return passes->config(); });
}

}  // namespace
}  // namespace weft_python

NB_MODULE(_weft, module) {
  using namespace weft_python;
  nb::register_exception_translator(&raise_error);
  add_config(module);
  add_run(module);
  add_passes(module);
  add_programs(module);
  module.def("evaluate", [](const weft::Config& config) {
    Lines lines;
    std::string result = without_gil([&] { return weft::evaluate(config, lines.log()); });
    return std::pair(std::move(result), lines.take());
  });
  module.def("compile_only", [](const weft::Config& config) {
    Lines lines;
    std::string result = without_gil([&] { return weft::compile_only(config, lines.log()); });
    return std::pair(std::move(result), lines.take());
  });
  module.def("continue_prompts", [](const weft::Config& config) {
    Lines lines;
    auto texts = without_gil([&] { return weft::continue_prompts(config, lines.log()); });
    return std::pair(std::move(texts), lines.take());
  });
  module.def("load", [](const std::string& file) {
    return to_arrays(without_gil([&] { return weft::load_checkpoint(file); }));
  });
  module.def("save", [](const std::string& file, std::uint64_t step, const std::map<std::string, std::string>& metadata,
                        const nb::list& arrays) {
    const weft::Checkpoint checkpoint = from_arrays(step, metadata, arrays);
    without_gil([&] {
      weft::save_checkpoint(file, checkpoint);
      return 0;
    });
  });
  module.def("version", &weft::version);
}
