#include "host/data/hdf5_numbers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <mutex>
#include <span>

#include "host/data/hdf5_handle.hpp"
#include "host/data/hdf5_open.hpp"
#include "host/data/hdf5_sources.hpp"
#include "host/data/subprocess_parser.hpp"
#include "sw/base/archive.hpp"
#include "sw/base/crc32c.hpp"
#include "sw/base/refusal.hpp"
#include "sw/base/token_id.hpp"

namespace weft::data {
namespace {

constexpr auto kWriteNumbers = "write or fetch the file again";
constexpr auto kLabelsAre = "give \"labels\" a number for each sample or for each token, NaN for none";

/// A sample as it is in the file.
struct StoredNumbers {
  std::vector<std::int32_t> ids;  ///< [row][seq]
  std::vector<float> labels;      ///< one, or [seq]

  std::uint32_t checksum(std::uint32_t before = 0) const {
    before = crc32c({reinterpret_cast<const std::uint8_t*>(ids.data()), ids.size() * sizeof(ids[0])}, before);
    return crc32c({reinterpret_cast<const std::uint8_t*>(labels.data()), labels.size() * sizeof(labels[0])}, before);
  }
};

/// An open file. All members except `path` must be used under hdf5_mutex().
class NumbersFile {
 public:
  NumbersFile(std::string name, std::uint64_t seq, int segments)
      : path(std::move(name)),
        seq_(seq),
        file_(open_hdf5(path), H5Fclose),
        data_(open_hdf5_data(file_.get(), path), H5Dclose),
        labels_(open_hdf5_data(file_.get(), path, "labels"), H5Dclose) {
    for (const auto& [wanted, set] : {std::pair("data", &data_), std::pair("labels", &labels_)}) {
      if (!set->is_open())
        throw Refusal(path, fmt::format("has no data set \"{}\", and the network compares numbers", wanted),
                      kLabelsAre);
      check_hdf5_storage(set->get(), path);
    }
    const Hdf5Handle type(H5Dget_type(data_.get()), H5Tclose), number(H5Dget_type(labels_.get()), H5Tclose);
    if (H5Tget_class(type.get()) != H5T_INTEGER)
      throw Refusal(path, "\"data\" does not contain integers", kWriteNumbers);
    if (H5Tget_class(number.get()) != H5T_FLOAT)
      throw Refusal(path, "\"labels\" does not contain floating-point numbers", kLabelsAre);
    const std::vector<hsize_t> shape = shape_of(data_.get()), of_labels = shape_of(labels_.get());
    if (shape.size() != 3 || shape[2] != seq || (shape[1] != 1 && (shape[1] != 2 || segments == 0)))
      throw Refusal(path, fmt::format("\"data\" has the shape [{}], not [samples, 1, {}]", fmt::join(shape, ", "), seq),
                    shape.size() == 3 && shape[1] == 1 && shape[2] > 0
                        ? fmt::format("set model.max_sequence_length {}, or prepare the data again", shape[2])
                        : "rows of a sample are ids and, in a network with embeddings of segments, perhaps these");
    if (shape[0] == 0) throw Refusal(path, "has no sample", kWriteNumbers);
    samples = shape[0], rows = shape[1], of_tokens = of_labels.size() == 2;
    if (of_labels != (of_tokens ? std::vector<hsize_t>{samples, seq} : std::vector<hsize_t>{samples}))
      throw Refusal(path,
                    fmt::format("\"labels\" has the shape [{}], not [{}] or [{}, {}]", fmt::join(of_labels, ", "),
                                samples, samples, seq),
                    kLabelsAre);
  }

  StoredNumbers read(std::uint64_t k) const {
    StoredNumbers sample{std::vector<std::int32_t>(rows * seq_), std::vector<float>(of_tokens ? seq_ : 1)};
    read(k, data_.get(), std::array<hsize_t, 3>{1, rows, seq_}, H5T_NATIVE_INT32, sample.ids.data());
    if (of_tokens)
      read(k, labels_.get(), std::array<hsize_t, 2>{1, seq_}, H5T_NATIVE_FLOAT, sample.labels.data());
    else
      read(k, labels_.get(), std::array<hsize_t, 1>{1}, H5T_NATIVE_FLOAT, sample.labels.data());
    return sample;
  }

  const std::string path;
  std::uint64_t samples = 0;
  std::size_t rows = 1;
  bool of_tokens = false;

 private:
  static std::vector<hsize_t> shape_of(hid_t data) {
    const Hdf5Handle space(H5Dget_space(data), H5Sclose);
    std::vector<hsize_t> shape(static_cast<std::size_t>(std::max(H5Sget_simple_extent_ndims(space.get()), 0)));
    if (!shape.empty()) H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr);
    return shape;
  }
  template <std::size_t Dimensions>
  void read(std::uint64_t k, hid_t data, const std::array<hsize_t, Dimensions>& count, hid_t type, void* out) const {
    std::array<hsize_t, Dimensions> start{};
    start[0] = k;
    const Hdf5Handle space(H5Dget_space(data), H5Sclose);
    H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
    const Hdf5Handle there(H5Screate_simple(Dimensions, count.data(), nullptr), H5Sclose);
    if (H5Dread(data, type, there.get(), space.get(), H5P_DEFAULT, out) >= 0) return;
    const std::string why = hdf5_cause();
    check_filters(path, data);
    check_hdf5_version(path, why);
    throw Refusal(path, fmt::format("cannot be read at sample {} of {}: {}", k, samples, why), kWriteNumbers);
  }

  std::uint64_t seq_;
  Hdf5Handle file_, data_, labels_;
};

class Hdf5Numbers final : public Samples {
 public:
  Hdf5Numbers(const std::vector<std::string>& paths, int vocab, int seq, int segments)
      : vocab_(vocab), segments_(segments), seq_(static_cast<std::uint64_t>(seq)) {
    const std::lock_guard lock(hdf5_mutex());
    for (const std::string& path : paths) {
      const auto said = in_subprocess(path, kWriteNumbers, [&] {
        const auto [checks, checksum] = first_pass(NumbersFile(path, seq_, segments_), checksum_);
        ArchiveWriter bytes;
        bytes(checks, checksum);
        return bytes.bytes;
      });
      std::vector<std::uint32_t> checks;
      ArchiveReader reader(said);
      reader(checks, checksum_);
      checks_.insert(checks_.end(), checks.begin(), checks.end());
      files_.push_back(std::make_unique<NumbersFile>(path, seq_, segments_));
      ends_.push_back(size());
    }
  }
  ~Hdf5Numbers() override {
    const std::lock_guard lock(hdf5_mutex());
    files_.clear();
  }

  std::uint64_t size() const override { return checks_.size(); }
  std::uint64_t tokens() const override { return size() * seq_; }
  std::uint32_t checksum() const override { return checksum_; }
  bool all_count() const override { return false; }

  void append(std::uint64_t k, Batch& batch) const override {
    const auto n = static_cast<std::size_t>(std::ranges::upper_bound(ends_, k) - ends_.begin());
    const NumbersFile& file = *files_[n];
    const std::uint64_t own = k - (n == 0 ? 0 : ends_[n - 1]);
    const StoredNumbers sample = [&] {
      const std::lock_guard lock(hdf5_mutex());
      return file.read(own);
    }();
    if (sample.checksum() != checks_[k])
      throw Refusal(file.path, fmt::format("was changed while it is read: sample {} differs from the first time", own),
                    "leave the files of data_dir as they are while a run reads them, and start it again");
    for (std::size_t t = 0; t < seq_; ++t) {
      const std::int32_t segment = file.rows > 1 ? sample.ids[seq_ + t] : 0;
      batch.inputs.push_back(with_segment(static_cast<TokenId>(sample.ids[t]), segment));
      const bool labelled = t < sample.labels.size() && !std::isnan(sample.labels[t]);
      batch.labels.push_back(labelled ? std::bit_cast<TokenId>(sample.labels[t]) : kNoLabel);
    }
  }

 private:
  std::pair<std::vector<std::uint32_t>, std::uint32_t> first_pass(const NumbersFile& file,
                                                                  std::uint32_t checksum) const {
    std::vector<std::uint32_t> checks;
    for (std::uint64_t k = 0; k < file.samples; ++k) {
      const StoredNumbers sample = file.read(k);
      check(file, k, sample);
      checks.push_back(sample.checksum());
      checksum = sample.checksum(checksum);
    }
    return {std::move(checks), checksum};
  }

  void check(const NumbersFile& file, std::uint64_t k, const StoredNumbers& sample) const {
    for (std::size_t at = 0; at < sample.ids.size(); ++at) {
      const bool of_segment = at >= seq_;
      const std::int32_t value = sample.ids[at], below = of_segment ? segments_ : vocab_;
      const std::int64_t most = of_segment ? kMostSegments : kMostTokens;
      if (value >= 0 && value < below) continue;
      const char* const key = of_segment ? "model.num_segments" : "model.vocab_size";
      throw Refusal(file.path,
                    fmt::format("{} {} of sample {}, position {}, is not below {} {}", of_segment ? "segment" : "token",
                                value, k, at % seq_, key, below),
                    value < 0 || value >= most ? std::string(kWriteNumbers)
                                               : fmt::format("use {} {} or more", key, value + std::int64_t{1}));
    }
    if (const auto bad = std::ranges::find_if(sample.labels, [](float x) { return std::isinf(x); });
        bad != sample.labels.end())
      throw Refusal(file.path,
                    fmt::format("label {} of sample {}, position {}, is not a finite number", *bad, k,
                                bad - sample.labels.begin()),
                    kLabelsAre);
    if (std::ranges::all_of(sample.labels, [](float x) { return std::isnan(x); }))
      throw Refusal(file.path, fmt::format("sample {} has no label that counts: \"labels\" is NaN", k),
                    "leave such samples out");
  }

  int vocab_, segments_;
  std::uint64_t seq_;
  std::vector<std::unique_ptr<NumbersFile>> files_;
  std::vector<std::uint64_t> ends_;    // [file]: number of samples up to its end
  std::vector<std::uint32_t> checks_;  // [sample]
  std::uint32_t checksum_ = 0;
};

}  // namespace

std::shared_ptr<const Samples> load_hdf5_numbers(const std::vector<std::string>& paths, int vocab, int seq,
                                                 int segments) {
  return std::make_shared<const Hdf5Numbers>(paths, vocab, seq, segments);
}

}  // namespace weft::data
