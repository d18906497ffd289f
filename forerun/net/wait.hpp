// Sleeping until something arrives.
#pragma once

#include <span>

namespace forerun::net {

// True when at least one of these file descriptors can be read (or has failed, which reading will tell); false when
// the time is up, or a signal came. All of them are non-blocking, so callers simply try each. At most 8 descriptors.
[[nodiscard]] bool wait_readable(std::span<const int> descriptors, double timeout_s) noexcept;

// The same, and also true when `writable` has room again: a socket whose datagrams wait for their receivers, or for the
// network, has none.
[[nodiscard]] bool wait_readable_or_writable(std::span<const int> descriptors, int writable, double timeout_s) noexcept;
[[nodiscard]] bool is_writable(int descriptor) noexcept;

}  // namespace forerun::net
