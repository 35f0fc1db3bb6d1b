/// The C ABI (include/weft/weft.h), over the C++ library.
#include <algorithm>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <utility>

#include "weft/error.hpp"
#include "weft/version.hpp"
#include "weft/wafer.hpp"
#include "weft/weft.h"

struct weft_layout {
  weft::Layout layout;
};

struct weft_wafer {
  explicit weft_wafer(const weft::WaferSettings& settings) : wafer(settings) {}

  weft::Wafer wafer;
  std::string type;  // of the array asked for last
};

struct weft_debugger {
  weft::Debugger debugger;
  std::string output = {};  // of the last command
};

namespace {

struct Failure {
  std::string text, subject, problem, hint;
};
thread_local Failure last;

int failed(const Failure& failure, int status) noexcept {
  try {
    last = failure;
  } catch (const std::bad_alloc&) {
    last = {};
  }
  return status;
}

int refused(const std::string& subject, const std::string& problem, const std::string& hint) {
  return failed({subject + ": " + problem + ". HINT: " + hint + ".", subject, problem, hint}, WEFT_REFUSED);
}

/// Calls `work`, and turns what it throws into a status.
template <class Work>
int called(const Work& work) noexcept {
  try {
    return work();
  } catch (const weft::Error& e) {
    return failed({e.what(), e.subject(), e.problem(), e.hint()}, e.exit_code() == 2 ? WEFT_REFUSED : WEFT_FAILED);
  } catch (const std::exception& e) {
    return failed({e.what(), "", e.what(), ""}, WEFT_FAILED);
  } catch (...) {
    return failed({"unknown exception", "", "unknown exception", ""}, WEFT_FAILED);
  }
}

std::map<std::string, int> named(const weft_named* list, std::size_t count) {
  std::map<std::string, int> result;
  for (std::size_t i = 0; i < count; ++i) result[list[i].name] = list[i].value;
  return result;
}

weft::Region region_of(const weft_region* r) {
  return r != nullptr ? weft::Region{r->row, r->col, r->rows, r->cols} : weft::Region{};
}

}  // namespace

extern "C" {

int weft_abi_version(void) { return WEFT_ABI_VERSION; }

const char* weft_version(void) {
  static const std::string text = weft::version();
  return text.c_str();
}

const char* weft_error_text(void) { return last.text.c_str(); }
const char* weft_error_subject(void) { return last.subject.c_str(); }
const char* weft_error_problem(void) { return last.problem.c_str(); }
const char* weft_error_hint(void) { return last.hint.c_str(); }

int weft_bf16_bits(double value) { return weft::bf16_bits(value); }

weft_layout* weft_layout_new(void) {
  weft_layout* layout = nullptr;
  called([&] {
    layout = new weft_layout;
    return WEFT_OK;
  });
  return layout;
}

void weft_layout_free(weft_layout* layout) { delete layout; }

int weft_layout_program(weft_layout* layout, const char* file, const weft_named* parameters, size_t count,
                        const weft_region* region) {
  return called([&] {
    layout->layout.program(file, named(parameters, count), region_of(region));
    return WEFT_OK;
  });
}

int weft_layout_program_text(weft_layout* layout, const char* text, const char* name, const weft_named* parameters,
                             size_t count, const weft_region* region) {
  return called([&] {
    layout->layout.program_text(text, name, named(parameters, count), region_of(region));
    return WEFT_OK;
  });
}

int weft_layout_stream(weft_layout* layout, const char* name, int way, const weft_tile* tiles, size_t count, int color,
                       const weft_region* region) {
  return called([&]() -> int {
    weft::Way to;
    for (size_t i = 0; i < count; ++i) to.tiles.push_back({tiles[i].row, tiles[i].col});
    const std::size_t wanted = way == WEFT_GATHER ? 0 : 1;
    if (way == WEFT_SHIFT)
      to.kind = weft::Way::Kind::Shift;
    else if (way == WEFT_BROADCAST)
      to.kind = weft::Way::Kind::Broadcast;
    else if (way == WEFT_GATHER)
      to.kind = weft::Way::Kind::Gather;
    else if (way == WEFT_PATH)
      to.kind = weft::Way::Kind::Path;
    else
      return refused(name, "there is no way " + std::to_string(way), "use one of weft_way");
    if (way != WEFT_PATH && count != wanted)
      return refused(name, "has " + std::to_string(count) + " tiles", "use " + std::to_string(wanted));
    layout->layout.stream(name, to, color != 0 ? std::optional(color) : std::nullopt, region_of(region));
    return WEFT_OK;
  });
}

int weft_layout_collective(weft_layout* layout, const char* name, int collective, const char* array, const char* other,
                           int along, const weft_tile* root, const weft_region* region) {
  return called([&]() -> int {
    if (collective < WEFT_COLLECTIVE_BROADCAST || collective > WEFT_COLLECTIVE_TRANSPOSE)
      return refused(name, "there is no collective " + std::to_string(collective), "use one of weft_collective");
    if (along < WEFT_ROWS || along > WEFT_ALL)
      return refused(name, "there is no axis " + std::to_string(along), "use one of weft_along");
    weft::Collective c;
    c.kind = static_cast<weft::Collective::Kind>(collective);
    c.array = array;
    if (other != nullptr) c.other = other;
    c.along = static_cast<weft::Collective::Along>(along);
    if (root != nullptr) c.root = {root->row, root->col};
    layout->layout.collective(name, c, region_of(region));
    return WEFT_OK;
  });
}

weft_wafer* weft_wafer_new(int rows, int cols, const char* backend, const weft_named* settings, size_t count) {
  weft_wafer* wafer = nullptr;
  called([&]() -> int {
    weft::WaferSettings s;
    s.rows = rows;
    s.cols = cols;
    s.backend = backend;
    for (const auto& [name, value] : named(settings, count)) {
      if (name == "lanes")
        s.lanes = value;
      else if (name == "sram_kib")
        s.sram_kib = value;
      else if (name == "threads")
        s.threads = value;
      else if (name == "baud")
        s.baud = value;
      else if (name == "inspect")
        s.inspect = value != 0;
      else if (name == "general")
        s.general = value != 0;
      else
        return refused(name, "there is no such setting of a wafer",
                       "use lanes, sram_kib, threads, baud, inspect or general");
    }
    wafer = new weft_wafer(s);
    return WEFT_OK;
  });
  return wafer;
}

void weft_wafer_free(weft_wafer* wafer) { delete wafer; }

int weft_wafer_observe(weft_wafer* wafer, weft_interrupted interrupted, void* context) {
  return called([&] {
    if (interrupted == nullptr)
      wafer->wafer.observe({});
    else
      wafer->wafer.observe([interrupted, context](const weft::Progress& p) {
        return interrupted(context, p.what.c_str(), p.done, p.all) != 0;
      });
    return WEFT_OK;
  });
}

int weft_wafer_load(weft_wafer* wafer, const weft_layout* layout, int check) {
  return called([&] {
    wafer->wafer.load(layout->layout, check != 0);
    return WEFT_OK;
  });
}

int weft_wafer_array(weft_wafer* wafer, const char* array, int* rows, int* cols, int* elements, const char** type) {
  return called([&]() -> int {
    const auto arrays = wafer->wafer.arrays();
    const auto found = arrays.find(array);
    if (found == arrays.end())
      return refused(array, "no program declares an array of this name", "declare it with .array");
    if (rows != nullptr) *rows = found->second.rows;
    if (cols != nullptr) *cols = found->second.cols;
    if (elements != nullptr) *elements = found->second.count;
    wafer->type = found->second.type;
    if (type != nullptr) *type = wafer->type.c_str();
    return WEFT_OK;
  });
}

int weft_wafer_set_floats(weft_wafer* wafer, const char* array, const float* values, size_t count) {
  return called([&] {
    wafer->wafer.set(array, std::span(values, count));
    return WEFT_OK;
  });
}

int weft_wafer_set_int16(weft_wafer* wafer, const char* array, const int16_t* values, size_t count) {
  return called([&] {
    wafer->wafer.set(array, std::span(values, count));
    return WEFT_OK;
  });
}

int weft_wafer_get_floats(weft_wafer* wafer, const char* array, float* values, size_t count) {
  return called([&] {
    wafer->wafer.get(array, std::span(values, count));
    return WEFT_OK;
  });
}

int weft_wafer_get_int16(weft_wafer* wafer, const char* array, int16_t* values, size_t count) {
  return called([&] {
    wafer->wafer.get(array, std::span(values, count));
    return WEFT_OK;
  });
}

int weft_wafer_run(weft_wafer* wafer, const char* kernel, const weft_named* arguments, size_t count, int check) {
  return called([&]() -> int {
    if (wafer->wafer.run(kernel, named(arguments, count), {.check = check != 0})) return WEFT_OK;
    return failed({std::string("kernel ") + kernel + ": was interrupted", std::string("kernel ") + kernel,
                   "was interrupted", "load the layout again to go on"},
                  WEFT_INTERRUPTED);
  });
}

int weft_wafer_words(weft_wafer* wafer, int row, uint32_t* words, size_t room, size_t* count) {
  return called([&] {
    const std::vector<std::uint32_t> all = wafer->wafer.words(row);
    std::copy_n(all.begin(), std::min(room, all.size()), words);
    if (count != nullptr) *count = all.size();
    return WEFT_OK;
  });
}

int weft_wafer_counter(weft_wafer* wafer, const char* counter, uint64_t* value) {
  return called([&]() -> int {
    const weft::Work work = wafer->wafer.work();
    for (const auto& [name, number] :
         {std::pair{"cycles", work.cycles}, std::pair{"beats", work.beats},
          std::pair{"multiply_adds", work.multiply_adds}, std::pair{"messages", work.messages}})
      if (std::strcmp(counter, name) == 0) {
        *value = number;
        return WEFT_OK;
      }
    return refused(counter, "there is no such counter", "use cycles, beats, multiply_adds or messages");
  });
}

weft_debugger* weft_wafer_debug(weft_wafer* wafer, const char* kernel, const weft_named* arguments, size_t count) {
  weft_debugger* debugger = nullptr;
  called([&] {
    debugger = new weft_debugger{wafer->wafer.debug(kernel, named(arguments, count))};
    return WEFT_OK;
  });
  return debugger;
}

void weft_debugger_free(weft_debugger* debugger) { delete debugger; }

int weft_debugger_command(weft_debugger* debugger, const char* line, const char** output) {
  return called([&] {
    debugger->output = debugger->debugger.command(line);
    if (output != nullptr) *output = debugger->output.c_str();
    return WEFT_OK;
  });
}

}  // extern "C"
