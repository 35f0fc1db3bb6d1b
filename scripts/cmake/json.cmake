# gen/nlohmann/json.hpp: nlohmann's header without the bodies of its literals ("..."_json), which nothing here uses. They
# instantiate the parser in every file that reads the header, half a second each. gen/ is searched before the system's
# headers. A version without such bodies stays as it is.
find_path(WEFT_JSON_INCLUDE nlohmann/json.hpp REQUIRED)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${WEFT_JSON_INCLUDE}/nlohmann/json.hpp)
file(READ ${WEFT_JSON_INCLUDE}/nlohmann/json.hpp text)
string(REGEX REPLACE "{[ \n]*return nlohmann::json::parse\\([^{}]*}" ";" text "${text}")
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/gen/nlohmann/json.hpp CONTENT "#pragma GCC system_header\n@text@" @ONLY)
unset(text)
