/// Checks of the files that hold the data of an HDF5 file: the file itself, or other files that it names.
#pragma once

#include <hdf5.h>

#include <string>

namespace weft::data {

/// Throws Refusal if the data set `name` is a link to another file that is not a regular file: with a pipe, the library
/// would block forever. Must be called before the data set is opened.
void check_hdf5_link(hid_t file, const std::string& path, const char* name = "data");

/// Opens the data set `name` without the library's cache: it is read in random order, and a cached part might differ
/// from the file. Negative if there is none. Throws Refusal of check_hdf5_link.
hid_t open_hdf5_data(hid_t file, const std::string& path, const char* name = "data");

/// Checks the files that hold the values of an open data set: external storage, and the sources of a virtual data set.
/// Must be called before any value is read.
void check_hdf5_storage(hid_t data, const std::string& path);

}  // namespace weft::data
