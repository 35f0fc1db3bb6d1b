/// Marks the names that libweft.so exports, and members of exported classes that it does not export.
#pragma once

#define WEFT_API __attribute__((visibility("default")))
#define WEFT_LOCAL __attribute__((visibility("hidden")))
