// Tells the service manager that started this program that it is ready.
#pragma once

namespace forerun::net {

// Sends READY=1 to $NOTIFY_SOCKET, as systemd's Type=notify expects. Does nothing where that is not set.
void notify_ready() noexcept;

}  // namespace forerun::net
