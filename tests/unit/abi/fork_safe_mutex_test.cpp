// A fork while other threads hold such mutexes, one inside another and in both orders of creation.
#include "abi/fork_safe_mutex.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <new>
#include <thread>

#include "abi/fork_hold.h"
#include "abi/memory_limit.h"
#include "abi/new_stack.h"
#include "abi/type.h"

namespace hetjit {
namespace {

// Exit code of a forked child that runs `body`; 1000 when it does not end within ten seconds.
template <class Body>
int in_child(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(10);
    _exit(body() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000;
}

TEST(ForkSafeMutex, ForksWhileThreadsHoldOneInsideAnother) {
  ForkSafeMutex first, second;
  std::atomic<bool> stop{false};
  auto nest = [&](ForkSafeMutex& outer, ForkSafeMutex& inner, std::mutex& order) {
    while (!stop) {
      std::lock_guard turn(order);
      std::lock_guard a(outer);
      std::lock_guard b(inner);
    }
  };
  std::mutex order;  // the two threads exclude each other; fork does not take part
  std::thread one([&] { nest(first, second, order); });
  std::thread other([&] { nest(second, first, order); });
  for (int i = 0; i < 50; ++i)
    EXPECT_EQ(in_child([&] {
                std::lock_guard a(first);
                std::lock_guard b(second);
                return true;
              }),
              0);
  stop = true;
  one.join();
  other.join();
}

TEST(ForkSafeMutex, TypesAreMadeInAChildWhateverOtherThreadsDo) {
  tuple_type({});  // the table is made before there are threads, as at the import
  std::atomic<bool> stop{false};
  std::thread maker([&] {
    TypeId inner = scalar_type(Scalar::Float32);
    for (uint32_t i = 0; !stop && i < 20000; ++i) {
      TypeId pair[] = {inner, scalar_type(Scalar::Int8)};
      inner = i % 32 ? tuple_type(pair) : scalar_type(Scalar::Float32);
    }
  });
  for (int i = 0; i < 50; ++i)
    EXPECT_EQ(in_child([] {
                TypeId pair[] = {scalar_type(Scalar::Int64), none_type(), none_type()};
                return tuple_type(pair).valid();
              }),
              0);
  stop = true;
  maker.join();
}

TEST(ForkHold, AForkWaitsForTheHoldsOfOtherThreads) {
  std::atomic<int> half_done{0};
  std::atomic<bool> stop{false};
  std::thread worker([&] {
    while (!stop) {
      const ForkHold outer;
      const ForkHold inner;  // never waits: who holds forks off already goes on
      half_done = 1;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      half_done = 0;
    }
  });
  for (int i = 0; i < 30; ++i)
    EXPECT_EQ(in_child([&] {
                const ForkHold hold;  // the child has holds of its own
                return half_done == 0;
              }),
              0);
  stop = true;
  worker.join();
}

TEST(ForkHold, AThreadForksInsideItsOwn) {
  const ForkHold hold;
  EXPECT_EQ(in_child([] {
              const ForkHold another;
              return true;
            }),
            0);
}

// One thread works over and over, another one forks: 0 when all forks come to an end, and nothing
// is half done in their children.
template <class Work>
int forks_beside(Work work) {
  return in_child([&] {  // which ends where a fork would wait for ever
    std::atomic<int> half_done{0};
    std::atomic<bool> stop{false};
    std::thread worker([&] {
      while (!stop) {
        work(half_done);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    });
    int wrong = 0;
    for (int i = 0; i < 30; ++i) wrong += in_child([&] { return half_done == 0; }) != 0;
    stop = true;
    worker.join();
    return wrong == 0;
  });
}

void do_by_halves(std::atomic<int>& half_done) {
  half_done = 1;
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  half_done = 0;
}

TEST(ForkHold, BeginsWhileItsThreadHoldsAMutex) {
  ForkSafeMutex mutex;
  EXPECT_EQ(forks_beside([&](std::atomic<int>& half_done) {
              std::lock_guard lock(mutex);
              std::this_thread::sleep_for(std::chrono::milliseconds(1));
              const ForkHold hold;
              do_by_halves(half_done);
            }),
            0);
}

TEST(ForkHold, OutlivesTheMutexThatItBeganIn) {
  ForkSafeMutex mutex;
  EXPECT_EQ(forks_beside([&](std::atomic<int>& half_done) {
              std::unique_lock lock(mutex);
              std::this_thread::sleep_for(std::chrono::milliseconds(1));
              const ForkHold hold;
              lock.unlock();
              do_by_halves(half_done);
            }),
            0);
}

TEST(ForkHold, BeginsOnANewStackWhileWhoWaitsForThatHoldsOne) {
  ForkSafeMutex mutex;
  EXPECT_EQ(forks_beside([&](std::atomic<int>& half_done) {
              const ForkHold outer;
              std::lock_guard lock(mutex);
              on_new_stack([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
                const ForkHold inner;
                do_by_halves(half_done);
              });
            }),
            0);
}

TEST(NewStack, IsMadeWhereAThreadHasLittle) {
  EXPECT_TRUE(has_stack());
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 1 << 20);
  auto fill = [](void*) -> void* {
    EXPECT_FALSE(has_stack());
    bool filled = false;
    with_stack([&] {
      volatile char much[3 << 20];
      for (size_t i = 0; i < sizeof much; i += 4096) much[i] = 1;
      filled = has_stack();
    });
    EXPECT_TRUE(filled);
    return nullptr;
  };
  pthread_t thread;
  ASSERT_EQ(pthread_create(&thread, &attributes, fill, nullptr), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

TEST(MemoryLimit, WhatMemoryRunsOutInIsUnlocked) {
  ForkSafeMutex outer, inner;
  std::lock_guard lock(outer);
  // Without exceptions, as the compiler is: nothing is cleaned up on the way.
  const bool enough = within_memory([&] {
    inner.lock();
    volatile size_t far_too_much = SIZE_MAX / 2;
    ::operator delete(::operator new(far_too_much));
  });
  EXPECT_FALSE(enough);
  std::thread([&] { std::lock_guard again(inner); }).join();
  EXPECT_TRUE(within_memory([] {}));
}

TEST(MemoryLimit, WhatMemoryRunsOutInHoldsNoForksOff) {
  alignas(ForkHold) std::byte place[sizeof(ForkHold)];
  const bool enough = within_memory([&] {
    new (place) ForkHold;  // nobody ends it
    volatile size_t far_too_much = SIZE_MAX / 2;
    ::operator delete(::operator new(far_too_much));
  });
  EXPECT_FALSE(enough);
  EXPECT_EQ(in_child([] {
              int code = -1;
              std::thread([&] { code = in_child([] { return true; }); }).join();
              return code == 0;
            }),
            0);
}

}  // namespace
}  // namespace hetjit
