#include "forerun/serve/serve_robot.hpp"

#include <unistd.h>

#include <utility>

#include "forerun/atlas/setting.hpp"
#include "forerun/base/check.hpp"
#include "forerun/io/key_file.hpp"
#include "forerun/net/resolve.hpp"
#include "forerun/net/sodium_cipher.hpp"
#include "forerun/serve/robot_service.hpp"
#include "forerun/sync/noise.hpp"

namespace forerun::serve {
namespace {

constexpr double kTurn = 0.1;  // `go_on` is asked at least so often [s]

class FunctionRobot final : public ServedRobot {
 public:
  explicit FunctionRobot(const RobotFunctions& functions) : functions_(functions) {
    FORERUN_CHECK(functions_.look != nullptr);
  }

  std::optional<robot::Report> look(RobotTime now) override { return functions_.look(now); }
  void listen(RobotTime) override {}
  std::span<const int> descriptors() override { return {}; }
  std::string describe() const override { return "served"; }

  robot::Reply execute(const robot::Command& command, const sync::CommandInfo&) noexcept override {
    return functions_.obey ? functions_.obey(command) : robot::refuse(robot::Refusal::not_able);
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

Result<RobotService::Setup> make_setup(const ServeSetup& setup) {
  RobotService::Setup service{.look_interval = from_seconds(setup.interval_s)};
  const auto listen = net::resolve(setup.listen);
  if (!listen) return listen.error();
  service.link.listen = *listen;
  const auto folder = io::find_key_folder(setup.keys);
  if (!folder) return folder.error();
  service.key_folder = *folder;
  const auto keys = load_or_make_keys(*folder);
  if (!keys) return keys.error();
  service.link.keys = *keys;
  service.link.params.anyone_may_watch = setup.anyone_may_watch;
  return service;
}

}  // namespace

Result<void> serve_robot(const ServeSetup& setup, const RobotFunctions& functions, const std::function<bool()>& go_on) {
  auto world = atlas::load_named_world(setup.world);
  if (!world) return world.error();
  auto description = atlas::load_named_robot(setup.robot);
  if (!description) return description.error();
  auto with = make_setup(setup);
  if (!with) return with.error();
  if (functions.on_complaint) with->on_complaint = functions.on_complaint;
  const sim::Setting setting{std::move(*world), std::move(*description), {}, {}};
  FunctionRobot robot(functions);
  auto service = RobotService::open(*with, setting, robot);
  if (!service) return service.error();
  if (functions.on_open) {
    functions.on_open({net::to_string((*service)->server().local_address()), io::show_key(with->link.keys.open)});
  }
  while (go_on()) (*service)->turn(kTurn);
  return {};
}

}  // namespace forerun::serve
