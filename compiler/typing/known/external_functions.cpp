#include "compiler/typing/known/external_functions.h"

namespace hetjit::typing {

std::string name_of_argument(size_t number) { return "hetjit_a" + std::to_string(number); }

std::string expression_of_type(const std::string& spelling) {
  return "hetjit::shim::type_tag<" + spelling + ">()";
}

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
