// A mutex that a fork cannot leave locked for ever. A forked child has only the thread that forked;
// a mutex that another thread held at that moment would stay locked in the child. So fork waits
// until it holds all of these. Whatever lives as long as the process, or is reached from a second
// thread, uses this one and not std::mutex.
#pragma once

namespace hetjit {

class ForkSafeMutex {
 public:
  ForkSafeMutex();
  ~ForkSafeMutex();
  ForkSafeMutex(const ForkSafeMutex&) = delete;
  ForkSafeMutex& operator=(const ForkSafeMutex&) = delete;
  void lock();
  void unlock();

  struct Node;

 private:
  Node* node_;
};

}  // namespace hetjit
