#include "forerun/bridge/usarsim_server.hpp"

#include <algorithm>
#include <utility>

#include "forerun/net/steady_time.hpp"
#include "forerun/net/wait.hpp"
#include "forerun/physics/jpeg.hpp"

namespace forerun::bridge {
namespace {

constexpr double kPause = 0.002;         // between looks at the clients, when nobody says anything [s]
constexpr double kMostBehind = 0.1;      // more than that is not caught up with [s]
constexpr std::size_t kMostWatched = 8;  // descriptors that end a pause early

void pause(std::vector<int> descriptors) {
  if (descriptors.size() > kMostWatched) descriptors.resize(kMostWatched);
  (void)net::wait_readable(descriptors, kPause);
}

void put_u32(std::string& out, std::size_t value) {
  for (const int shift : {24, 16, 8, 0}) out += static_cast<char>(value >> shift);
}
void put_u16(std::string& out, int value) {
  for (const int shift : {8, 0}) out += static_cast<char>(value >> shift);
}

}  // namespace

UsarsimServer::UsarsimServer(KenafSimulator simulator, const UsarsimParams& params)
    : simulator_(std::move(simulator)), params_(params) {}

Result<std::unique_ptr<UsarsimServer>> UsarsimServer::open(KenafSimulator simulator, const UsarsimParams& params) {
  std::unique_ptr<UsarsimServer> server(new UsarsimServer(std::move(simulator), params));
  if (auto listening = server->listen(); !listening) return listening.error();
  return server;
}

Result<void> UsarsimServer::listen() {
  const auto lines_at = net::resolve(params_.listen);
  if (!lines_at) return lines_at.error();
  const auto images_at = net::resolve(params_.images);
  if (!images_at) return images_at.error();
  auto lines = net::TcpServer::open(*lines_at,
                                    {[this](int client) {
                                       ++counts_.clients;
                                       clients_.push_back(client);
                                       simulator_.connect(client);
                                     },
                                     [this](int client, std::string_view bytes) { simulator_.receive(client, bytes); },
                                     [this](int client) {
                                       std::erase(clients_, client);
                                       simulator_.disconnect(client);
                                     }});
  if (!lines) return lines.error();
  auto images = net::TcpServer::open(
      *images_at, {[this](int client) { image_clients_.emplace(client, ImageClient{.robot = free_robot()}); },
                   [this](int client, std::string_view bytes) { hear(image_clients_[client], bytes); },
                   [this](int client) { image_clients_.erase(client); }});
  if (!images) return images.error();
  lines_.emplace(std::move(*lines));
  images_.emplace(std::move(*images));
  return {};
}

// The lowest number that no picture client has.
std::size_t UsarsimServer::free_robot() const {
  const auto taken = [this](std::size_t robot) {
    return std::any_of(image_clients_.begin(), image_clients_.end(),
                       [&](const auto& entry) { return entry.second.robot == robot; });
  };
  std::size_t robot = 0;
  while (taken(robot)) ++robot;
  return robot;
}

// Each goes on seeing its robot; who saw one that has gone chooses anew, as if it came now.
void UsarsimServer::follow_robots() {
  for (const std::size_t gone : simulator_.take_gone()) {
    ImageClient* bereft = nullptr;
    for (auto& [number, client] : image_clients_) {
      if (client.robot == gone) bereft = &client;
      if (client.robot > gone) --client.robot;
    }
    if (bereft == nullptr) continue;
    bereft->robot = image_clients_.size();  // out of the way
    bereft->robot = free_robot();
  }
}

// `OK`, with or without an end of line, asks for the next picture.
void UsarsimServer::hear(ImageClient& client, std::string_view bytes) {
  client.unfinished += bytes;
  if (client.unfinished.find("OK") != std::string::npos) {
    client.wants_one = true;
    client.unfinished.clear();
  }
  if (client.unfinished.size() > 1) client.unfinished.erase(0, client.unfinished.size() - 1);
}

void UsarsimServer::send_lines() {
  for (const int client : std::vector<int>(clients_)) {
    const std::string out = simulator_.take_output(client);
    if (!out.empty()) lines_->send(client, out);
  }
}

Result<std::string> UsarsimServer::make_picture(std::size_t robot) {
  const auto view = params_.view == "above" ? KenafSimulator::View::above : KenafSimulator::View::front;
  simulator_.look(robot, view, params_.width, params_.height, picture_);
  std::string data;
  if (params_.quality == 0) {
    put_u16(data, picture_.width);
    put_u16(data, picture_.height);
    data.append(picture_.rgb.begin(), picture_.rgb.end());
  } else {
    auto jpeg = physics::encode_jpeg(picture_, 15 + 17 * params_.quality);
    if (!jpeg) return jpeg.error();
    data = std::move(*jpeg);
  }
  std::string out(1, static_cast<char>(params_.quality));
  put_u32(out, data.size());
  return out + data;
}

void UsarsimServer::send_pictures() {
  if (simulator_.n_robots() == 0) return;
  for (auto& [number, client] : image_clients_) {
    if (!client.wants_one || images_->waiting(number) > 0) continue;
    const auto picture = make_picture(std::min(client.robot, simulator_.n_robots() - 1));
    if (!picture) continue;
    images_->send(number, *picture);
    client.wants_one = false;
    ++counts_.pictures;
  }
}

UsarsimServer::Counts UsarsimServer::run(const std::function<bool()>& go_on) {
  double last = net::read_steady_seconds();
  while (go_on()) {
    const double now = net::read_steady_seconds();
    const double passed = std::min(now - last, kMostBehind);
    counts_.behind += now - last - passed;
    last = now;
    simulator_.advance(passed);
    lines_->serve();
    send_lines();
    follow_robots();
    images_->serve();
    send_pictures();
    std::vector<int> descriptors = lines_->descriptors();
    for (const int descriptor : images_->descriptors()) descriptors.push_back(descriptor);
    pause(std::move(descriptors));
  }
  return counts_;
}

}  // namespace forerun::bridge
