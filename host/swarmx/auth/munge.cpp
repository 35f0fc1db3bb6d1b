#include "host/swarmx/auth/munge.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "sw/base/refusal.hpp"

namespace weft::swarmx {
namespace {

// Values from munge.h of version 0.5, which hold for every libmunge.so.2.
constexpr int kOptSocket = 8, kOptUidRestriction = 9;
constexpr int kSuccess = 0;
constexpr int kOurs[] = {1, 5, 6, 7};  // internal error, no memory, the daemon's socket, timeout

[[noreturn]] void refuse(const std::string& problem) {
  throw Refusal("MUNGE", problem,
                "install munge, the same key on all machines, and start munged; or give all ranks "
                "--swarmx.key_file FILE");
}

}  // namespace

struct Munge::Library {
  void* handle = ::dlopen("libmunge.so.2", RTLD_NOW | RTLD_LOCAL);
  int (*encode)(char** credential, void* context, const void* payload, int size) = nullptr;
  int (*decode)(const char* credential, void* context, void** payload, int* size, uid_t* user, gid_t* group) = nullptr;
  void* (*create)() = nullptr;
  void (*destroy)(void* context) = nullptr;
  int (*set)(void* context, int option, ...) = nullptr;
  const char* (*error)(void* context) = nullptr;
  const char* (*text)(int error) = nullptr;

  Library() {
    if (handle == nullptr) refuse(std::string("is not installed: ") + ::dlerror());
    find(encode, "munge_encode");
    find(decode, "munge_decode");
    find(create, "munge_ctx_create");
    find(destroy, "munge_ctx_destroy");
    find(set, "munge_ctx_set");
    find(error, "munge_ctx_strerror");
    find(text, "munge_strerror");
  }  // it stays loaded: other threads of the system may be in it

 private:
  template <class Function>
  void find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(::dlsym(handle, name));
    if (function == nullptr) refuse(std::string("libmunge.so.2 has no ") + name);
  }
};

class Munge::Context {
 public:
  explicit Context(const Munge& munge) : library_(*munge.library_), context_(library_.create()) {
    if (context_ == nullptr) throw std::bad_alloc();
    if (!munge.socket_.empty()) library_.set(context_, kOptSocket, munge.socket_.c_str());
  }
  ~Context() { library_.destroy(context_); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  void* get() const { return context_; }
  std::string problem(int error) const {
    const char* longer = library_.error(context_);
    return longer != nullptr ? longer : library_.text(error);
  }

 private:
  const Library& library_;
  void* context_;
};

Munge::Munge(std::string socket) : socket_(std::move(socket)), library_(std::make_unique<const Library>()) {
  encode({});  // checks that a daemon answers
}

Munge::~Munge() = default;

std::string Munge::encode(std::span<const std::uint8_t> payload) const {
  const Context context(*this);
  library_->set(context.get(), kOptUidRestriction, ::geteuid());
  char* made = nullptr;
  const int error = library_->encode(&made, context.get(), payload.data(), static_cast<int>(payload.size()));
  if (error != kSuccess) refuse(context.problem(error));
  std::string credential = made;
  std::free(made);
  return credential;
}

Munge::Decoded Munge::decode(const std::string& credential) const {
  const Context context(*this);
  void* payload = nullptr;
  int size = 0;
  uid_t user = 0;
  gid_t group = 0;
  const int error = library_->decode(credential.c_str(), context.get(), &payload, &size, &user, &group);
  Decoded decoded;
  if (error != kSuccess) decoded.problem = context.problem(error);
  decoded.ours = std::ranges::find(kOurs, error) != std::end(kOurs);
  const auto* bytes = static_cast<const std::uint8_t*>(payload);
  if (error == kSuccess && bytes != nullptr) decoded.payload.assign(bytes, bytes + size);
  decoded.user = user;
  std::free(payload);
  return decoded;
}

}  // namespace weft::swarmx
