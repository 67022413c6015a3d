// A mutex that a fork cannot leave locked for ever. A forked child has only the thread that forked;
// a mutex that another thread held at that moment would stay locked in the child. So fork waits
// until it holds all of these.
#pragma once

namespace hetjit::runtime {

/// Never lock a second one while holding one: fork takes them in no particular order.
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

}  // namespace hetjit::runtime
