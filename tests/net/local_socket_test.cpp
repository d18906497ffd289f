#include "forerun/net/local_socket.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <thread>

#include "forerun/net/line_buffer.hpp"
#include "forerun/net/local_robot.hpp"
#include "tests/support/temp_folder.hpp"

namespace forerun::net {
namespace {

// The other program, with plain system calls.
struct Client {
  explicit Client(const std::string& where) {
    if (where.rfind("unix:", 0) == 0) {
      socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
      sockaddr_un address{};
      address.sun_family = AF_UNIX;
      std::strncpy(address.sun_path, where.c_str() + 5, sizeof address.sun_path - 1);
      connected = connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    } else {
      socket = ::socket(AF_INET, SOCK_DGRAM, 0);
      sockaddr_in address{};
      address.sin_family = AF_INET;
      address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(where.substr(where.rfind(':') + 1))));
      connected = connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    }
  }
  ~Client() { leave(); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void leave() {
    if (socket >= 0) close(socket);
    socket = -1;
  }
  void say(const std::string& text) const {
    EXPECT_EQ(::send(socket, text.data(), text.size(), MSG_NOSIGNAL), static_cast<ssize_t>(text.size()));
  }
  // What has come; "closed" at the end.
  [[nodiscard]] std::string heard() const {
    char text[65536];
    const ssize_t n = recv(socket, text, sizeof text, MSG_DONTWAIT);
    if (n == 0) return "closed";
    return n < 0 ? "" : std::string(text, static_cast<std::size_t>(n));
  }

  int socket = -1;
  bool connected = false;
};

std::vector<std::string> receive(LocalSocket& socket) {
  std::vector<std::string> lines;
  socket.receive({.on_line = [&](std::string_view line) { lines.emplace_back(line); },
                  .on_too_long = [&] { lines.emplace_back("too long"); }});
  return lines;
}

using Lines = std::vector<std::string>;

Lines cut(const std::vector<std::string>& pieces) {
  LineBuffer buffer;
  Lines lines;
  for (const std::string& piece : pieces) {
    buffer.feed(
        piece, [&](std::string_view line) { lines.emplace_back(line); }, [&] { lines.emplace_back("too long"); });
  }
  return lines;
}

TEST(LineBuffer, CutsAtBreaksWhereverThePiecesEnd) {
  EXPECT_EQ(cut({"one\ntwo\n"}), (Lines{"one", "two"}));
  EXPECT_EQ(cut({"o", "n", "e\nt", "wo", "\n", "rest"}), (Lines{"one", "two"}));
  EXPECT_EQ(cut({"one\r\n\n\r\ntwo\n"}), (Lines{"one", "two"}));
}

TEST(LineBuffer, SkipsLinesThatAreTooLong) {
  const std::string longest(kLongestLine, 'x');
  EXPECT_EQ(cut({longest + "\n"}), Lines{longest});
  EXPECT_EQ(cut({longest + "x\nnext\n"}), (Lines{"too long", "next"}));
  EXPECT_EQ(cut({longest, longest, longest, "\nnext\n"}), (Lines{"too long", "next"}));
}

TEST(LocalSocket, LinesGoBothWaysOverUnix) {
  const test::TempFolder folder;
  auto socket = LocalSocket::open("unix:" + folder.file("robot"));
  ASSERT_TRUE(socket.ok()) << socket.error().message;
  EXPECT_FALSE(socket->connected());
  EXPECT_FALSE(socket->send("nobody"));
  const Client client(socket->where());
  ASSERT_TRUE(client.connected);
  client.say("hello\nhalf");
  EXPECT_EQ(receive(*socket), Lines{"hello"});
  EXPECT_TRUE(socket->connected());
  EXPECT_EQ(socket->descriptors().size(), 2u);
  client.say(" a line\n");
  EXPECT_EQ(receive(*socket), Lines{"half a line"});
  EXPECT_TRUE(socket->send("answer"));
  EXPECT_EQ(client.heard(), "answer\n");
}

TEST(LocalSocket, LinesGoBothWaysOverUdp) {
  auto socket = LocalSocket::open("udp:127.0.0.1:0");
  ASSERT_TRUE(socket.ok()) << socket.error().message;
  EXPECT_FALSE(socket->send("nobody"));
  const Client client(socket->where());
  client.say("one\ntwo");
  client.say("three\n");
  EXPECT_EQ(receive(*socket), (Lines{"one", "two", "three"}));
  EXPECT_TRUE(socket->send("answer"));
  EXPECT_EQ(client.heard(), "answer\n");
  // whoever spoke last is answered
  const Client other(socket->where());
  other.say("here");
  EXPECT_EQ(receive(*socket), Lines{"here"});
  EXPECT_TRUE(socket->send("again"));
  EXPECT_EQ(client.heard(), "");
  EXPECT_EQ(other.heard(), "again\n");
  EXPECT_EQ(socket->counts().connected, 2u);
  other.say(std::string(kLongestLine + 1, 'x') + "\nshort");
  EXPECT_EQ(receive(*socket), (Lines{"too long", "short"}));
}

TEST(LocalSocket, OnlyTheOwnerMayConnectAndTheFileGoesWithTheSocket) {
  const test::TempFolder folder;
  const std::string path = folder.file("robot");
  {
    auto socket = LocalSocket::open("unix:" + path);
    struct stat status {};
    ASSERT_EQ(stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600u);
    EXPECT_EQ(LocalSocket::open("unix:" + path).error().message, "unix:" + path + " is in use by another program");
  }
  EXPECT_NE(access(path.c_str(), F_OK), 0);
}

// A service has an account of its own; the control system's is in the same group.
TEST(LocalSocket, TheGroupMayConnectWhereThatIsAsked) {
  const test::TempFolder folder;
  auto socket = LocalSocket::open("unix-group:" + folder.file("robot"));
  ASSERT_TRUE(socket) << socket.error().message;
  struct stat status {};
  ASSERT_EQ(stat(folder.file("robot").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0660u);
}

TEST(LocalSocket, AFileLeftByADeadProgramIsReplacedAndOthersAreNot) {
  const test::TempFolder folder;
  const std::string path = folder.file("robot");
  const int dead = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  ASSERT_EQ(bind(dead, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  close(dead);
  EXPECT_TRUE(LocalSocket::open("unix:" + path).ok());
  const std::string text = folder.write("text", "mine");
  EXPECT_EQ(LocalSocket::open("unix:" + text).error().message, "unix:" + text + " exists and is no socket");
  EXPECT_EQ(folder.read("text"), "mine");
}

TEST(LocalSocket, BadPlacesAreRefusedWithASentence) {
  EXPECT_EQ(LocalSocket::open("tcp:1").error().message,
            "the robot's socket \"tcp:1\" must be unix:PATH, unix-group:PATH or udp:ADDRESS:PORT, for example "
            "udp:127.0.0.1:4711");
  EXPECT_EQ(LocalSocket::open("unix:").error().message,
            "the path of a Unix socket has 0 bytes, but must have 1 to 107");
  EXPECT_EQ(LocalSocket::open("unix:" + std::string(200, 'a')).error().message,
            "the path of a Unix socket has 200 bytes, but must have 1 to 107");
  for (const char* place : {"udp:0.0.0.0:5000", "udp::5000", "udp:[::]:5000"}) {
    const auto socket = LocalSocket::open(place);
    ASSERT_FALSE(socket.ok()) << place;
    EXPECT_NE(socket.error().message.find("must be an address of this machine alone"), std::string::npos) << place;
  }
  EXPECT_FALSE(LocalSocket::open("udp:127.0.0.1:99999").ok());
  EXPECT_FALSE(LocalSocket::open("unix:/no/such/folder/robot").ok());
}

TEST(LocalSocket, ASecondProgramIsSentAwayAndComesInWhenTheFirstHasGone) {
  const test::TempFolder folder;
  auto socket = LocalSocket::open("unix:" + folder.file("robot"));
  Client first(socket->where());
  first.say("first\n");
  EXPECT_EQ(receive(*socket), Lines{"first"});
  const Client second(socket->where());
  receive(*socket);
  EXPECT_EQ(second.heard(), "{\"error\":\"another control system is connected\"}\n");
  EXPECT_EQ(second.heard(), "closed");
  EXPECT_EQ(socket->counts().refused, 1u);
  // its last words are heard, and half a line is not the beginning of another program's
  first.say("last words\nhal");
  first.leave();
  const Client third(socket->where());
  third.say("third\n");
  EXPECT_EQ(receive(*socket), (Lines{"last words", "third"}));
  EXPECT_TRUE(socket->send("welcome"));
  EXPECT_EQ(third.heard(), "welcome\n");
}

TEST(LocalSocket, AProgramThatNeverReadsIsDisconnectedAndGetsNothingOldLater) {
  const test::TempFolder folder;
  auto socket = LocalSocket::open("unix:" + folder.file("robot"));
  const Client deaf(socket->where());
  deaf.say("I am here\n");
  receive(*socket);
  const std::string line(60, 'c');
  int taken = 0;
  while (taken < 100000 && socket->send(line)) ++taken;
  EXPECT_GT(taken, 10);
  EXPECT_LT(taken, 1000);
  EXPECT_FALSE(socket->connected());
  EXPECT_EQ(socket->counts().deaf, 1u);
  const Client again(socket->where());
  again.say("back\n");
  EXPECT_EQ(receive(*socket), Lines{"back"});
  EXPECT_EQ(again.heard(), "");
}

TEST(LocalSocket, LinesThatMayBeMissedDisconnectNobody) {
  const test::TempFolder folder;
  auto socket = LocalSocket::open("unix:" + folder.file("robot"));
  const Client deaf(socket->where());
  deaf.say("I am here\n");
  receive(*socket);
  const std::string line(60, 'c');
  for (int i = 0; i < 5000; ++i) socket->send_if_possible(line);
  EXPECT_TRUE(socket->connected());
  EXPECT_GT(socket->counts().unsent, 4000u);
}

TEST(LocalSocket, AFloodIsTakenInPieces) {
  const test::TempFolder folder;
  auto socket = LocalSocket::open("unix:" + folder.file("robot"));
  const Client client(socket->where());
  const std::string flood(100000, 'f');  // without a break
  std::thread sender([&] {
    for (int i = 0; i < 50; ++i) client.say(flood);
    client.say("\nend\n");
  });
  Lines lines;
  for (int i = 0; i < 100000 && (lines.empty() || lines.back() != "end"); ++i) {
    for (std::string& line : receive(*socket)) lines.push_back(std::move(line));
  }
  sender.join();
  EXPECT_EQ(lines, (Lines{"too long", "end"}));
}

TEST(LocalRobot, StatesComeInCommandsGoOutAndMistakesAreAnswered) {
  const test::TempFolder folder;
  robot::Report usual;
  usual.limits = {0.5, 1};
  auto robot = LocalRobot::open("unix:" + folder.file("robot"), usual);
  ASSERT_TRUE(robot.ok());
  EXPECT_FALSE(robot->poll().has_value());
  EXPECT_FALSE(robot->command({1, {robot::CommandKind::stop, {}, {}}}));
  const Client client(robot->socket().where());
  client.say("{\"t_s\":1,\"x_m\":1,\"y_m\":2,\"theta_rad\":0}\n{\"t_s\":2,\"x_m\":3,\"y_m\":2,\"theta_rad\":0}\n");
  const auto report = robot->poll();
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(report->state.pose.x, 3);
  EXPECT_EQ(report->limits, usual.limits);
  EXPECT_TRUE(robot->command({5, {robot::CommandKind::stop, {}, {}}}));
  EXPECT_EQ(client.heard(), "{\"command\":\"stop\",\"number\":5}\n");

  client.say("nonsense\n{\"t_s\":3,\"x_m\":4,\"y_m\":2,\"theta_rad\":0}\n" + std::string(5000, 'x') + "\n");
  EXPECT_EQ(robot->poll()->state.pose.x, 4);
  EXPECT_EQ(robot->n_refused_lines(), 2u);
  EXPECT_EQ(client.heard(), "{\"error\":\"the line is not JSON\"}\n");
}

TEST(LocalRobot, AnswersAreThoseOfTheControlSystemThatIsHere) {
  const test::TempFolder folder;
  auto robot = LocalRobot::open("unix:" + folder.file("robot"));
  ASSERT_TRUE(robot.ok());
  {
    const Client client(robot->socket().where());
    client.say("{\"t_s\":1,\"x_m\":1,\"y_m\":2,\"theta_rad\":0}\n");
    EXPECT_TRUE(robot->poll().has_value());
    EXPECT_FALSE(robot->answers());
    client.say("{\"refused\":3,\"reason\":\"no\\u001b[2Jthing\"}\n{\"accepted\":4}\n{\"refused\":-1}\n");
    EXPECT_FALSE(robot->poll().has_value());
    EXPECT_TRUE(robot->answers());
    const auto answers = robot->take_answers();
    ASSERT_EQ(answers.size(), 2u);
    EXPECT_EQ(answers[0].number, 3u);
    EXPECT_EQ(answers[0].reply.refusal, robot::Refusal::other);
    EXPECT_EQ(answers[0].reply.words.view(), "no [2Jthing");
    EXPECT_EQ(answers[1].reply.state, robot::Reply::State::accepted);
    EXPECT_EQ(client.heard(), "{\"error\":\"refused is -1, but must be a whole number, 0 or more\"}\n");
  }
  EXPECT_FALSE(robot->poll().has_value());
  const Client next(robot->socket().where());
  EXPECT_FALSE(robot->poll().has_value());
  EXPECT_FALSE(robot->answers()) << "that was another one";
  next.say("{\"answers\":true}\n");
  EXPECT_FALSE(robot->poll().has_value());
  EXPECT_TRUE(robot->answers());
  EXPECT_TRUE(robot->take_answers().empty());
}

}  // namespace
}  // namespace forerun::net
