// Both ends of the link at one table: virtual time, real ciphers, and every datagram in the test's hands.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "forerun/net/sodium_cipher.hpp"
#include "forerun/sync/client.hpp"
#include "forerun/sync/server.hpp"

namespace forerun::test {

struct Letter {
  bool up = false;  // to the robot side
  sync::Address from;
  sync::Address to;
  std::vector<std::uint8_t> bytes;
};

class Mailbox final : public sync::Outbox {
 public:
  MutableBytes begin() noexcept override { return room_; }
  void send(std::size_t size, const sync::Address& to) noexcept override {
    letters.push_back({up, from, to, {room_.begin(), room_.begin() + static_cast<std::ptrdiff_t>(size)}});
  }

  bool up = false;
  sync::Address from;
  std::deque<Letter> letters;

 private:
  std::array<std::uint8_t, sync::kLargestDatagram> room_{};
};

// Writes down what it is told.
class NotingRobot final : public sync::RobotSide {
 public:
  robot::Reply execute(const robot::Command& command, const sync::CommandInfo& info) noexcept override {
    if (reply.state == robot::Reply::State::refused) return reply;
    executed.push_back(command);
    infos.push_back(info);
    return reply;
  }
  std::optional<Word> next_word() noexcept override {
    if (words.empty()) return std::nullopt;
    const Word word = words.front();
    words.pop_front();
    return word;
  }
  robot::Reply take_object(const sync::BroughtObject& brought) noexcept override {
    if (!takes_objects) return RobotSide::take_object(brought);
    objects.push_back({brought.kind, {brought.bytes.begin(), brought.bytes.end()}});
    return robot::accept();
  }
  void end_hand_driving() noexcept override { ++n_ended; }

  struct Object {
    sync::ObjectKind kind{};
    std::vector<std::uint8_t> bytes;
  };
  std::vector<Object> objects;
  bool takes_objects = true;

  std::vector<robot::Command> executed;
  std::vector<sync::CommandInfo> infos;
  int n_ended = 0;
  robot::Reply reply;      // to each command
  std::deque<Word> words;  // on those that are pending
};

inline const sync::Address kRobotPlace{{10, 1}, 7420};
inline const sync::Address kViewerPlace{{10, 2}, 5000};

struct LinkSetup {
  sync::Role role = sync::Role::operate;  // of the viewer's key
  sync::ServerParams server;
  sync::ClientParams client;
  double delay_s = 0.02;
};

struct VirtualLink {
  explicit VirtualLink(const LinkSetup& given = {}) : setup(given) {
    robot_keys = sync::make_key_pair(cipher);
    viewer_keys = sync::make_key_pair(cipher);
    from_robot.from = kRobotPlace;
    from_viewer.from = kViewerPlace;
    from_viewer.up = true;
    start_server();
    client =
        std::make_unique<sync::Client>(cipher, viewer_keys, robot_keys.open, kRobotPlace, setup.client, viewer_time());
  }

  void start_server() {
    std::vector<sync::AllowedKey> allowed;
    if (setup.role != sync::Role::none) allowed.push_back({viewer_keys.open, setup.role});
    server = std::make_unique<sync::Server>(cipher, robot_keys, allowed, robot, setup.server, robot_time());
  }

  // Two clocks that began at different times.
  [[nodiscard]] RobotTime robot_time() const { return {now.ns + 1'000'000'000'000}; }
  [[nodiscard]] OperatorTime viewer_time() const { return {now.ns + 5'000'000'000'000}; }

  // Lets time pass in steps of 10 ms; reports are sent ten times a second.
  void run(double seconds) {
    const Duration end = now + from_seconds(seconds);
    while (now < end) {
      now += from_seconds(0.01);
      server->tick(robot_time(), from_robot);
      client->tick(viewer_time(), from_viewer);
      if (publishing && now.ns % 100'000'000 == 0) publish();
      post();
      deliver();
    }
  }

  void publish() {
    report.sequence++;
    report.time = robot_time();
    EXPECT_TRUE(server->publish(robot_time(), report, sections));
    while (server->broadcast(robot_time(), 16, from_robot)) {
    }
  }

  std::optional<std::uint64_t> give(const robot::Command& command) {
    const auto number = client->give(viewer_time(), command, from_viewer);
    post();
    return number;
  }

  // Takes what was sent to the road, unless the test keeps it.
  void post() {
    for (Mailbox* box : {&from_robot, &from_viewer}) {
      for (Letter& letter : box->letters) {
        if (connected && (!takes || takes(letter))) on_road.push_back({now + from_seconds(setup.delay_s), letter});
      }
      box->letters.clear();
    }
  }

  void deliver() {
    while (!on_road.empty() && on_road.front().at <= now) {
      const Letter letter = std::move(on_road.front().letter);
      on_road.pop_front();
      hand_over(letter);
    }
  }

  void hand_over(const Letter& letter) {
    if (letter.up) {
      server->receive(robot_time(), letter.from, letter.bytes, from_robot);
    } else {
      client->receive(viewer_time(), letter.from, letter.bytes, from_viewer);
    }
    post();
  }

  struct Travelling {
    Duration at;
    Letter letter;
  };

  LinkSetup setup;
  net::SodiumCipher cipher;
  sync::KeyPair robot_keys, viewer_keys;
  Duration now;
  NotingRobot robot;
  std::unique_ptr<sync::Server> server;
  std::unique_ptr<sync::Client> client;
  Mailbox from_robot, from_viewer;
  std::deque<Travelling> on_road;
  robot::Report report;
  std::vector<std::uint8_t> sections;  // of all reports
  bool connected = true;               // the road is open
  bool publishing = true;
  std::function<bool(const Letter&)> takes;  // false: the letter is lost
};

}  // namespace forerun::test
