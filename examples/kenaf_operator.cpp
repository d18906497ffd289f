// On the control PC: drives Kenaf with one hand, by keys or a gamepad. Orders go to kenaf_controller on the robot's PC.
#include <fcntl.h>
#include <linux/joystick.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <random>

#include "examples/kenaf_hand.hpp"

namespace {

using namespace kenaf_operation;  // NOLINT: a program of its own

volatile std::sig_atomic_t ending = 0;
double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

constexpr const char* kHelp =
    "Drives Kenaf with one hand. Orders go to kenaf_controller on the robot's PC, by UDP.\n\n"
    "  kenaf_operator [--controller HOST:PORT] [--gamepad DEVICE]\n\n"
    "  w s        ahead, back        (or arrows) while the key is held; the robot stops when it is let go\n"
    "  a d        turn left, right\n"
    "  r f, t g   front, rear flippers up and down\n"
    "  1 2 3      slow, medium, fast\n"
    "  space      stop\n"
    "  x          end\n\n"
    "Gamepad: the left stick drives; L1 and L2 lift and lower the front flippers, R1 and R2 the rear ones.\n"
    "--controller is 127.0.0.1:7431, --gamepad /dev/input/js0 where there is one.\n";

struct Options {
  std::string controller = "127.0.0.1:7431", gamepad = "/dev/input/js0";
  bool help = false, wrong = false;
};

Options read_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    const bool has_value = i + 1 < argc;
    if (name == "--help") {
      options.help = true;
    } else if (name == "--controller" && has_value) {
      options.controller = argv[++i];
    } else if (name == "--gamepad" && has_value) {
      options.gamepad = argv[++i];
    } else {
      options.wrong = true;
    }
  }
  return options;
}

// Keys as they are pressed, without echo; as before when it goes.
class Keyboard {
 public:
  Keyboard() {
    is_terminal_ = tcgetattr(STDIN_FILENO, &before_) == 0;
    if (!is_terminal_) return;
    termios raw = before_;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);  // Ctrl-C stays what it is
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSANOW, &raw);
  }
  ~Keyboard() {
    if (is_terminal_) tcsetattr(STDIN_FILENO, TCSANOW, &before_);
  }
  Keyboard(const Keyboard&) = delete;
  Keyboard& operator=(const Keyboard&) = delete;
  [[nodiscard]] bool is_terminal() const { return is_terminal_; }

  // False: the operator wants to end, or the terminal has gone.
  bool read_into(Hand& hand) {
    std::array<char, 64> buffer;
    const ssize_t n = read(STDIN_FILENO, buffer.data(), buffer.size());
    if (n <= 0) return false;  // it was said that there is something to read
    for (ssize_t i = 0; i < n; ++i) {
      char key = buffer[static_cast<std::size_t>(i)];
      // arrows come as three bytes
      if (key == 27 && i + 2 < n && buffer[static_cast<std::size_t>(i) + 1] == '[') {
        key = arrow(buffer[static_cast<std::size_t>(i) + 2]);
        i += 2;
      }
      if (key == 'x') return false;
      hand.press(key, now());
    }
    return true;
  }

 private:
  static char arrow(char letter) {
    constexpr const char* kArrows = "ABCD";
    const char* found = std::strchr(kArrows, letter);
    return found != nullptr && letter != 0 ? "wsda"[found - kArrows] : '?';
  }

  termios before_{};
  bool is_terminal_ = false;
};

// What Linux tells of a gamepad. One that goes lets the stick go.
class Gamepad {
 public:
  explicit Gamepad(const std::string& device) : device_(open(device.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {}
  ~Gamepad() { leave(); }
  Gamepad(const Gamepad&) = delete;
  Gamepad& operator=(const Gamepad&) = delete;
  [[nodiscard]] int descriptor() const { return device_; }

  void read_into(Hand& hand) {
    js_event event{};
    ssize_t n = 0;
    while ((n = read(device_, &event, sizeof event)) == sizeof event) take(event);
    const bool gone = n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR);
    if (gone) {
      axes_ = {};
      buttons_ = {};
      leave();
    }
    hand.push(-axes_[1], -axes_[0]);
    hand.lift_by_buttons(buttons_[4] - buttons_[6], buttons_[5] - buttons_[7]);
  }

 private:
  void take(const js_event& event) {
    const int kind = event.type & ~JS_EVENT_INIT;
    if (kind == JS_EVENT_AXIS && event.number < axes_.size()) axes_[event.number] = event.value / 32767.0;
    if (kind == JS_EVENT_BUTTON && event.number < buttons_.size()) buttons_[event.number] = event.value != 0 ? 1 : 0;
  }
  void leave() {
    if (device_ >= 0) close(device_);
    device_ = -1;
  }

  int device_;
  std::array<double, 2> axes_{};
  std::array<int, 8> buttons_{};
};

// The robot as last heard, in one line.
std::string describe(const std::optional<Report>& report, double heard_s, const Order& order, double speed_mm) {
  if (!report) return "no controller answers";
  const double silent_s = now() - heard_s;
  if (silent_s > 1) return print("NO ANSWER for %.0f s", silent_s);
  const Report& r = *report;
  std::string text = r.age_s > 1 ? print("ROBOT SILENT for %.0f s  ", r.age_s) : "";
  if (r.fallen != 0) text += "FALLEN OVER  ";
  return text +
         print("speed %.0f: %+.0f %+.0f mm/s  front %.0f rear %.0f  roll %+.0f pitch %+.0f yaw %+.0f  battery %.0f s",
               speed_mm, order.left_mm, order.right_mm, (r.flipper_deg[0] + r.flipper_deg[1]) / 2,
               (r.flipper_deg[2] + r.flipper_deg[3]) / 2, r.roll_deg, r.pitch_deg, r.yaw_deg, r.battery_s);
}

void show(const std::string& text) {
  winsize size{};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  std::printf("\r%s\x1b[K", text.substr(0, known ? size.ws_col - 1u : 200u).c_str());
  std::fflush(stdout);
}

std::optional<Report> receive(int socket) {
  std::optional<Report> newest;
  std::array<char, 300> buffer;
  for (ssize_t n = 0; (n = recv(socket, buffer.data(), buffer.size(), 0)) > 0;) {
    if (auto report = parse_report({buffer.data(), static_cast<std::size_t>(n)})) newest = report;
  }
  return newest;
}

class Console {
 public:
  Console(int socket, const std::string& gamepad) : socket_(socket), gamepad_(gamepad) {
    std::signal(SIGPIPE, SIG_IGN);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, [](int) { ending = 1; });
  }
  [[nodiscard]] bool usable() const { return keyboard_.is_terminal() || gamepad_.descriptor() >= 0; }

  void run() {
    for (bool goes_on = true; goes_on && ending == 0;) {
      goes_on = wait_for_input();
      if (const auto report = receive(socket_)) take(*report);
      if (now() < next_s_) continue;
      next_s_ = now() + 0.05;
      send(hand_.order(now()));
    }
    hand_.stop();
    for (int i = 0; i < 3; ++i) send(hand_.order(now()));  // one of them will arrive
    std::printf("\n");
  }

 private:
  bool wait_for_input() {
    std::array<pollfd, 3> watched{{{keyboard_.is_terminal() ? STDIN_FILENO : -1, POLLIN, 0},
                                   {gamepad_.descriptor(), POLLIN, 0},
                                   {socket_, POLLIN, 0}}};
    poll(watched.data(), watched.size(), 20);
    if (watched[1].revents != 0) gamepad_.read_into(hand_);
    return watched[0].revents == 0 || keyboard_.read_into(hand_);
  }
  void take(const Report& report) {
    report_ = report;
    heard_s_ = now();
    hand_.see_flippers((report.flipper_deg[0] + report.flipper_deg[1]) / 2,
                       (report.flipper_deg[2] + report.flipper_deg[3]) / 2);
  }
  void send(Order order) {
    order.session = session_;
    order.sequence = ++sequence_;
    const std::string text = to_text(order);
    ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
    show(describe(report_, heard_s_, order, hand_.speed_mm()));
  }

  int socket_;
  Keyboard keyboard_;
  Gamepad gamepad_;
  Hand hand_;
  unsigned session_ = std::random_device{}(), sequence_ = 0;
  std::optional<Report> report_;
  double heard_s_ = 0, next_s_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const Options options = read_options(argc, argv);
  if (options.help || options.wrong) {
    std::fputs(kHelp, options.help ? stdout : stderr);
    return options.help ? 0 : 2;
  }
  const int socket = open_socket(options.controller, false);
  if (socket < 0) {
    std::fprintf(stderr, "kenaf_operator: there is no address %s\n", options.controller.c_str());
    return 2;
  }
  Console console(socket, options.gamepad);
  if (!console.usable()) {
    std::fprintf(stderr, "kenaf_operator: neither a terminal for keys nor a gamepad\n");
    return 2;
  }
  console.run();
  return 0;
}
