/// Opens HDF5 files, and reports the cause of a failure, which the library's return value does not show.
#pragma once

#include <hdf5.h>

#include <mutex>
#include <string>

namespace weft::data {

/// The library is not thread-safe: all of its functions are called under this mutex.
std::mutex& hdf5_mutex();

/// Opens a file for reading; without a lock if its file system has none. Throws Refusal that names the cause: missing
/// permission, a writer, another format, a truncated file.
hid_t open_hdf5(const std::string& path);

/// The cause of the library's last failure, which is its innermost message; empty if there is none.
std::string hdf5_cause();

/// Throws Refusal if `why` shows that a newer library wrote the file: some parts of such a file can still be opened.
void check_hdf5_version(const std::string& path, const std::string& why);

/// Throws Refusal that names the first filter of a data set that is not installed, if there is one.
void check_filters(const std::string& path, hid_t data);

}  // namespace weft::data
