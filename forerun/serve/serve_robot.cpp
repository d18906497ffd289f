#include "forerun/serve/serve_robot.hpp"

#include <unistd.h>

#include <algorithm>

#include "forerun/base/bytes.hpp"
#include "forerun/io/key_file.hpp"
#include "forerun/io/setting.hpp"
#include "forerun/net/resolve.hpp"
#include "forerun/net/robot_server.hpp"
#include "forerun/net/sodium_cipher.hpp"
#include "forerun/sim/model_bytes.hpp"
#include "forerun/sync/noise.hpp"

namespace forerun::serve {
namespace {

class FunctionRobot final : public sync::RobotSide {
 public:
  explicit FunctionRobot(const RobotFunctions& functions) : functions_(functions) {}
  bool execute(const robot::Command& command, const sync::CommandInfo&) noexcept override {
    return functions_.obey && functions_.obey(command);
  }
  void end_hand_driving() noexcept override {
    if (functions_.come_to_rest) functions_.come_to_rest();
  }

 private:
  const RobotFunctions& functions_;
};

Result<sync::KeyPair> load_or_make_keys(const std::string& folder) {
  net::SodiumCipher cipher;
  if (access((folder + "/secret.key").c_str(), F_OK) != 0) {
    const auto made = io::create_keys(folder, sync::make_key_pair(cipher), io::Existing::keep);
    if (!made) return made.error();
  }
  return io::load_keys(folder, [&](const sync::Key& secret) { return cipher.open_half(secret); });
}

Result<net::RobotServer::Setup> make_link(const ServeSetup& setup) {
  net::RobotServer::Setup link;
  const auto listen = net::resolve(setup.listen);
  if (!listen) return listen.error();
  link.listen = *listen;
  const auto folder = io::find_key_folder(setup.keys);
  if (!folder) return folder.error();
  const auto keys = load_or_make_keys(*folder);
  if (!keys) return keys.error();
  link.keys = *keys;
  const auto allowed = io::load_allowed(*folder);
  if (!allowed) return allowed.error();
  for (const io::AllowedKey& entry : *allowed) link.allowed.push_back({entry.key, entry.role});
  link.params.anyone_may_watch = setup.anyone_may_watch;
  return link;
}

// What the robot itself does not know.
Result<robot::Report> offer_model(const ServeSetup& setup, const sync::Key& open_key, net::RobotServer& server) {
  const auto world = io::load_named_world(setup.world);
  if (!world) return world.error();
  const auto robot = io::load_named_robot(setup.robot);
  if (!robot) return robot.error();
  robot::Report stamp;
  stamp.robot = ByteReader(open_key).u32();
  stamp.model = server.offer(sync::ObjectKind::model, sim::pack_model(*world, *robot));
  return stamp;
}

}  // namespace

Result<void> serve_robot(const ServeSetup& setup, const RobotFunctions& functions, const std::function<bool()>& go_on) {
  FunctionRobot robot(functions);
  const auto link = make_link(setup);
  if (!link) return link.error();
  auto server = net::RobotServer::open(*link, robot);
  if (!server) return server.error();
  auto stamp = offer_model(setup, link->keys.open, *server);
  if (!stamp) return stamp.error();
  if (functions.on_open) functions.on_open({net::to_string(server->local_address()), io::show_key(link->keys.open)});

  const Duration interval = from_seconds(setup.interval_s);
  for (RobotTime next = server->now(); go_on();) {
    if (server->now() >= next) {
      // after a pause of the machine it goes on, and does not make up for what was missed
      next = std::max(next + interval, server->now());
      if (auto report = functions.look(server->now())) {
        report->robot = stamp->robot;
        report->model = stamp->model;
        report->sequence = stamp->sequence++;
        if (!server->publish(*report))
          return Error{"a state of the robot cannot be sent: its numbers are out of range"};
      }
    }
    server->poll(std::clamp(to_seconds(next - server->now()), 0.0, 0.1));
  }
  return {};
}

}  // namespace forerun::serve
