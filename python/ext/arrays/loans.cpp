#include "python/ext/arrays/loans.h"

#include <algorithm>
#include <utility>

#include "python/ext/handles/set_aside.h"

namespace hetjit::python {
namespace {

bool holds(const std::vector<Loan>& loans, PyObject* object) {
  return std::any_of(loans.begin(), loans.end(),
                     [&](const Loan& loan) { return loan.object == object; });
}

bool captured(runtime::Device& device, runtime::Handle stream) {
  const Result<bool> told = device.captures(stream);
  return told.ok() && told.value();
}

template <class Wait>
Status without_gil(Wait wait) {
  PyThreadState* thread = PyEval_SaveThread();
  Status waited = wait();
  PyEval_RestoreThread(thread);
  return waited;
}

}  // namespace

void give_back(std::vector<Loan>& loans) {
  if (loans.empty()) return;
  const SetAside raised;  // a deleter must not see the exception that ends a launch
  for (Loan& loan : loans) {
    loan.give_back();
    if (PyErr_Occurred()) PyErr_WriteUnraisable(nullptr);  // nor what another one left
  }
  loans.clear();
}

void Loan::give_back() {
  const Loan given = std::exchange(*this, {});
  if (given.versioned && given.versioned->deleter) given.versioned->deleter(given.versioned);
  if (given.tensor && given.tensor->deleter) given.tensor->deleter(given.tensor);
  Handle::own(given.object);
  if (given.buffer) PyBuffer_Release(given.buffer);
  delete given.buffer;
}

bool Loans::Row::uses(PyObject* object) const {
  return holds(open, object) || std::any_of(closed.begin(), closed.end(), [&](const auto& batch) {
           return holds(batch->loans, object);
         });
}

Loans::Row* Loans::find(runtime::Device& device, runtime::Handle stream) {
  for (Row& row : rows_)
    if (row.device == &device && row.stream == stream) return &row;
  return nullptr;
}

Loans::Row& Loans::row_of(runtime::Device& device, runtime::Handle stream) {
  Row* row = find(device, stream);
  return row ? *row : rows_.emplace_back(Row{&device, stream, 0, 0, {}, {}});
}

Status Loans::keep(runtime::Device& device, runtime::Handle stream, bool lasting, Loaned& lent) {
  if (lent.loans.empty()) return ok();
  if (!lasting && captured(device, stream)) {  // whoever has the graph keeps what it uses
    lent.give_back();
    return ok();
  }
  Row& row = row_of(device, stream);
  row.open.insert(row.open.end(), lent.loans.begin(), lent.loans.end());
  row.bytes += lent.bytes;
  lent.loans.clear();  // their room stays for the next launch's
  lent.bytes = 0;
  ++row.launches;
  ++outstanding_;
  if (lasting && row.launches < kMostLaunches && row.bytes < kMostBytes) return ok();
  if (lasting && captured(device, stream))
    return ok();  // an event would become a part of the graph
  const Status left = leave(device, stream);
  collect();
  return left;
}

// A batch is in its place before the driver is asked: whoever comes here meanwhile adds behind it.
std::shared_ptr<Loans::Batch> Loans::cut(Row& row) {
  auto batch = std::make_shared<Batch>();
  std::swap(batch->loans, row.open);
  row.open.reserve(batch->loans.size());
  batch->launches = std::exchange(row.launches, 0u);
  row.bytes = 0;
  row.closed.push_back(batch);
  return batch;
}

Result<std::shared_ptr<Loans::Batch>> Loans::close(Row& row) {
  runtime::Device& device = *row.device;
  const runtime::Handle stream = row.stream;
  std::shared_ptr<Batch> batch = cut(row);
  Result<runtime::Event> end = runtime::Event::of(device, stream);
  if (!end) return end.error();
  batch->end = std::move(*end);
  return batch;
}

// The first of each row that can say whether it has been passed.
Loans::Batches Loans::oldest() const {
  Batches found;
  for (const Row& row : rows_) {
    auto first = std::find_if(row.closed.begin(), row.closed.end(),
                              [](const auto& batch) { return bool(batch->end); });
    if (first != row.closed.end()) found.push_back(*first);
  }
  return found;
}

// What comes before a batch that has been passed has been passed. Whether there was something.
bool Loans::give_back_passed() {
  Batches taken;
  for (Row& row : rows_) {
    auto last = std::find_if(row.closed.rbegin(), row.closed.rend(),
                             [](const auto& batch) { return batch->passed; });
    taken.insert(taken.end(), row.closed.begin(), last.base());
    row.closed.erase(row.closed.begin(), last.base());
  }
  std::erase_if(rows_, [](const Row& row) { return row.empty(); });
  for (const auto& batch : taken) outstanding_ -= batch->launches;
  for (const auto& batch : taken) give_back(batch->loans);
  return !taken.empty();
}

void Loans::collect() {
  do {
    for (const auto& batch : oldest()) {
      // On a device that has failed nothing runs any more; who waits for it is told.
      Result<bool> passed = batch->end.passed();
      batch->passed = !passed || *passed;
    }
  } while (give_back_passed());
}

Result<std::vector<runtime::Handle>> Loans::order(runtime::Device& device, runtime::Handle stream,
                                                  PyObject* used) {
  collect();
  std::vector<runtime::Handle> others;
  for (const Row& row : rows_)
    if (row.device == &device && row.stream != stream && row.uses(used))
      others.push_back(row.stream);
  for (runtime::Handle other : others) {
    // One without an event behind it is there, and can be asked; captured work is not done now.
    if (!row_of(device, other).ended() && captured(device, other)) continue;
    Row& row = row_of(device, other);
    Result<std::shared_ptr<Batch>> last = row.ended() ? Result(row.closed.back()) : close(row);
    if (!last) return last.error();
    HETJIT_TRY((*last)->end.precede(stream));
  }
  return others;
}

Status Loans::leave(runtime::Device& device, runtime::Handle stream) {
  Row* row = find(device, stream);
  if (!row || row->ended() || row->empty()) return ok();
  Result<std::shared_ptr<Batch>> last = close(*row);
  if (last) return ok();
  (void)settle(device, stream);  // now, for later nobody could tell
  return last.error();
}

template <class Wait>
Status Loans::settle(const Batches& lent, Wait&& wait) {
  const Status waited = without_gil(wait);
  for (const auto& batch : lent) batch->passed = true;
  give_back_passed();
  collect();
  return waited;
}

Status Loans::settle(runtime::Device& device, runtime::Handle stream) {
  Row& row = row_of(device, stream);
  if (!row.open.empty()) cut(row);
  return settle({row.closed.begin(), row.closed.end()}, [&] { return device.wait(stream); });
}

Status Loans::settle(runtime::Device& device) {
  Batches lent;
  for (Row& row : rows_) {
    if (row.device != &device) continue;
    if (!row.open.empty()) cut(row);
    lent.insert(lent.end(), row.closed.begin(), row.closed.end());
  }
  return settle(lent, [&] { return device.wait_for_all(); });
}

void Loans::settle_all() {
  std::vector<std::pair<runtime::Device*, runtime::Handle>> streams;
  for (const Row& row : rows_) streams.emplace_back(row.device, row.stream);
  for (const auto& [device, stream] : streams) (void)finish(*device, stream);
}

// By the last event where there is one: the stream may have ended.
Status Loans::finish(runtime::Device& device, runtime::Handle stream) {
  Row& row = row_of(device, stream);
  if (!row.ended()) return settle(device, stream);
  const std::shared_ptr<Batch> last = row.closed.back();
  const Status waited = without_gil([&] { return last->end.wait(); });
  last->passed = true;
  give_back_passed();
  return waited;
}

Loans::~Loans() {
  const SetAside raised;
  while (!rows_.empty()) settle_all();
}

}  // namespace hetjit::python
