/// Samples in HDF5 files: those that are read, and those that are rejected.
#include "host/data/hdf5_samples.hpp"

#include <sys/stat.h>

#include <functional>

#include "host/data/load_data.hpp"
#include "sw/base/token_id.hpp"
#include "tests/data/hdf5_file.hpp"
#include "tests/says.hpp"
#include "tests/temporary_folder.hpp"

namespace weft::data {
namespace {

using Ids = std::vector<TokenId>;
using Values = std::vector<std::int32_t>;

/// Samples of two tokens each: ids, mask, labels.
const Values kFirst = {1, 2, 1, 1, 2, 3}, kMasked = {4, 0, 1, 0, 5, -100}, kLast = {6, 7, 0, 1, 9999, 8};

class Hdf5 : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::vector<Values>& samples, std::uint64_t seq = 2,
                    std::uint64_t rows = 3, const char* data = "data") {
    Values all;
    for (const Values& sample : samples) all.insert(all.end(), sample.begin(), sample.end());
    std::filesystem::create_directories(std::filesystem::path(folder_ / name).parent_path());
    write_hdf5(folder_ / name, all, seq, rows, data);
    return folder_ / name;
  }
  std::string refusal(const std::function<void()>& work) {
    try {
      work();
    } catch (const Refusal& e) {
      std::string text = e.what();
      const std::string path = folder_.path().string() + "/";
      for (std::size_t at; (at = text.find(path)) != std::string::npos;) text.erase(at, path.size());
      return text;
    }
    return "no error";
  }
  std::string refusal(const std::string& path) {
    return refusal([&] { Hdf5Samples({path}, 10, 2); });
  }

  const test::TemporaryFolder folder_;
};

TEST_F(Hdf5, SeveralFilesAreOneAndAMaskMakesNoLabel) {
  const Hdf5Samples samples({write("a.h5", {kFirst, kMasked}), write("b.h5", {kLast})}, 10, 2);
  EXPECT_EQ(samples.size(), 3U);
  EXPECT_EQ(samples.tokens(), 6U);
  EXPECT_FALSE(samples.all_count());
  Batch batch;
  for (const std::uint64_t k : {2U, 0U, 1U}) samples.append(k, batch);
  EXPECT_EQ(batch.inputs, (Ids{6, 7, 1, 2, 4, 0}));
  EXPECT_EQ(batch.labels, (Ids{kNoLabel, 8, 2, 3, 5, kNoLabel}));
  const Hdf5Samples joined({write("c.h5", {kFirst, kMasked, kLast})}, 10, 2);
  EXPECT_EQ(joined.checksum(), samples.checksum());
  EXPECT_TRUE(Hdf5Samples({write("d.h5", {kFirst})}, 10, 2).all_count());
}

/// The last row has classes if the network has a loss of them next to that of tokens.
TEST_F(Hdf5, AFurtherRowHasClassesOfASecondLoss) {
  const compiler::Losses both = {compiler::Labels::Classes, compiler::Labels::Tokens},
                         one = {compiler::Labels::Classes};
  const Values plain = {3, 7, 1, 1, -100, 4, 1, -100}, paired = {3, 7, 1, 1, 5, 4, 0, 1, 0, -100};
  const Hdf5Samples samples({write("a.h5", {plain}, 2, 4), write("b.h5", {paired}, 2, 5)}, 10, 2, 2, 2, both);
  Batch batch;
  for (const std::uint64_t k : {0U, 1U}) samples.append(k, batch);
  EXPECT_EQ(batch.inputs, (Ids{3, 7, 3, with_segment(7, 1)}));
  EXPECT_EQ(batch.labels,
            (Ids{with_class(kNoLabel, 1), with_class(4, kNoLabel), with_class(5, 0), with_class(4, kNoLabel)}));
  EXPECT_EQ(token_label(batch.labels[0]), kNoLabel);
  EXPECT_EQ(class_label(batch.labels[1]), kNoLabel);
  const auto refused = [&](const char* file, int classes, const compiler::Losses& losses) {
    return refusal([&] { Hdf5Samples({folder_ / file}, 10, 2, 2, classes, losses); });
  };
  write("c.h5", {kFirst});
  EXPECT_EQ(refused("c.h5", 2, both),
            "c.h5: \"data\" has the shape [1, 3, 2], not [samples, 4 or 5, 2]. HINT: rows of a sample are ids, mask, "
            "labels, perhaps segments, and classes of the network's other loss.");
  EXPECT_EQ(refused("a.h5", 1, both),
            "a.h5: class 1 of sample 0, position 0, is not below model.num_classes 1. HINT: rows of a sample are ids, "
            "mask and labels; prepare the data again.");
  EXPECT_EQ(refused("c.h5", 4, one), "no error");
  EXPECT_EQ(refused("c.h5", 3, one),
            "c.h5: label 3 of sample 0, position 1, is not below model.num_classes 3. HINT: rows of a sample are ids, "
            "mask and labels; prepare the data again.");
}

/// Masked tokens as a collator of transformers leaves them: labels of -100 where nothing is to be predicted.
TEST_F(Hdf5, ALabelOfMinus100DoesNotCountAndAFourthRowHasSegments) {
  const std::vector<std::int32_t> masked = {3, 7, 1, 1, -100, 4}, paired = {3, 7, 1, 1, -100, 4, 0, 1};
  const Hdf5Samples samples({write("a.h5", {masked}), write("b.h5", {paired}, 2, 4)}, 10, 2, 2);
  EXPECT_FALSE(samples.all_count());
  Batch batch;
  for (const std::uint64_t k : {0U, 1U}) samples.append(k, batch);
  EXPECT_EQ(batch.inputs, (Ids{3, 7, 3, with_segment(7, 1)}));
  EXPECT_EQ(batch.labels, (Ids{kNoLabel, 4, kNoLabel, 4}));
  EXPECT_EQ(refusal(folder_ / "b.h5"),
            "b.h5: \"data\" has the shape [1, 4, 2], not [samples, 3, 2]. HINT: 4 rows have segments: use a network "
            "with embeddings of them, as bert.");
  EXPECT_EQ(refusal([&] { Hdf5Samples({folder_ / "b.h5"}, 10, 2, 1); }),
            "b.h5: segment 1 of sample 0, position 1, is not below model.num_segments 1. HINT: use model.num_segments "
            "2 or more.");
  EXPECT_EQ(refusal(write("c.h5", {{3, 7, 1, 1, -100, -100}})),
            "c.h5: sample 0 has no label that counts: masks are 0, or labels -100. HINT: leave such samples out.");
}

TEST_F(Hdf5, ADataDirIsAFileOrAFolderOfThem) {
  config::Config config;
  config.file = "mine.yaml";
  config.model.seq = 2, config.model.vocab = 10, config.model.micro_batch = config.train_input.batch_size = 2;
  config.train_input.shuffle = false;
  config.runconfig.model_dir = folder_ / "model";
  write("d/2.hdf5", {kLast});
  write("d/1.h5", {kFirst, kMasked});
  config.train_input.data_dir = folder_ / "d";
  EXPECT_EQ(load_training_data(config).micro_batch(1, 0).inputs, (Ids{6, 7, 1, 2}));
  std::filesystem::rename(folder_ / "d/1.h5", folder_ / "samples");
  config.train_input.data_dir = folder_ / "samples";  // recognized by its first bytes
  EXPECT_EQ(load_training_data(config).micro_batch(0, 0).inputs, (Ids{1, 2, 4, 0}));
  EXPECT_FALSE(load_tokenizer(config).has_value());
  config.memoryx_eager_update = true;
  EXPECT_EQ(
      refusal([&] { load_training_data(config); }),
      "mine.yaml: memoryx.eager_update: samples has labels that do not count, so their number is only known after a "
      "step. HINT: leave it out.");
  folder_.write("d/a.txt", "text");
  config.train_input.data_dir = folder_ / "d";
  EXPECT_EQ(refusal([&] { load_training_data(config); }),
            "mine.yaml: train_input.data_dir: d: has HDF5 and other data. HINT: keep each in a folder of its own.");
  std::filesystem::create_directory(folder_ / "texts");
  std::filesystem::rename(folder_ / "d/a.txt", folder_ / "texts/a.txt");
  config.memoryx_eager_update = false;
  EXPECT_EQ(load_training_data(config).samples(), 1U);
}

TEST_F(Hdf5, NonModelZooFileIsRejected) {
  const std::string again = " HINT: write or fetch the file again.";
  EXPECT_EQ(refusal(folder_.write("a.h5", "text")),
            "a.h5: is not an HDF5 file: it does not begin with the signature of HDF5." + again);
  const std::string whole = test::file_text(write("b.h5", {kFirst}));
  EXPECT_EQ(refusal(folder_.write("b.h5", whole.substr(0, whole.size() / 2))),
            "b.h5: is cut short: it has " + std::to_string(whole.size() / 2) + " bytes of " +
                std::to_string(whole.size()) + "." + again);
  EXPECT_EQ(refusal(folder_.write("b.h5", whole)), "no error");
  EXPECT_EQ(refusal(write("c.h5", {kFirst}, 2, 3, "tokens")),
            "c.h5: has no data set \"data\". HINT: use files of the Model Zoo's preparation of data.");
  EXPECT_EQ(refusal(write("c.h5", {kFirst})), "no error") << "as that preparation writes it";
  EXPECT_EQ(refusal(write("d.h5", {{1, 1, 2}}, 1, 3)),
            "d.h5: \"data\" has the shape [1, 3, 1], not [samples, 3, 2]. HINT: set model.max_sequence_length 1, or "
            "prepare the data again.");
  EXPECT_EQ(refusal([&] { Hdf5Samples({folder_ / "d.h5"}, 10, 1); }), "no error");
  EXPECT_EQ(refusal(write("e.h5", {kFirst}, 3, 2)),
            "e.h5: \"data\" has the shape [1, 2, 3], not [samples, 3, 2]. HINT: rows of a sample are ids, mask and "
            "labels; prepare the data again.");
  EXPECT_EQ(refusal(write("e.h5", {kFirst}, 2, 3)), "no error");
  EXPECT_SAYS(refusal(write("f.h5", {{1, 2, 1, 1, 2, 3, 1, 1, 1, 1}}, 2, 5)),
              "HINT: set train_input.use_vsl true: 5 rows are of samples of several documents");
}

/// The library would wait until another process writes to the pipe.
TEST_F(Hdf5, APipeIsRefusedWhereverItIs) {
  const std::string pipe = folder_ / "pipe.h5";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(refusal(pipe), "pipe.h5: is not a regular file. HINT: name a file of HDF5.");
  EXPECT_EQ(refusal(write("file.h5", {kFirst})), "no error");
  const auto has = [](const std::string& file, const std::string& where) {
    return file + ": has its data in " + where +
           ", which is not a regular file. HINT: write the samples into the file itself, as a data set \"data\".";
  };
  const std::array<hsize_t, 3> shape = {1, 3, 2};
  const auto make = [&](const std::string& name, const auto& fill) {
    const std::string path = folder_ / name;
    const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(3, shape.data(), nullptr), how = H5Pcreate(H5P_DATASET_CREATE);
    fill(file, space, how);
    H5Pclose(how);
    H5Sclose(space);
    EXPECT_GE(H5Fclose(file), 0);
    return path;
  };
  const auto data_set = [](hid_t file, hid_t space, hid_t how) {
    const hid_t data = H5Dcreate2(file, "data", H5T_STD_I32LE, space, H5P_DEFAULT, how, H5P_DEFAULT);
    EXPECT_GE(data, 0);
    H5Dclose(data);
  };
  EXPECT_EQ(refusal(make("external.h5",
                         [&](hid_t file, hid_t space, hid_t how) {
                           H5Pset_external(how, pipe.c_str(), 0, H5F_UNLIMITED);
                           data_set(file, space, how);
                         })),
            has("external.h5", "pipe.h5"));
  EXPECT_EQ(refusal(make("virtual.h5",
                         [&](hid_t file, hid_t space, hid_t how) {
                           H5Pset_virtual(how, space, pipe.c_str(), "data", space);
                           data_set(file, space, how);
                         })),
            has("virtual.h5", "pipe.h5"));
  EXPECT_EQ(refusal(make("link.h5",
                         [](hid_t file, hid_t, hid_t) {
                           H5Lcreate_external("pipe.h5", "data", file, "data", H5P_DEFAULT, H5P_DEFAULT);
                         })),
            has("link.h5", "pipe.h5"));
  EXPECT_EQ(refusal(write("link.h5", {kFirst})), "no error") << "with its samples in it";
  write("other.h5", {kFirst});
  EXPECT_EQ(refusal(make("good_link.h5",
                         [](hid_t file, hid_t, hid_t) {
                           H5Lcreate_external("other.h5", "data", file, "data", H5P_DEFAULT, H5P_DEFAULT);
                         })),
            "no error");
}

/// Creates a file in which `fill` creates the data set "data".
template <class Fill>
std::string make_hdf5(const std::string& path, const Fill& fill) {
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const std::array<hsize_t, 3> shape = {2, 3, 2};
  const hid_t space = H5Screate_simple(3, shape.data(), nullptr), how = H5Pcreate(H5P_DATASET_CREATE);
  const int one = 1;  // a fill value of 1 would give valid ids, masks and labels
  H5Pset_fill_value(how, H5T_NATIVE_INT, &one);
  fill(file, space, how);
  const hid_t data = H5Dcreate2(file, "data", H5T_STD_I32LE, space, H5P_DEFAULT, how, H5P_DEFAULT);
  EXPECT_GE(data, 0);
  H5Dclose(data), H5Pclose(how), H5Sclose(space);
  EXPECT_GE(H5Fclose(file), 0);
  return path;
}

/// The library silently returns the fill value for missing sources.
TEST_F(Hdf5, AVirtualDataSetThatLacksASourceIsRefused) {
  const std::string source = write("source.h5", {kFirst, kFirst});
  const auto with = [&](const char* named, const char* object, hsize_t samples = 2) {
    return refusal(make_hdf5(folder_ / "v.h5", [&](hid_t, hid_t space, hid_t how) {
      const std::array<hsize_t, 3> shape = {samples, 3, 2};
      const hid_t part = H5Screate_simple(3, shape.data(), nullptr);
      const std::array<hsize_t, 3> none = {};
      if (samples < 2) H5Sselect_hyperslab(space, H5S_SELECT_SET, none.data(), nullptr, shape.data(), nullptr);
      H5Pset_virtual(how, space, named, object, part);
      H5Sselect_all(space);
      H5Sclose(part);
    }));
  };
  EXPECT_EQ(with("source.h5", "data"), "no error");
  EXPECT_EQ(with(source.c_str(), "data"), "no error");
  EXPECT_EQ(with("gone.h5", "data"),
            "v.h5: has its data in gone.h5, which does not exist. HINT: put that file where it was when this one was "
            "written, or write the data into one file.");
  EXPECT_SAYS(with("source.h5", "other"), "v.h5: has its data in source.h5, which has no data set other");
  EXPECT_SAYS(with("source.h5", "data", 1), "v.h5: has no file for 6 of the 12 numbers of \"data\"");
  write("source.h5", {kFirst});
  EXPECT_SAYS(with("source.h5", "data"), "whose data set data has 6 numbers, not 12");
  EXPECT_EQ(refusal(make_hdf5(folder_ / "own.h5",
                              [](hid_t file, hid_t space, hid_t how) {
                                const std::vector<std::int32_t> ones(12, 1);
                                const hid_t data = H5Dcreate2(file, "all", H5T_STD_I32LE, space, H5P_DEFAULT,
                                                              H5P_DEFAULT, H5P_DEFAULT);
                                H5Dwrite(data, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, ones.data());
                                H5Dclose(data);
                                H5Pset_virtual(how, space, ".", "all", space);
                              })),
            "no error");
}

TEST_F(Hdf5, UnwrittenChunksAreRejected) {
  const std::array<hsize_t, 3> chunk = {1, 3, 2};
  EXPECT_EQ(refusal(make_hdf5(folder_ / "c.h5", [&](hid_t, hid_t, hid_t how) { H5Pset_chunk(how, 3, chunk.data()); })),
            "c.h5: has 0 of 2 parts of \"data\": the others were never written. HINT: let the program that writes it "
            "end, or write the file again.");
  EXPECT_SAYS(refusal(make_hdf5(folder_ / "d.h5", [](hid_t, hid_t, hid_t) {})), "d.h5: has 0 of 1 parts of \"data\"");
  const std::string bytes = folder_.write("bytes", std::string(40, '\1'));
  EXPECT_SAYS(
      refusal(make_hdf5(folder_ / "e.h5",
                        [&](hid_t, hid_t, hid_t how) { H5Pset_external(how, bytes.c_str(), 0, H5F_UNLIMITED); })),
      "bytes, which is cut short: it has 40 bytes of 48");
}

/// A byte of the layout message is changed to a version that no library supports.
TEST_F(Hdf5, ADataSetOfANewerLibraryIsCalledSo) {
  const std::string path = make_hdf5(folder_ / "n.h5", [](hid_t, hid_t, hid_t) {});
  std::string bytes = test::file_text(path);
  std::size_t at = 0;
  for (std::size_t n = 0; n + 10 < bytes.size(); ++n)
    if (bytes[n] == 8 && bytes[n + 1] == 0 && bytes[n + 3] == 0 && bytes[n + 8] == 3 && bytes[n + 9] == 1) at = n + 8;
  ASSERT_GT(at, 0U);
  bytes[at] = 99;
  EXPECT_SAYS(refusal(folder_.write("n.h5", bytes)), "n.h5: was written by a newer HDF5 than");
}

TEST_F(Hdf5, IdsMasksAndLabelsAreLookedAt) {
  EXPECT_EQ(
      refusal(write("a.h5", {kFirst, {1, 10, 1, 1, 2, 3}})),
      "a.h5: token 10 of sample 1, position 1, is not below model.vocab_size 10. HINT: use model.vocab_size 11 or "
      "more.");
  EXPECT_EQ(refusal(write("b.h5", {{1, 2, 1, 1, -1, 3}})),
            "b.h5: label -1 of sample 0, position 0, is not below model.vocab_size 10. HINT: write or fetch the file "
            "again.");
  EXPECT_EQ(refusal(write("e.h5", {{1, INT32_MAX, 1, 1, 2, 3}})),
            "e.h5: token 2147483647 or more of sample 0, position 1, is not below model.vocab_size 10. HINT: write or "
            "fetch the file again.");
  EXPECT_EQ(refusal(write("c.h5", {{1, 2, 2, 1, 2, 3}})),
            "c.h5: mask 2 of sample 0, position 0, is not 0 or 1. HINT: rows of a sample are ids, mask and labels; "
            "prepare the data again.");
  EXPECT_EQ(refusal(write("d.h5", {kFirst, {1, 2, 0, 0, 2, 3}})),
            "d.h5: sample 1 has no label that counts: masks are 0, or labels -100. HINT: leave such samples out.");
  EXPECT_EQ(refusal(write("d.h5", {kFirst})), "no error");
}

TEST_F(Hdf5, ASampleThatIsAnotherThanAtFirstIsRefused) {
  const Hdf5Samples samples({write("a.h5", {kFirst, kMasked})}, 10, 2);
  std::string bytes = test::file_text(folder_ / "a.h5");
  const std::string packed("\x78\x5e", 2);  // zlib's header at this compression level
  const std::size_t second = bytes.rfind(packed);
  ASSERT_NE(bytes.find(packed), second);
  const std::size_t first = bytes.find(packed);
  std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(first), second - first,
              bytes.begin() + static_cast<std::ptrdiff_t>(second));  // the first sample, at the second one's place
  std::fstream(folder_ / "a.h5", std::ios::binary | std::ios::in | std::ios::out) << bytes;
  Batch batch;
  EXPECT_NO_THROW(samples.append(0, batch));
  EXPECT_EQ(refusal([&] { samples.append(1, batch); }).rfind("a.h5: ", 0), 0U);
}

}  // namespace
}  // namespace weft::data
