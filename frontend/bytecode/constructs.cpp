// What the user wrote to get an instruction that has no rule.
#include "frontend/bytecode/rules.h"

namespace hetjit::bytecode {
namespace {

struct Construct {
  std::string_view instruction, name;
};

constexpr std::string_view kImport = "'import'", kClass = "a class", kTry = "'try'",
                           kWith = "'with'", kDict = "a dict", kSet = "a set",
                           kGenerator = "a generator", kAsync = "'async'",
                           kPattern = "this pattern", kGlobal = "assigning to a global variable";

constexpr Construct kConstructs[] = {
    {"IMPORT_NAME", kImport},
    {"IMPORT_FROM", kImport},
    {"IMPORT_STAR", kImport},
    {"LOAD_BUILD_CLASS", kClass},
    {"LOAD_LOCALS", kClass},
    {"LOAD_NAME", kClass},
    {"STORE_NAME", kClass},
    {"DELETE_NAME", kClass},
    {"LOAD_CLASSDEREF", kClass},
    {"LOAD_FROM_DICT_OR_DEREF", kClass},
    {"LOAD_FROM_DICT_OR_GLOBALS", kClass},
    {"SETUP_ANNOTATIONS", kClass},
    {"LOAD_SUPER_ATTR", "'super()'"},
    {"PUSH_EXC_INFO", kTry},
    {"CHECK_EXC_MATCH", kTry},
    {"CHECK_EG_MATCH", kTry},
    {"PREP_RERAISE_STAR", kTry},
    {"POP_EXCEPT", kTry},
    {"RERAISE", kTry},
    {"BEFORE_WITH", kWith},
    {"LOAD_SPECIAL", kWith},
    {"WITH_EXCEPT_START", kWith},
    {"BEFORE_ASYNC_WITH", kAsync},
    {"GET_AITER", kAsync},
    {"GET_ANEXT", kAsync},
    {"END_ASYNC_FOR", kAsync},
    {"GET_AWAITABLE", kAsync},
    {"ASYNC_GEN_WRAP", kAsync},
    {"SEND", kGenerator},
    {"END_SEND", kGenerator},
    {"CLEANUP_THROW", kGenerator},
    {"GET_YIELD_FROM_ITER", kGenerator},
    {"BUILD_SET", kSet},
    {"SET_ADD", kSet},
    {"SET_UPDATE", kSet},
    {"MATCH_MAPPING", kPattern},
    {"MATCH_KEYS", kPattern},
    {"MATCH_CLASS", kPattern},
    {"STORE_GLOBAL", kGlobal},
    {"DELETE_GLOBAL", "'del' of a global variable"},
    {"DELETE_SUBSCR", "'del' of an item"},
    {"DELETE_ATTR", "'del' of an attribute"},
    {"DELETE_DEREF", "'del' of a variable that another function uses"},
    {"BUILD_TEMPLATE", "a template string"},
    {"BUILD_INTERPOLATION", "a template string"},
};

}  // namespace

std::string_view construct_name(std::string_view instruction) {
  for (const Construct& construct : kConstructs)
    if (construct.instruction == instruction) return construct.name;
  return {};
}

}  // namespace hetjit::bytecode
