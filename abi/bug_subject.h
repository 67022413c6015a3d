// What this thread works on when a CHECK fails: the other half of `bug_reporter` (abi/status.h).
#pragma once

namespace hetjit {

class BugScope;  // compiler/pipeline/bug_scope.h

/// Set with bug_reporter, and handed with it to a thread that goes on with this one's work.
inline thread_local BugScope* bug_subject = nullptr;

}  // namespace hetjit
