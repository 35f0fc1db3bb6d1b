/// The functions of Boost.Asio that are no templates. Header-only, every file that includes Asio would compile them.
#include <boost/asio/impl/src.hpp>
