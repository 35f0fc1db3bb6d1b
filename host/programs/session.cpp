#include "host/programs/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <type_traits>
#include <utility>

#include "host/programs/arrays.hpp"
#include "host/programs/build.hpp"
#include "host/programs/calls.hpp"
#include "host/programs/certify.hpp"
#include "host/programs/machine.hpp"
#include "host/programs/measure.hpp"
#include "host/programs/transfer.hpp"
#include "host/programs/waves.hpp"
#include "sw/base/refusal.hpp"

namespace weft::programs {
namespace {

Counts operator-(const Counts& a, const Counts& b) {
  return {a.cycles - b.cycles, a.beats - b.beats, a.multiply_adds - b.multiply_adds, a.messages - b.messages};
}

}  // namespace

class Session::Impl {
 public:
  explicit Impl(Machine machine, Backend backend = {})
      : machine_(std::move(machine)),
        backend_(std::move(backend)),
        shape_(machine_.wafer().shape()),
        words_(static_cast<std::size_t>(shape_.rows)) {
    if (backend_.inspect) meter_.emplace(machine_);
  }

  const machine::WaferShape& shape() const { return shape_; }

  void load(const Layout& layout, bool check) {
    Image image = build(layout, shape_);
    std::set<std::string> always;
    if (check) always = check_kernels(image);
    usable_ = false;
    image_.reset();
    certified_.clear();
    always_certified_ = std::move(always);
    machine_.reset();
    clear_words();
    image_ = std::move(image);
    copy(image_->load, "load");
    if (!shares_west(*image_)) copy(host_routes(), "load");
    usable_ = true;
    base_ = total();
    measured_.clear();
    waves_.reset();
  }

  const Image& image() const {
    if (!image_) throw Refusal("wafer", "no layout is loaded", "load one");
    if (!usable_) throw Refusal("wafer", "its last run did not end", "load the layout again");
    return *image_;
  }

  template <class Value>
  void set(const std::string& name, std::span<const Value> values) {
    copy(writes(image(), place_of(image(), name, values.size(), std::is_same_v<Value, float>), values), name);
  }

  template <class Value>
  void get(const std::string& name, std::span<Value> values) {
    const Place at = place_of(image(), name, values.size(), std::is_same_v<Value, float>);
    const bool shared = shares_west(image());
    if (shared) copy(host_routes(), name);
    const Region& r = at.program->region;
    const std::size_t expected = answer_words(image(), *at.array);
    for (int col = r.col; col < r.col + r.cols; ++col) {
      copy(request(image(), *at.program, col, *at.array), name, col - r.col, r.cols);
      for (int row = r.row; row < r.row + r.rows; ++row) {
        std::vector<std::uint32_t>& words = machine_.wafer().outlet(row);
        if (words.size() != expected)
          throw Refusal(name,
                        fmt::format("{} returned {} words, not {}", name_of(Tile{row, col}), words.size(), expected),
                        "report this as a bug of Weft");
        store(at, {row, col}, words, values);
        words.clear();
      }
    }
    if (shared) copy(restored_routes(image()), name);
  }

  template <class Value>
  std::vector<Value> elements(const std::string& name) {
    std::vector<Value> values(place_of(image(), name).size());
    get(name, std::span<Value>(values));
    return values;
  }

  void observe(std::function<bool(const Progress&)> observer) { observer_ = std::move(observer); }

  std::optional<Counts> run(const std::string& kernel, const Arguments& arguments, bool check,
                            const std::function<bool()>& interrupted) {
    const std::string subject = "kernel " + kernel;
    const std::vector<machine::Message> messages = calls(image(), kernel, &arguments, subject);
    if (check && !always_certified_.contains(kernel) && !certified_.contains({kernel, arguments})) {
      if (const auto problem = certify(image(), messages, subject)) throw problem->error;
      certified_.insert({kernel, arguments});
    }
    clear_words();
    if (meter_) meter_->begin(programs());
    const Counts before = total();
    if (!traced_work(kernel, messages, subject, interrupted)) return std::nullopt;
    const Counts done = total() - before;
    for (std::size_t row = 0; row < words_.size(); ++row)
      words_[row] = std::exchange(machine_.wafer().outlet(static_cast<int>(row)), {});
    if (const std::string flags = machine_.flags(); !flags.empty()) {
      usable_ = false;
      throw Refusal(subject, "sets sticky flags: " + flags,
                    "docs/reference/pe.md, Edge cases, lists their causes; load the layout again to go on");
    }
    if (meter_) measured_.push_back(meter_->end(kernel, programs()));
    return done;
  }

  Replay replay(const std::string& kernel, const Arguments& arguments, const std::string& subject) const {
    Replay replay{.image = image(),
                  .kernel = kernel,
                  .messages = calls(image(), kernel, &arguments, "kernel " + kernel),
                  .states = {},
                  .backend = backend_};
    if (machine_.on_board())
      throw Refusal(subject, "a board does not show the state of its tiles", "use the backend rtl or model");
    for (int row = 0; row < shape_.rows; ++row)
      for (int col = 0; col < shape_.cols; ++col) replay.states.push_back(machine_.wafer().state(row, col));
    return replay;
  }

  void waves(const std::string& file, const std::string& tiles, const std::string& cycles) {
    if (dynamic_cast<sim::ClockedWafer*>(&machine_.wafer()) == nullptr)
      throw Refusal("waves", "only simulated RTL can be traced", "use the backend rtl");
    waves_ = wave_request(file, tiles, cycles, image());
  }

  const std::vector<MeasuredRun>& measured() const {
    if (!meter_) throw Refusal("inspect", "this wafer does not count stalls", "create it with inspect");
    return measured_;
  }

  const std::vector<std::uint32_t>& words(int row) const {
    if (row < 0 || row >= shape_.rows)
      throw Refusal(fmt::format("row {}", row), fmt::format("the wafer has {} rows", shape_.rows), "use another row");
    return words_[static_cast<std::size_t>(row)];
  }

  Counts counts() const {
    image();
    return total() - base_;
  }

  std::vector<std::uint64_t> tile_beats() const {
    image();
    if (machine_.on_board())
      throw Refusal("tile_beats", "a board does not count the beats of its tiles", "use the backend rtl or model");
    std::vector<std::uint64_t> beats;
    for (int row = 0; row < shape_.rows; ++row)
      for (int col = 0; col < shape_.cols; ++col) beats.push_back(machine_.wafer().state(row, col).beats);
    return beats;
  }

  std::map<std::string, ArrayInfo> arrays() const {
    std::map<std::string, ArrayInfo> list;
    for (const LoadedProgram& program : image().programs)
      for (const assembler::Array& array : program.arrays) list[array.name] = {program.region, array.type, array.count};
    return list;
  }

 private:
  /// The kernels that end with any arguments. Throws Stopped for one that hangs with any.
  static std::set<std::string> check_kernels(const Image& image) {
    std::set<std::string> good;
    for (const std::string& kernel : kernels(image)) {
      const std::string subject = "kernel " + kernel;
      const std::optional<Uncertified> problem = certify(image, calls(image, kernel, nullptr, subject), subject);
      if (!problem) good.insert(kernel);
      if (problem && problem->hangs) throw problem->error;
    }
    return good;
  }
  /// Runs messages to the end. If they do not end, the wafer is not used again until the next load.
  bool work(const std::vector<machine::Message>& messages, const std::string& what, const Machine::Ask& ask) {
    const bool usable = std::exchange(usable_, false);
    if (!machine_.run(messages, what, programs(), ask)) return false;
    usable_ = usable;
    return true;
  }
  /// work() of a transfer, or of one of `all` equal parts of a transfer. Throws Refusal if it is interrupted.
  void copy(const std::vector<machine::Message>& messages, const std::string& what, int part = 0, int all = 0) {
    Machine::Ask ask;
    if (observer_)
      ask = [&](std::size_t sent) {
        return observer_(all > 0 ? Progress{what, static_cast<std::uint64_t>(part), static_cast<std::uint64_t>(all)}
                                 : Progress{what, sent, messages.size()});
      };
    if (!work(messages, what, ask)) throw Refusal(what, "was interrupted", "load the layout again to go on");
  }
  /// work() of a run, with the trace that was requested.
  bool traced_work(const std::string& kernel, const std::vector<machine::Message>& messages, const std::string& what,
                   const std::function<bool()>& interrupted) {
    Machine::Ask ask;
    // Boards and the model are not asked for their counters while they run.
    const auto* const rtl = dynamic_cast<const sim::ClockedWafer*>(&machine_.wafer());
    if (observer_ || interrupted)
      ask = [&, rtl, begin = rtl != nullptr ? total().cycles : 0](std::size_t) {
        const std::uint64_t cycles = rtl != nullptr ? rtl->counters().cycles - begin : 0;
        return (observer_ && observer_({what, cycles, 0})) || (interrupted && interrupted());
      };
    if (!waves_) return work(messages, what, ask);
    const WaveRequest request = *std::exchange(waves_, std::nullopt);
    RunTrace trace(request, dynamic_cast<sim::ClockedWafer&>(machine_.wafer()), *image_, kernel);
    bool ended = false;
    try {
      ended = work(messages, what, ask);
    } catch (const Stopped&) {  // the trace shows why
      trace.end();
      throw;
    }
    trace.end();
    return ended;
  }
  deadlock::Programs programs() const {
    std::vector<const assembler::Program*> list;
    for (const LoadedProgram& loaded : image_->programs) list.push_back(&loaded.program);
    return deadlock::Programs(std::move(list));
  }
  void clear_words() {
    for (std::size_t row = 0; row < words_.size(); ++row) {
      words_[row].clear();
      machine_.wafer().outlet(static_cast<int>(row)).clear();
    }
  }
  Counts total() const {
    const WaferCounters c = machine_.counters();
    return {.cycles = c.cycles, .beats = c.beats, .multiply_adds = c.fma_lanes, .messages = c.edge_messages};
  }

  Machine machine_;
  const Backend backend_;
  const machine::WaferShape shape_;
  std::optional<Meter> meter_;
  std::vector<MeasuredRun> measured_;  // since the load
  std::optional<WaveRequest> waves_;   // of the next run
  std::optional<Image> image_;
  bool usable_ = false;  // the wafer rests, with the layout loaded
  Counts base_;          // of the load
  std::function<bool(const Progress&)> observer_;
  std::set<std::string> always_certified_;  // kernels, with any arguments
  std::set<std::pair<std::string, Arguments>> certified_;
  std::vector<std::vector<std::uint32_t>> words_;  // [row], of the last run
};

Session::Session(const machine::WaferShape& shape, const Backend& backend)
    : impl_(std::make_unique<Impl>(Machine(shape, backend), backend)) {}
Session::Session(Board board) : impl_(std::make_unique<Impl>(Machine(std::move(board)))) {}
Session::~Session() = default;
const machine::WaferShape& Session::shape() const { return impl_->shape(); }
void Session::load(const Layout& layout, bool check) { impl_->load(layout, check); }
std::map<std::string, ArrayInfo> Session::arrays() const { return impl_->arrays(); }
void Session::set(const std::string& name, std::span<const float> values) { impl_->set(name, values); }
void Session::set(const std::string& name, std::span<const std::int16_t> values) { impl_->set(name, values); }
void Session::get(const std::string& name, std::span<float> values) { impl_->get(name, values); }
void Session::get(const std::string& name, std::span<std::int16_t> values) { impl_->get(name, values); }
std::vector<float> Session::floats(const std::string& name) { return impl_->elements<float>(name); }
std::vector<std::int16_t> Session::integers(const std::string& name) { return impl_->elements<std::int16_t>(name); }
void Session::observe(std::function<bool(const Progress&)> observer) { impl_->observe(std::move(observer)); }
std::optional<Counts> Session::run(const std::string& kernel, const Arguments& arguments, bool check,
                                   const std::function<bool()>& interrupted) {
  return impl_->run(kernel, arguments, check, interrupted);
}
Replay Session::replay(const std::string& kernel, const Arguments& arguments, const std::string& subject) const {
  return impl_->replay(kernel, arguments, subject);
}
void Session::waves(const std::string& file, const std::string& tiles, const std::string& cycles) {
  impl_->waves(file, tiles, cycles);
}
const std::vector<MeasuredRun>& Session::measured() const { return impl_->measured(); }
const std::vector<std::uint32_t>& Session::words(int row) const { return impl_->words(row); }
Counts Session::counts() const { return impl_->counts(); }
std::vector<std::uint64_t> Session::tile_beats() const { return impl_->tile_beats(); }

}  // namespace weft::programs
