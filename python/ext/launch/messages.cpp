#include "python/ext/launch/messages.h"

#include <algorithm>

#include "python/ext/handles/builder.h"
#include "python/ext/handles/errors.h"

namespace hetjit::python {
namespace {

Handle text_object(const std::string& text) {
  return Handle::own(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

// A str, or (scalar's name, its words, format specification, whether it is of str(number)).
Handle piece_object(const TextPiece& piece, const uint64_t*& word) {
  Handle text = text_object(piece.text);
  if (!text || !piece.number) return text;
  TupleBuilder building(word_count(piece));
  for (size_t i = 0; building && i < word_count(piece); ++i)
    building.set(i, Handle::own(PyLong_FromUnsignedLongLong(*word++)));
  Handle words = building.build();
  if (!words) return words;
  const std::string name(info(*piece.number).python_name);
  return Handle::own(Py_BuildValue("(sOOi)", name.c_str(), words.get(), text.get(),
                                   static_cast<int>(piece.as_text)));
}

// What hetjit.messages makes a text of: a list of pieces.
Handle pieces_object(const TextPieces& pieces, const Message& message) {
  Handle list = Handle::own(PyList_New(0));
  const uint64_t* word = message.words.data();
  for (const TextPiece& piece : pieces) {
    Handle item = list ? piece_object(piece, word) : Handle();
    if (!item || PyList_Append(list.get(), item.get()) < 0) return Handle();
  }
  return list;
}

Handle call(const char* function, Handle arguments) {
  Handle module = arguments ? Handle::own(PyImport_ImportModule("hetjit.messages")) : Handle();
  Handle callee = module ? Handle::own(PyObject_GetAttrString(module.get(), function)) : Handle();
  return callee ? Handle::own(PyObject_Call(callee.get(), arguments.get(), nullptr)) : Handle();
}

bool print_all(const Said& said) {
  if (said.report.prints.empty() && !said.report.lost) return true;
  Handle texts = Handle::own(PyList_New(0));
  for (const Message& message : said.report.prints) {
    Handle pieces = pieces_object(said.sites[message.site].text, message);
    if (!texts || !pieces || PyList_Append(texts.get(), pieces.get()) < 0) return false;
  }
  Handle arguments = Handle::own(Py_BuildValue("(sOK)", said.kernel.c_str(), texts.get(),
                                               static_cast<unsigned long long>(said.report.lost)));
  return static_cast<bool>(call("write", std::move(arguments)));
}

// The exception of an error, made and not raised.
Handle exception_object(const Said& said) {
  const Message& message = *said.report.error;
  const Site& site = said.sites[message.site];
  Handle pieces = pieces_object(site.text, message);
  if (!pieces) return Handle();
  const uint32_t *block = message.block, *thread = message.thread;
  return call("exception", Handle::own(Py_BuildValue(
                               "(sOisssI(III)(III))", site.exception.c_str(), pieces.get(),
                               static_cast<int>(site.has_message), said.kernel.c_str(),
                               site.function.c_str(), site.file.c_str(), site.line, block[0],
                               block[1], block[2], thread[0], thread[1], thread[2])));
}

void raise(Borrowed exception) {
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.get())), exception.get());
}

// One is raised, and says so of the other: what is to end the program goes before. Either may be
// empty.
Handle joined(Handle first, Handle second) {
  if (!first || !second) return first ? std::move(first) : std::move(second);
  if (!PyErr_GivenExceptionMatches(second.get(), PyExc_Exception)) std::swap(first, second);
  Handle both = call("add_other", Handle::own(PyTuple_Pack(2, first.get(), second.get())));
  return both ? std::move(both) : take_exception();
}

// What comes of a report: it is printed; the exception of that, and the kernel's own. Empty: none.
Handle told(const Said& said) {
  Handle raised = print_all(said) ? Handle() : take_exception();
  if (!said.report.error) return raised;
  Handle exception = exception_object(said);
  return joined(exception ? std::move(exception) : take_exception(), std::move(raised));
}

}  // namespace

bool deliver(const Said& said) {
  const Handle raised = told(said);
  if (raised) raise(raised);
  return !raised;
}

bool tell_launch(const runtime::Kernel& kernel, const std::string& function, const Status& done,
                 const Report& said) {
  if (done.ok()) return said.empty() || deliver({kernel.sites(), function, said});
  const Error& error = done.error();
  if (error.code == ErrorCode::Interrupted && PyErr_Occurred()) return false;
  const std::string text = function + "(): " + error.text;
  const bool on_host = kernel.device().info().kind == runtime::DeviceKind::Host;
  if (error.code == ErrorCode::OutOfMemory && on_host) return fail(PyExc_MemoryError, text);
  return fail(Error{error.code, text});
}

void Speakers::launched(const std::shared_ptr<runtime::Kernel>& kernel, runtime::Handle stream) {
  for (const Open& open : open_)
    if (open.kernel == kernel && open.stream == stream) return;
  open_.push_back({kernel, stream});
}

bool Speakers::listen(const runtime::Device& device, runtime::Handle stream,
                      runtime::Handle through) {
  return listen_to(
      [&](const Open& open) { return &open.kernel->device() == &device && open.stream == stream; },
      through);
}

bool Speakers::listen(const runtime::Device& device) {
  return listen_to([&](const Open& open) { return &open.kernel->device() == &device; }, nullptr);
}

template <class Which>
bool Speakers::listen_to(Which&& is_here, runtime::Handle through) {
  auto first = std::stable_partition(open_.begin(), open_.end(), std::not_fn(is_here));
  std::vector<Open> done(std::make_move_iterator(first), std::make_move_iterator(open_.end()));
  open_.erase(first, open_.end());  // before any Python runs, which may come here again
  Handle raised;
  for (const Open& open : done) {
    Result<Report> report = Error{};
    Py_BEGIN_ALLOW_THREADS;
    report = open.kernel->listen(through);
    Py_END_ALLOW_THREADS;
    if (!report) return fail(report.error());
    raised = joined(std::move(raised), told({open.kernel->sites(), open.kernel->entry(), *report}));
  }
  if (raised) raise(raised);
  return !raised;
}

}  // namespace hetjit::python
