#include "forerun/cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "forerun/io/part_files.hpp"

namespace forerun::cli {
namespace {

using namespace std::chrono_literals;

volatile std::sig_atomic_t g_interrupted = 0;

volatile std::sig_atomic_t g_noted_at = 0;  // [ms] of a clock that is never set, as far as the type holds

std::sig_atomic_t clock_ms() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::sig_atomic_t>((now.tv_sec % 1'000'000) * 1000 + now.tv_nsec / 1'000'000);
}

// Only what a signal handler may do.
void end_at_once(int) {
  io::remove_part_files();
  _exit(kInterrupted);
}

// Some programs send a signal to a process and once more to its group: that is one.
void note_interrupt(int signal) {
  constexpr std::sig_atomic_t kSame = 300;  // [ms]
  if (g_interrupted != 0 && clock_ms() - g_noted_at > kSame) end_at_once(signal);
  if (g_interrupted == 0) g_noted_at = clock_ms();
  g_interrupted = 1;
}

void handle_interrupts(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  // also where whoever started the program ignores them, as scripts do in the background without wanting it
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool stderr_is_terminal() {
  const char* kind = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && kind != nullptr && std::strcmp(kind, "dumb") != 0;
}

std::size_t terminal_width() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

// The first `width` characters of UTF-8 text.
std::string cut(const std::string& text, std::size_t width) {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins_character = (static_cast<unsigned char>(text[i]) & 0xc0u) != 0x80u;
    if (begins_character && ++characters > width) return text.substr(0, i);
  }
  return text;
}

std::string draw_bar(double share, std::size_t width) {
  const auto filled = static_cast<std::size_t>(std::lround(share * static_cast<double>(width)));
  std::string bar;
  for (std::size_t i = 0; i < width; ++i) bar += i < filled ? "█" : "░";
  return bar;
}

}  // namespace

int complain(const Error& error) {
  std::fprintf(stderr, "forerun: %s\n", error.message.c_str());
  return error.kind == ErrorKind::bad_input ? kBadInput : kCannot;
}

StatusLine::StatusLine() : on_terminal_(stderr_is_terminal()), next_(Clock::now()) {}

StatusLine::~StatusLine() { wipe(); }

bool StatusLine::due() const { return on_terminal_ && Clock::now() >= next_; }

void StatusLine::show(const std::string& text) {
  if (!due()) return;
  next_ = Clock::now() + 100ms;
  shown_ = true;
  // the last column stays empty: some terminals wrap when it is filled
  std::fprintf(stderr, "\r\x1b[2K%s", cut(text, terminal_width() - 1).c_str());
  std::fflush(stderr);
}

void StatusLine::wipe() {
  if (!shown_) return;
  shown_ = false;
  std::fputs("\r\x1b[2K", stderr);
  std::fflush(stderr);
}

Progress::Progress(std::string label) : label_(std::move(label)), start_(std::chrono::steady_clock::now()) {}

void Progress::update(double share_done) {
  if (!line_.due() || std::chrono::steady_clock::now() - start_ < 2s) return;
  const double share = std::clamp(share_done, 0.0, 1.0);
  char percent[16];
  std::snprintf(percent, sizeof percent, " %3.0f %%", share * 100);
  line_.show(label_ + " " + draw_bar(share, 30) + percent);
}

void end_on_interrupt() { handle_interrupts(end_at_once); }

void catch_interrupts() { handle_interrupts(note_interrupt); }

bool interrupted() noexcept { return g_interrupted != 0; }

}  // namespace forerun::cli
