/// Intact HDF5 files that cannot be read: the error names the cause.
#include "host/data/hdf5_open.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <functional>

#include "host/data/hdf5_samples.hpp"
#include "host/data/subprocess_parser.hpp"
#include "sw/base/refusal.hpp"
#include "tests/data/hdf5_file.hpp"
#include "tests/says.hpp"
#include "tests/temporary_folder.hpp"

namespace {

std::atomic<int> flock_error = 0;  // errno that flock fails with, as on a file system without locks; 0: success

}  // namespace

// Overrides the C library's flock for all callers.
extern "C" int flock(int file, int operation) noexcept {
  if (flock_error == 0) return static_cast<int>(::syscall(SYS_flock, file, operation));
  errno = flock_error;
  return -1;
}

namespace weft::data {
namespace {

const std::vector<std::int32_t> kSample = {1, 2, 1, 1, 2, 3};

/// If the parent ignores SIGCHLD, the exit status is lost.
TEST(OwnProcess, KilledChildIsReportedThoughItsStatusIsLost) {
  for (const auto handler : {SIG_DFL, SIG_IGN}) {
    const auto before = std::signal(SIGCHLD, handler);
    try {
      in_subprocess("a.h5", "take another", [] { return std::raise(SIGKILL), std::vector<std::uint8_t>(); });
      ADD_FAILURE() << "a result";
    } catch (const Refusal& e) {
      EXPECT_SAYS(std::string(e.what()), "a.h5: cannot be read: the library that reads it ended, by ");
    }
    EXPECT_EQ(in_subprocess("a.h5", "", [] { return std::vector<std::uint8_t>{7}; }), std::vector<std::uint8_t>{7});
    std::signal(SIGCHLD, before);
  }
}

class Hdf5Open : public testing::Test {
 protected:
  Hdf5Open() { write_hdf5(file_, kSample, 2); }

  std::string refusal() {
    try {
      Hdf5Samples({file_}, 10, 2);
    } catch (const Refusal& e) {
      return std::string(e.what()).substr(folder_.path().string().size() + 1);
    }
    return "accepted";
  }

  const test::TemporaryFolder folder_;
  const std::string file_ = folder_ / "a.h5";
};

TEST_F(Hdf5Open, WithoutPermissionSaysSo) {
  ASSERT_EQ(::chmod(file_.c_str(), 0), 0);
  const uid_t before = ::geteuid();
  if (before == 0) {
    ASSERT_EQ(::seteuid(65534), 0);
  }
  const std::string says = refusal();
  if (before == 0) {
    ASSERT_EQ(::seteuid(before), 0);
  }
  EXPECT_EQ(says, "a.h5: cannot be read: Permission denied. HINT: name an existing file that you may read.");
  ASSERT_EQ(::chmod(file_.c_str(), 0644), 0);
  EXPECT_EQ(refusal(), "accepted");
}

TEST_F(Hdf5Open, LockedByItsWriterSaysSo) {
  const int writer = ::open(file_.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::flock(writer, LOCK_EX | LOCK_NB), 0);
  EXPECT_EQ(refusal(), "a.h5: is open for writing in another program. HINT: wait until that program has closed it.");
  ::close(writer);
  EXPECT_EQ(refusal(), "accepted");
}

TEST_F(Hdf5Open, FileSystemWithoutLocksIsReadWithoutLock) {
  for (const int error : {ENOSYS, EOPNOTSUPP, ENOLCK}) {
    flock_error = error;
    EXPECT_EQ(refusal(), "accepted") << error;
  }
  flock_error = 0;
}

TEST_F(Hdf5Open, LeftOpenByAWriterThatWasKilledSaysHowItIsCleared) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  const std::string latest = folder_ / "b.h5";
  const hid_t file = H5Fcreate(latest.c_str(), H5F_ACC_TRUNC | H5F_ACC_SWMR_WRITE, H5P_DEFAULT, access);
  ASSERT_GE(file, 0);
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  std::filesystem::copy_file(latest, file_, std::filesystem::copy_options::overwrite_existing);
  H5Fclose(file);
  H5Pclose(access);
  EXPECT_SAYS(refusal(),
              "a.h5: is marked as open for writing: a program is writing the file, or was killed meanwhile. HINT: "
              "wait for that program; if there is none: h5clear -s ");
  if (std::system("command -v h5clear >/dev/null") == 0) {  // part of hdf5-tools
    ASSERT_EQ(std::system(("h5clear -s " + file_).c_str()), 0);
    EXPECT_SAYS(refusal(), "has no data set");
  }
}

std::size_t pass(unsigned, std::size_t, const unsigned*, std::size_t bytes, std::size_t*, void**) { return bytes; }

/// Writes a file with a filter that is no longer registered when the file is read.
void write_packed(const std::string& path, H5Z_filter_t number, const char* name) {
  const H5Z_class2_t filter = {H5Z_CLASS_T_VERS, number, 1, 1, name, nullptr, nullptr, pass};
  ASSERT_GE(H5Zregister(&filter), 0);
  const std::array<hsize_t, 3> shape = {1, 3, 2};
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(3, shape.data(), nullptr), options = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(options, 3, shape.data());
  H5Pset_filter(options, number, H5Z_FLAG_MANDATORY, 0, nullptr);
  const hid_t data = H5Dcreate2(file, "data", H5T_STD_I32LE, space, H5P_DEFAULT, options, H5P_DEFAULT);
  EXPECT_GE(H5Dwrite(data, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, kSample.data()), 0);
  H5Dclose(data), H5Pclose(options), H5Sclose(space), H5Fclose(file);
  ASSERT_GE(H5Zunregister(number), 0);
}

TEST_F(Hdf5Open, PackedByAFilterThatIsNotInstalledNamesTheFilter) {
  write_packed(file_, 32099, "weft_test");
  EXPECT_SAYS(refusal(),
              "a.h5: is packed by HDF5's filter 32099, weft_test, which is not installed here. HINT: set "
              "HDF5_PLUGIN_PATH");
  write_hdf5(file_, kSample, 2);  // compressed by gzip, as the hint says
  EXPECT_EQ(refusal(), "accepted");
}

/// h5py includes LZF; hdf5plugin and h5repack do not.
TEST_F(Hdf5Open, PackedByLzfSaysThatH5pyReadsIt) {
  write_packed(file_, 32000, "lzf");
  EXPECT_SAYS(refusal(),
              "a.h5: is packed by HDF5's filter 32000, lzf, which is not installed here. HINT: read it with Python's "
              "h5py, which has LZF, and write it with compression=\"gzip\"");
  write_hdf5(file_, kSample, 2);
  EXPECT_EQ(refusal(), "accepted");
}

TEST_F(Hdf5Open, OtherFormatIsReportedByName) {
  folder_.write("a.h5", "PAR1....");
  EXPECT_SAYS(refusal(),
              "a.h5: is a table of Parquet, not an HDF5 file. HINT: give the HDF5 files that the Model Zoo's "
              "preparation of data writes.");
  folder_.write("a.h5", "version https://git-lfs.github.com/spec/v1\n");
  EXPECT_SAYS(refusal(), "a.h5: is a pointer of Git LFS");
  write_hdf5(file_, kSample, 2);
  EXPECT_EQ(refusal(), "accepted");
}

TEST_F(Hdf5Open, DataThatAreInAnotherFileThatIsGoneSayWhatTheLibrarySays) {
  const hid_t file = H5Fcreate(file_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external("gone.h5", "/data", file, "data", H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(file);
  EXPECT_SAYS(refusal(), "a.h5: \"data\" cannot be opened as a data set: ");
}

}  // namespace
}  // namespace weft::data
