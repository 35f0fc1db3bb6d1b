#include "host/programs/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "host/programs/build.hpp"
#include "host/programs/calls.hpp"
#include "host/programs/certify.hpp"
#include "host/programs/commands.hpp"
#include "host/programs/machine.hpp"
#include "host/programs/transfer.hpp"
#include "sw/base/bf16.hpp"
#include "sw/base/did_you_mean.hpp"
#include "sw/base/refusal.hpp"

namespace weft::programs {
namespace {

Counts operator-(const Counts& a, const Counts& b) {
  return {a.cycles - b.cycles, a.beats - b.beats, a.multiply_adds - b.multiply_adds, a.messages - b.messages};
}

struct Place {
  const LoadedProgram* program;
  const assembler::Array* array;

  std::size_t in_tile() const { return static_cast<std::size_t>(array->count); }
  std::size_t size() const { return static_cast<std::size_t>(program->region.rows * program->region.cols) * in_tile(); }
  /// Index of a tile's first element.
  std::size_t first(Tile t) const {
    const Region& r = program->region;
    return static_cast<std::size_t>((t.row - r.row) * r.cols + t.col - r.col) * in_tile();
  }
  template <class Work>
  void for_tiles(const Work& work) const {
    const Region& r = program->region;
    for (int row = r.row; row < r.row + r.rows; ++row)
      for (int col = r.col; col < r.col + r.cols; ++col) work(Tile{row, col});
  }
};

}  // namespace

class Session::Impl {
 public:
  explicit Impl(Machine machine)
      : machine_(std::move(machine)), shape_(machine_.wafer().shape()), words_(static_cast<std::size_t>(shape_.rows)) {}

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
    work(image_->load, "load");
    if (!shares_west(*image_)) work(host_routes(), "load");
    usable_ = true;
    base_ = total();
  }

  const Image& image() const {
    if (!image_) throw Refusal("wafer", "no layout is loaded", "load one");
    if (!usable_) throw Refusal("wafer", "its last run did not end", "load the layout again");
    return *image_;
  }

  Place place(const std::string& name) const {
    std::vector<std::string> names;
    for (const LoadedProgram& program : image().programs)
      for (const assembler::Array& array : program.arrays) {
        if (array.name == name) return {&program, &array};
        names.push_back(array.name);
      }
    throw Refusal(name, "no program declares an array of this name",
                  did_you_mean(name, names, "declare it with .array NAME, bf16, 64"));
  }

  template <class Value>
  Place sized(const std::string& name, std::span<const Value> values, bool floats) const {
    const Place at = place(name);
    require_type(name, at, floats);
    const Region& r = at.program->region;
    if (values.size() != at.size())
      throw Refusal(name,
                    fmt::format("has {} elements, but the array has {} x {} x {}", values.size(), r.rows, r.cols,
                                at.array->count),
                    "give an element for each row and column of the program's region, and each element of a tile");
    return at;
  }

  void require_type(const std::string& name, const Place& at, bool floats) const {
    const bool is_floats = at.array->type != assembler::ElementType::Int16;
    if (is_floats != floats)
      throw Refusal(
          name, fmt::format("is an array of {}", assembler::kElementTypes[static_cast<std::size_t>(at.array->type)]),
          is_floats ? "use floats" : "use integers of 16 bits");
  }

  void set(const std::string& name, std::span<const float> values) {
    const Place at = sized(name, values, true);
    Commands commands;
    std::vector<std::uint16_t> elements(at.in_tile());
    at.for_tiles([&](Tile tile) {
      const std::span some = values.subspan(at.first(tile), at.in_tile());
      if (!at.array->in_memory()) return commands.add(write_sums(image(), *at.program, tile, *at.array, some));
      std::ranges::transform(some, elements.begin(), [](float value) { return to_bf16(as_bits(value)); });
      commands.add(write_memory(tile, *at.array, elements));
    });
    work(commands.take(), name);
  }

  void set(const std::string& name, std::span<const std::int16_t> values) {
    const Place at = sized(name, values, false);
    Commands commands;
    at.for_tiles([&](Tile tile) {
      const std::span some = values.subspan(at.first(tile), at.in_tile());
      commands.add(write_memory(tile, *at.array, std::vector<std::uint16_t>(some.begin(), some.end())));
    });
    work(commands.take(), name);
  }

  /// Takes an array from all tiles; `take` gets a tile and its words.
  template <class Take>
  void get(const std::string& name, const Place& at, const Take& take) {
    const bool shared = shares_west(image());
    if (shared) work(host_routes(), name);
    const Region& r = at.program->region;
    const std::size_t expected = answer_words(image(), *at.array);
    for (int col = r.col; col < r.col + r.cols; ++col) {
      work(request(image(), *at.program, col, *at.array), name);
      for (int row = r.row; row < r.row + r.rows; ++row) {
        std::vector<std::uint32_t>& words = machine_.wafer().outlet(row);
        if (words.size() != expected)
          throw Refusal(name,
                        fmt::format("{} returned {} words, not {}", name_of(Tile{row, col}), words.size(), expected),
                        "report this as a bug of Weft");
        take(Tile{row, col}, std::span<const std::uint32_t>(words));
        words.clear();
      }
    }
    if (shared) work(restored_routes(image()), name);
  }

  std::vector<float> floats(const std::string& name) {
    const Place at = place(name);
    require_type(name, at, true);
    std::vector<float> values(at.size());
    get(name, at, [&](Tile tile, std::span<const std::uint32_t> words) {
      const std::size_t first = at.first(tile);
      for (std::size_t i = 0; i < at.in_tile(); ++i)
        values[first + i] = as_float(at.array->in_memory() ? words[i / 2] >> (i % 2 * 16) << 16 : words[i]);
    });
    return values;
  }

  std::vector<std::int16_t> integers(const std::string& name) {
    const Place at = place(name);
    require_type(name, at, false);
    std::vector<std::int16_t> values(at.size());
    get(name, at, [&](Tile tile, std::span<const std::uint32_t> words) {
      const std::size_t first = at.first(tile);
      for (std::size_t i = 0; i < at.in_tile(); ++i)
        values[first + i] = static_cast<std::int16_t>(static_cast<std::uint16_t>(words[i / 2] >> (i % 2 * 16)));
    });
    return values;
  }

  std::optional<Counts> run(const std::string& kernel, const Arguments& arguments, bool check,
                            const std::function<bool()>& interrupted) {
    const std::string subject = "kernel " + kernel;
    const std::vector<machine::Message> messages = calls(image(), kernel, &arguments, subject);
    if (check && !always_certified_.contains(kernel) && !certified_.contains({kernel, arguments})) {
      if (const auto problem = certify(image(), messages, subject)) throw problem->error;
      certified_.insert({kernel, arguments});
    }
    clear_words();
    const Counts before = total();
    if (!work(messages, subject, interrupted)) return std::nullopt;
    for (std::size_t row = 0; row < words_.size(); ++row)
      words_[row] = std::exchange(machine_.wafer().outlet(static_cast<int>(row)), {});
    if (const std::string flags = machine_.flags(); !flags.empty()) {
      usable_ = false;
      throw Refusal(subject, "sets sticky flags: " + flags,
                    "docs/reference/pe.md, Edge cases, lists their causes; load the layout again to go on");
    }
    return total() - before;
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
  bool work(const std::vector<machine::Message>& messages, const std::string& what,
            const std::function<bool()>& interrupted = {}) {
    const bool usable = std::exchange(usable_, false);
    if (!machine_.run(messages, what, programs(), interrupted)) return false;
    usable_ = usable;
    return true;
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
  const machine::WaferShape shape_;
  std::optional<Image> image_;
  bool usable_ = false;                     // the wafer rests, with the layout loaded
  Counts base_;                             // of the load
  std::set<std::string> always_certified_;  // kernels, with any arguments
  std::set<std::pair<std::string, Arguments>> certified_;
  std::vector<std::vector<std::uint32_t>> words_;  // [row], of the last run
};

Session::Session(const machine::WaferShape& shape, const std::string& backend, int threads, int baud)
    : impl_(std::make_unique<Impl>(Machine(shape, backend, threads, baud))) {}
Session::Session(Board board) : impl_(std::make_unique<Impl>(Machine(std::move(board)))) {}
Session::~Session() = default;
const machine::WaferShape& Session::shape() const { return impl_->shape(); }
void Session::load(const Layout& layout, bool check) { impl_->load(layout, check); }
std::map<std::string, ArrayInfo> Session::arrays() const { return impl_->arrays(); }
void Session::set(const std::string& name, std::span<const float> values) { impl_->set(name, values); }
void Session::set(const std::string& name, std::span<const std::int16_t> values) { impl_->set(name, values); }
std::vector<float> Session::floats(const std::string& name) { return impl_->floats(name); }
std::vector<std::int16_t> Session::integers(const std::string& name) { return impl_->integers(name); }
std::optional<Counts> Session::run(const std::string& kernel, const Arguments& arguments, bool check,
                                   const std::function<bool()>& interrupted) {
  return impl_->run(kernel, arguments, check, interrupted);
}
const std::vector<std::uint32_t>& Session::words(int row) const { return impl_->words(row); }
Counts Session::counts() const { return impl_->counts(); }
std::vector<std::uint64_t> Session::tile_beats() const { return impl_->tile_beats(); }

}  // namespace weft::programs
