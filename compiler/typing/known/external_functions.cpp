#include "compiler/typing/known/external_functions.h"

namespace hetjit::typing {

ExternalFunctions& no_external_functions() {
  class None : public ExternalFunctions {
    ExternalAnswer find(const ExternalCall&) override {
      return {.function = std::nullopt,
              .problem = "nothing here compiles C++",
              .notes = {},
              .helps = {}};
    }
  };
  static None none;
  return none;
}

}  // namespace hetjit::typing
