/// Makes system calls fail in this process and its children, as on another file system, by a kernel filter under which
/// the real program can run unchanged.
#pragma once

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft::test {

struct FailingCall {
  long number = 0;         ///< SYS_flock
  int error = 0;           ///< EOPNOTSUPP
  int with_argument = -1;  ///< fails only if this argument, counted from 0, is not 0; -1: always
};

/// Installs the filter permanently. Returns false if the kernel has no such filters.
inline bool fail_system_calls(const std::vector<FailingCall>& calls) {
  std::vector<sock_filter> filter;
  const auto load = [&](std::size_t offset) {
    filter.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)));
  };
  for (const FailingCall& call : calls) {
    const bool any = call.with_argument < 0;
    load(offsetof(seccomp_data, nr));
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call.number), 0,
                              static_cast<std::uint8_t>(any ? 1 : 3)));
    if (!any) {
      load(offsetof(seccomp_data, args) + 8 * static_cast<std::size_t>(call.with_argument));
      filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0));
    }
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(call.error)));
  }
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

}  // namespace weft::test
