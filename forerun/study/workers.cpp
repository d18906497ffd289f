#include "forerun/study/workers.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace forerun::study {
namespace {

// What the threads share.
struct Pile {
  std::mutex mutex;
  std::condition_variable piece_done;
  std::size_t next = 0;
  std::size_t done = 0;
  bool stopped = false;
};

void work_off(Pile& pile, std::size_t n, const std::function<void(std::size_t)>& work) {
  std::unique_lock lock(pile.mutex);
  while (pile.next < n && !pile.stopped) {
    const std::size_t mine = pile.next++;
    lock.unlock();
    work(mine);
    lock.lock();
    ++pile.done;
    pile.piece_done.notify_one();
  }
}

}  // namespace

bool for_each_piece(std::size_t n, const std::function<void(std::size_t)>& work, const OnProgress& on_progress) {
  if (n == 0) return true;
  Pile pile;
  const std::size_t n_threads = std::min<std::size_t>(n, std::max(1u, std::thread::hardware_concurrency()));
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < n_threads; ++i) threads.emplace_back([&] { work_off(pile, n, work); });
  std::unique_lock lock(pile.mutex);
  for (bool all_done = false; !all_done && !pile.stopped;) {
    // asked now and then even while nothing gets done: the user may want to stop
    if (pile.done < n) pile.piece_done.wait_for(lock, std::chrono::milliseconds(100));
    all_done = pile.done == n;
    const double share = static_cast<double>(pile.done) / static_cast<double>(n);
    lock.unlock();
    const bool goes_on = !on_progress || on_progress(share);
    lock.lock();
    pile.stopped = !goes_on;
  }
  lock.unlock();
  for (std::thread& thread : threads) thread.join();
  return pile.done == n;
}

}  // namespace forerun::study
