#include "host/data/hdf5_samples.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
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

constexpr auto kWriteAgain = "write or fetch the file again";
constexpr auto kRowsAre = "rows of a sample are ids, mask and labels; prepare the data again";
constexpr auto kSpansAre = "position_ids count from 0 in each document, and attention_span down to 0";
constexpr std::size_t kRows = 3;  // ids, mask, labels; segments may follow
constexpr std::size_t kSpan = 3, kPosition = 4, kVslRows = 5;
constexpr std::int32_t kIgnored = -100;                    // a label that does not count, as in transformers
constexpr std::uint64_t kAtOnce = std::uint64_t{1} << 20;  // integers read at once in the first pass

std::span<const std::uint8_t> bytes_of(std::span<const std::int32_t> values) {
  return {reinterpret_cast<const std::uint8_t*>(values.data()), values.size_bytes()};
}

}  // namespace

/// An open file. All members except `path` must be used under hdf5_mutex().
class Hdf5Samples::File {
 public:
  /// `classes`: a row of classes is the last one. `vsl`: rows of spans and positions are.
  File(std::string name, std::uint64_t seq, int segments, bool classes, bool vsl)
      : path(std::move(name)),
        seq_(seq),
        file_(open_hdf5(path), H5Fclose),
        data_(open_hdf5_data(file_.get(), path), H5Dclose) {
    if (!data_.is_open()) refuse_data();
    check_hdf5_storage(data_.get(), path);
    const Hdf5Handle type(H5Dget_type(data_.get()), H5Tclose), space(H5Dget_space(data_.get()), H5Sclose);
    if (H5Tget_class(type.get()) != H5T_INTEGER) throw Refusal(path, "\"data\" does not contain integers", kWriteAgain);
    const int dimensions = H5Sget_simple_extent_ndims(space.get());
    std::vector<hsize_t> shape(static_cast<std::size_t>(std::max(dimensions, 0)));
    if (dimensions > 0) H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr);
    if (vsl) {
      check_vsl(shape);
      samples = shape[0], rows = kVslRows;
      return;
    }
    const hsize_t least = kRows + (classes ? 1 : 0);
    if (shape.size() != 3 || (shape[1] != least && (segments == 0 || shape[1] != least + 1)) || shape[2] != seq) {
      if (classes) refuse_rows(shape, segments);
      throw Refusal(path, fmt::format("\"data\" has the shape [{}], not [samples, 3, {}]", fmt::join(shape, ", "), seq),
                    shape.size() == 3 && shape[1] == 5
                        ? "set train_input.use_vsl true: 5 rows are of samples of several documents"
                    : shape.size() == 3 && shape[1] == kRows + 1 && segments == 0
                        ? "4 rows have segments: use a network with embeddings of them, as bert"
                    : shape.size() == 3 && shape[1] >= kRows && shape[1] <= kRows + 1 && shape[2] > 0
                        ? fmt::format("set model.max_sequence_length {}, or prepare the data again", shape[2])
                        : kRowsAre);
    }
    if (shape[0] == 0) throw Refusal(path, "has no sample", kWriteAgain);
    samples = shape[0];
    rows = shape[1];
    segment_row = rows > least ? kRows : 0;
    class_row = classes ? rows - 1 : 0;
  }

  /// Reads samples from `first` on, as many as fit into `out`.
  void read(std::uint64_t first, std::span<std::int32_t> out) const {
    const Hdf5Handle space(H5Dget_space(data_.get()), H5Sclose);
    const std::array<hsize_t, 3> start = {first, 0, 0}, count = {out.size() / (rows * seq_), rows, seq_};
    H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
    const Hdf5Handle there(H5Screate_simple(3, count.data(), nullptr), H5Sclose);
    if (H5Dread(data_.get(), H5T_NATIVE_INT32, there.get(), space.get(), H5P_DEFAULT, out.data()) >= 0) return;
    const std::string why = hdf5_cause();
    check_filters(path, data_.get());
    check_hdf5_version(path, why);
    throw Refusal(path, fmt::format("cannot be read at sample {} of {}: {}", first, samples, why), kWriteAgain);
  }

  const std::string path;
  std::uint64_t samples = 0;
  std::size_t rows = kRows;
  std::size_t segment_row = 0, class_row = 0;  ///< 0: none

 private:
  void check_vsl(const std::vector<hsize_t>& shape) const {
    if (shape.size() != 3 || shape[1] != kVslRows || shape[2] != seq_)
      throw Refusal(path,
                    fmt::format("\"data\" has the shape [{}], not [samples, 5, {}]", fmt::join(shape, ", "), seq_),
                    shape.size() == 3 && shape[1] == kVslRows && shape[2] > 0
                        ? fmt::format("set model.max_sequence_length {}, or prepare the data again", shape[2])
                        : "rows are ids, mask, labels, attention_span and position_ids; leave out train_input.use_vsl "
                          "for others");
    if (shape[0] == 0) throw Refusal(path, "has no sample", kWriteAgain);
  }
  [[noreturn]] void refuse_rows(const std::vector<hsize_t>& shape, int segments) const {
    throw Refusal(path,
                  fmt::format("\"data\" has the shape [{}], not [samples, {}, {}]", fmt::join(shape, ", "),
                              segments > 0 ? "4 or 5" : "4", seq_),
                  fmt::format("rows of a sample are ids, mask, labels{}, and classes of the network's other loss",
                              segments > 0 ? ", perhaps segments" : ""));
  }
  [[noreturn]] void refuse_data() const {
    const Hdf5Handle again(H5Dopen2(file_.get(), "data", H5P_DEFAULT), H5Dclose);  // only to obtain the cause
    const std::string why = hdf5_cause();
    check_hdf5_version(path, why);
    if (H5Lexists(file_.get(), "data", H5P_DEFAULT) > 0)
      throw Refusal(path, "\"data\" cannot be opened as a data set: " + why,
                    "write the samples into the file itself, as a data set \"data\"");
    throw Refusal(path, "has no data set \"data\"", "use files of the Model Zoo's preparation of data");
  }

  std::uint64_t seq_;
  Hdf5Handle file_, data_;
};

Hdf5Samples::Hdf5Samples(const std::vector<std::string>& paths, int vocab, int seq, int segments, int classes,
                         compiler::Losses losses, bool vsl)
    : vocab_(vocab),
      segments_(segments),
      classes_(classes),
      losses_(std::move(losses)),
      seq_(static_cast<std::uint64_t>(seq)),
      vsl_(vsl) {
  const std::lock_guard lock(hdf5_mutex());
  for (const std::string& path : paths) {
    const auto said = in_subprocess(path, kWriteAgain, [&] {
      const Kept kept = first_pass(File(path, seq_, segments_, two_losses(), vsl_), checksum_);
      ArchiveWriter bytes;
      bytes(kept.checks, kept.checksum, kept.all_count);
      return bytes.bytes;
    });
    Kept kept;
    ArchiveReader reader(said);
    reader(kept.checks, kept.checksum, kept.all_count);
    checks_.insert(checks_.end(), kept.checks.begin(), kept.checks.end());
    checksum_ = kept.checksum, all_count_ &= kept.all_count;
    files_.push_back(std::make_unique<File>(path, seq_, segments_, two_losses(), vsl_));
    ends_.push_back(size());
  }
}

Hdf5Samples::~Hdf5Samples() {
  const std::lock_guard lock(hdf5_mutex());
  files_.clear();
}

Hdf5Samples::Kept Hdf5Samples::first_pass(const File& file, std::uint32_t checksum) const {
  Kept kept{.checks = {}, .checksum = checksum};
  const std::size_t seq = seq_, each = file.rows * seq;
  const int vocab = vocab_;
  std::vector<std::int32_t> some(each * std::clamp<std::uint64_t>(kAtOnce / each, 1, file.samples));
  const bool of_classes = losses_.back() == compiler::Labels::Classes;
  const int labels = of_classes ? classes_ : vocab;
  const auto below = [&] { return fmt::format("below model.vocab_size {}", vocab); };
  const auto below_labels = [&] { return of_classes ? fmt::format("below model.num_classes {}", classes_) : below(); };
  const auto enough = [](std::int32_t value) {
    return value < 0 || value >= kMostTokens ? std::string(kWriteAgain)
                                             : fmt::format("use model.vocab_size {} or more", value + std::int64_t{1});
  };
  for (std::uint64_t k = 0; k < file.samples; ++k) {
    const std::uint64_t within = k % (some.size() / each);
    if (within == 0) file.read(k, std::span(some).first(each * std::min(some.size() / each, file.samples - k)));
    const std::span<const std::int32_t> sample = std::span(some).subspan(each * within, each);
    bool counts = false;
    for (std::size_t t = 0; t < seq; ++t) {
      const std::int32_t id = sample[t], mask = sample[seq + t], label = sample[2 * seq + t];
      const auto refuse = [&](const char* what, std::int32_t value, const std::string& range, const std::string& hint) {
        const char* const more = value == INT32_MAX ? " or more" : value == INT32_MIN ? " or less" : "";  // 64 bits
        throw Refusal(file.path,
                      fmt::format("{} {}{} of sample {}, position {}, is not {}", what, value, more, k, t, range),
                      hint);
      };
      if (mask != 0 && mask != 1) refuse("mask", mask, "0 or 1", kRowsAre);
      if (id < 0 || id >= vocab) refuse("token", id, below(), enough(id));
      const bool labelled = mask == 1 && label != kIgnored;
      if (labelled && (label < 0 || label >= labels))
        refuse("label", label, below_labels(), of_classes ? kRowsAre : enough(label));
      counts |= labelled;
      kept.all_count &= labelled;
      if (file.class_row > 0) {
        const std::int32_t of_token = sample[file.class_row * seq + t];
        if (of_token != kIgnored && (of_token < 0 || of_token >= classes_))
          refuse("class", of_token, fmt::format("below model.num_classes {}", classes_), kRowsAre);
      }
      if (file.segment_row == 0) continue;
      if (const std::int32_t segment = sample[file.segment_row * seq + t]; segment < 0 || segment >= segments_)
        refuse("segment", segment, fmt::format("below model.num_segments {}", segments_),
               segment < 0 || segment >= kMostSegments ? std::string(kWriteAgain)
                                                       : fmt::format("use model.num_segments {} or more", segment + 1));
    }
    if (vsl_) check_documents(file, k, sample);
    if (!counts)
      throw Refusal(file.path, fmt::format("sample {} has no label that counts: masks are 0, or labels -100", k),
                    "leave such samples out");
    kept.checks.push_back(crc32c(bytes_of(sample)));
    kept.checksum = crc32c(bytes_of(sample), kept.checksum);
  }
  return kept;
}

/// Checks that attention_span and position_ids are those of documents that follow each other: causal attention by spans
/// could be another one, such as a window.
void Hdf5Samples::check_documents(const File& file, std::uint64_t k, std::span<const std::int32_t> sample) const {
  const auto span_of = [&](std::size_t t) { return sample[kSpan * seq_ + t]; };
  const auto refuse = [&](const char* row, std::int32_t value, std::size_t t, std::int64_t expected) {
    throw Refusal(file.path, fmt::format("{} {} of sample {}, position {}, is not {}", row, value, k, t, expected),
                  kSpansAre);
  };
  for (std::size_t first = 0; first < seq_;) {
    const std::int64_t length = std::int64_t{span_of(first)} + 1, left = static_cast<std::int64_t>(seq_ - first);
    if (length < 1 || length > left)
      throw Refusal(file.path,
                    fmt::format("attention_span {} of sample {}, position {}, is not from 0 to {}", span_of(first), k,
                                first, left - 1),
                    kSpansAre);
    for (std::int64_t n = 0; n < length; ++n, ++first) {
      if (span_of(first) != length - 1 - n) refuse("attention_span", span_of(first), first, length - 1 - n);
      if (const std::int32_t place = sample[kPosition * seq_ + first]; place != n)
        refuse("position_ids", place, first, n);
    }
  }
}

void Hdf5Samples::append(std::uint64_t k, Batch& batch) const {
  const auto n = static_cast<std::size_t>(std::ranges::upper_bound(ends_, k) - ends_.begin());
  const File& file = *files_[n];
  std::vector<std::int32_t> sample(file.rows * seq_);
  {
    const std::lock_guard lock(hdf5_mutex());
    file.read(k - (n == 0 ? 0 : ends_[n - 1]), sample);
  }
  if (crc32c(bytes_of(sample)) != checks_[k]) {
    throw Refusal(file.path,
                  fmt::format("was changed while it is read: sample {} differs from the first time",
                              k - (n == 0 ? 0 : ends_[n - 1])),
                  "leave the files of data_dir as they are while a run reads them, and start it again");
  }
  for (std::size_t t = 0; t < seq_; ++t) {
    const std::int32_t label = sample[2 * seq_ + t],
                       segment = file.segment_row > 0 ? sample[file.segment_row * seq_ + t] : 0;
    const bool begins = vsl_ && sample[kPosition * seq_ + t] == 0;
    batch.inputs.push_back(with_segment(static_cast<TokenId>(sample[t]), segment) | (begins ? kBeginsDocument : 0));
    const TokenId own = sample[seq_ + t] == 1 && label != kIgnored ? static_cast<TokenId>(label) : kNoLabel;
    const std::int32_t of_token = file.class_row > 0 ? sample[file.class_row * seq_ + t] : kIgnored;
    batch.labels.push_back(
        two_losses() ? with_class(own, of_token == kIgnored ? kNoLabel : static_cast<TokenId>(of_token)) : own);
  }
}

std::shared_ptr<const Samples> load_hdf5_samples(const std::vector<std::string>& paths, int vocab, int seq,
                                                 int segments, int classes, compiler::Losses losses, bool vsl) {
  return std::make_shared<const Hdf5Samples>(paths, vocab, seq, segments, classes, std::move(losses), vsl);
}

}  // namespace weft::data
