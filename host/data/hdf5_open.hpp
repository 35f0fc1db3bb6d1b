/// Opens HDF5 files, and names the cause where that fails: the library's own answer is "no".
#pragma once

#include <hdf5.h>

#include <string>

namespace weft {

/// Opens a file to be read; where its file system has no locks, without one. Throws Refusal that names the cause: no
/// permission, a writer, another format, a file cut short.
hid_t open_hdf5(const std::string& path);

/// The cause of the library's last failure, its innermost message; empty if it has none.
std::string hdf5_cause();

/// Throws a Refusal if the library's cause is that a newer one wrote the file: some parts of such a file can be opened.
void check_hdf5_version(const std::string& path, const std::string& why);

/// Throws Refusal that names the first filter of a data set that is not installed here, if there is one.
void check_filters(const std::string& path, hid_t data);

}  // namespace weft
