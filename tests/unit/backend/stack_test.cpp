#include "compiler/target/stack.h"

#include <gtest/gtest.h>

namespace hetjit::target {
namespace {

TEST(PtxFrames, RegistersAreThoseOfTheFunctionThatDeclaresThem) {
  const FrameSizes frames = ptx_frames(
      ".extern .func  (.param .b32 func_retval0) vprintf \n"
      "(\n"
      "\t.param .b64 vprintf_param_0\n"
      ")\n"
      ";\n"
      ".func  (.param .b32 func_retval0) helper(\n"
      "\t.param .b32 helper_param_0\n"
      ")\n"
      "{\n"
      "\t.reg .b32 \t%r<3>;\n"
      "}\n"
      ".visible .entry kernel()\n"
      "{\n"
      "\t.local .align 8 .b8 \t__local_depot1[32];\n"
      "\t.reg .b64 \t%rd<5>;\n"
      "}\n"
      ".func last()                      // @last\n"
      "{\n"
      "}\n");
  EXPECT_EQ(frames, (FrameSizes{{"helper", 16 + 12}, {"kernel", 16 + 32 + 40}, {"last", 16}}));
}

}  // namespace
}  // namespace hetjit::target
