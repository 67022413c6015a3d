// lld in process: one relocatable object to a shared object. lld has global state, so links happen
// one at a time; and its first use installs signal handlers for the whole process, which would take
// Ctrl-C away from Python, so they are put back.
#include <fcntl.h>
#include <lld/Common/Driver.h>
#include <llvm/Support/raw_ostream.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <mutex>

#include "abi/fork_safe_mutex.h"
#include "compiler/target/target_impl.h"

LLD_HAS_DRIVER(elf)

namespace hetjit::target {
namespace {

class SignalGuard {
 public:
  SignalGuard() {
    for (int number = 1; number < kSignals; ++number) sigaction(number, nullptr, &before_[number]);
  }
  ~SignalGuard() {
    for (int number = 1; number < kSignals; ++number)
      if (number != SIGKILL && number != SIGSTOP) sigaction(number, &before_[number], nullptr);
  }

 private:
  static constexpr int kSignals = 32;
  struct sigaction before_[kSignals];
};

class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  ~File() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

Error failed(const std::string& what) {
  return {ErrorCode::Internal, "linking the code object: " + what};
}

Status write_all(int file, const std::string& bytes) {
  for (size_t done = 0; done < bytes.size();) {
    ssize_t wrote = write(file, bytes.data() + done, bytes.size() - done);
    if (wrote < 0 && errno != EINTR) return failed(std::strerror(errno));
    done += wrote < 0 ? 0 : static_cast<size_t>(wrote);
  }
  return ok();
}

Result<std::vector<std::byte>> read_file(const std::string& path) {
  File file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat facts;
  if (file.descriptor() < 0 || fstat(file.descriptor(), &facts) != 0)
    return failed(std::strerror(errno));
  std::vector<std::byte> bytes(static_cast<size_t>(facts.st_size));
  for (size_t done = 0; done < bytes.size();) {
    ssize_t got = read(file.descriptor(), bytes.data() + done, bytes.size() - done);
    if (got <= 0) return failed("the output is cut short");
    done += static_cast<size_t>(got);
  }
  return bytes;
}

/// A folder for lld's output, which cannot be a memory file; in memory where there is /dev/shm.
Result<std::string> make_folder() {
  const char* temporary = std::getenv("TMPDIR");
  for (const char* root : {"/dev/shm", temporary, "/tmp"}) {
    if (!root || !*root) continue;
    std::string folder = std::string(root) + "/hetjit-XXXXXX";
    if (mkdtemp(folder.data())) return folder;
  }
  return failed("no folder for temporary files can be written");
}

Status run_lld(const std::string& input, const std::string& output) {
  static ForkSafeMutex mutex;
  std::lock_guard lock(mutex);
  static bool first = true, usable = true;
  if (!usable) return failed("lld failed before and cannot be used again");
  std::unique_ptr<SignalGuard> guard;
  if (first) guard = std::make_unique<SignalGuard>();
  first = false;
  std::string text, errors;
  llvm::raw_string_ostream text_stream(text), error_stream(errors);
  usable = false;  // unless it returns
  const char* arguments[] = {"ld.lld",      "-shared", "--no-undefined", "--threads=1",
                             input.c_str(), "-o",      output.c_str()};
  auto result = lld::lldMain(arguments, text_stream, error_stream, {{lld::Gnu, &lld::elf::link}});
  usable = result.canRunAgain;
  if (result.retCode != 0) return failed(errors);
  return ok();
}

}  // namespace

Result<std::vector<std::byte>> link_shared(const std::string& object) {
  File input(memfd_create("hetjit", MFD_CLOEXEC));
  if (input.descriptor() < 0) return failed(std::strerror(errno));
  HETJIT_TRY(write_all(input.descriptor(), object));
  auto folder = make_folder();
  if (!folder.ok()) return folder.error();
  std::string output = *folder + "/out";
  Status linked = run_lld("/proc/self/fd/" + std::to_string(input.descriptor()), output);
  Result<std::vector<std::byte>> bytes = linked.ok() ? read_file(output) : linked.error();
  unlink(output.c_str());
  rmdir(folder->c_str());
  return bytes;
}

}  // namespace hetjit::target
