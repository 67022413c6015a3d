// Types are interned, and their text goes there and back.
#include "abi/type.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <random>
#include <thread>

#include "tests/unit/abi/random_types.h"

namespace hetjit {
namespace {

TEST(Type, EqualTypesHaveEqualIds) {
  TypeId f32 = scalar_type(Scalar::Float32), i64 = scalar_type(Scalar::Int64);
  EXPECT_EQ(vector_type(Scalar::Float32, 4), vector_type(Scalar::Float32, 4));
  EXPECT_NE(vector_type(Scalar::Float32, 4), vector_type(Scalar::Float32, 3));
  EXPECT_NE(vector_type(Scalar::Float32, 1), f32);
  EXPECT_EQ(pointer_type(f32), pointer_type(f32));
  EXPECT_NE(pointer_type(f32), pointer_type(i64));
  EXPECT_EQ(array_type(f32, 2), array_type(f32, 2));
  EXPECT_NE(array_type(f32, 2), array_type(f32, 1));
  EXPECT_NE(array_type(f32, 2), array_type(f32, 2, {.order = Order::Contiguous}));
  EXPECT_NE(array_type(f32, 2), array_type(f32, 2, {.index_bits = 32}));
  EXPECT_NE(array_type(f32, 2), array_type(f32, 2, {.writable = false}));
  TypeId pair[] = {f32, i64}, riap[] = {i64, f32};
  EXPECT_EQ(tuple_type(pair), tuple_type(pair));
  EXPECT_NE(tuple_type(pair), tuple_type(riap));
  EXPECT_NE(tuple_type({}), none_type());
}

TEST(Type, StructsAreNominal) {
  TypeId f32 = scalar_type(Scalar::Float32);
  Field x[] = {{"x", f32}}, y[] = {{"y", f32}}, aligned[] = {{"x", f32, 16}};
  EXPECT_EQ(struct_type("A", x), struct_type("A", x));
  EXPECT_NE(struct_type("A", x), struct_type("B", x));
  EXPECT_NE(struct_type("A", x), struct_type("A", y));
  EXPECT_NE(struct_type("A", x), struct_type("A", x, 16));
  EXPECT_NE(struct_type("A", x), struct_type("A", aligned));
  TypeId elements[] = {f32};
  EXPECT_NE(struct_type("", x), tuple_type(elements));
}

TEST(Type, EntriesSayWhatWasAsked) {
  for (const ScalarInfo& row : kScalars) {
    TypeId id = scalar_type(row.scalar);
    EXPECT_TRUE(is_scalar(id, row.scalar));
    EXPECT_EQ(type(id).scalar, row.scalar);
  }
  TypeId array = array_type(scalar_type(Scalar::Int8), 3, {.order = Order::Contiguous});
  EXPECT_TRUE(is_array(array));
  EXPECT_EQ(type(array).rank, 3);
  EXPECT_EQ(type(array).facts.order, Order::Contiguous);
  EXPECT_EQ(type(none_type()).kind, TypeKind::None);
  EXPECT_FALSE(TypeId{}.valid());
}

// The same types from many threads at once, more than several chunks of the table hold.
TEST(Type, TableIsThreadSafe) {
  constexpr uint32_t kThreads = 4, kTypes = 3000;
  std::vector<std::vector<TypeId>> ids(kThreads);
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&ids, t] {
      for (uint32_t i = 0; i < kTypes; ++i) {
        Field field{"f" + std::to_string(i), scalar_type(Scalar::Int32)};
        TypeId id = struct_type("ThreadSafe", {&field, 1});
        ids[t].push_back(id);
        if (type(id).fields[0].name != field.name) ids[t].push_back({});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (uint32_t t = 1; t < kThreads; ++t) EXPECT_EQ(ids[t], ids[0]);
  EXPECT_EQ(ids[0].size(), kTypes);
}

TEST(Type, ReferencesStayValid) {
  const Type& first = type(vector_type(Scalar::Int16, 2));
  for (uint32_t i = 0; i < 5000; ++i) {
    Field field{"g" + std::to_string(i), none_type()};
    struct_type("Grow", {&field, 1});
  }
  EXPECT_EQ(&first, &type(vector_type(Scalar::Int16, 2)));
  EXPECT_EQ(first.lanes, 2);
}

struct Spelling {
  const char* text;    // ours
  const char* python;  // the user's
};

TEST(TypeText, Prints) {
  const Spelling kSpellings[] = {
      {"f32", "float32"},
      {"bool", "bool"},
      {"c128", "complex128"},
      {"f8e4m3", "float8e4m3"},
      {"f32x4", "float32x4"},
      {"bf16x3", "bfloat16x3"},
      {"none", "None"},
      {"ptr[i8]", "Pointer[int8]"},
      {"array[f32, 0]", "float32[()]"},
      {"array[f32, 1]", "float32[:]"},
      {"array[f32, 2]", "float32[:, :]"},
      {"array[f32, 1, contiguous]", "float32[::1]"},
      {"array[f32, 2, contiguous]", "float32[:, ::1]"},
      {"array[f32, 2, contiguous, index32, readonly]", "float32[:, ::1]"},
      {"(i64, f32x4)", "tuple[int64, float32x4]"},
      {"(i64,)", "tuple[int64]"},
      {"(weak f32, f64)", "tuple[float, float64]"},
      {"(weak (i32, c64), weak bool, u8)", "tuple[tuple[int, complex], bool, uint8]"},
      {"((weak i32, u8), f32)", "tuple[tuple[int, uint8], float32]"},
      {"()", "tuple[()]"},
      {"struct Body align 16 {pos: f32x3, mass: f32}", "Body"},
      {"struct Lock {line: i32 align 16, now: i32 align 16}", "Lock"},
      {"struct E {}", "E"},
      {"struct module.Body {x: f32}", "Body"},
      {"struct \"\" packed {a: i8, b: f64 align 4}", "{a: int8, b: float64}"},
      {"align(f32, 16)", "align(float32, 16)"},
      {"array[align(f32, 16), 1]", "align(float32, 16)[:]"},
      {"(i32 align 16, f32)", "tuple[align(int32, 16), float32]"},
      {"array[struct E {}, 1]", "E[:]"},
      {"((i32, f32), array[(u8,), 1])", "tuple[tuple[int32, float32], tuple[uint8][:]]"},
  };
  for (const Spelling& row : kSpellings) {
    Result<TypeId> id = parse_type(row.text);
    ASSERT_TRUE(id.ok()) << id.error().text;
    EXPECT_EQ(to_text(*id), row.text);
    EXPECT_EQ(to_python(*id), row.python);
  }
}

TEST(TypeText, ReadsPythonSpellings) {
  const Spelling kSpellings[] = {
      {"f32", "float32"},
      {"i32", "int"},
      {"f32", "float"},
      {"c64", "complex"},
      {"bool", "bool_"},
      {"none", "None"},
      {"f16x3", "float16x3"},
      {"ptr[f64]", "Pointer[float64]"},
      {"array[f32, 1]", "float[:]"},
      {"array[f32x3, 2]", "float32x3[:,:]"},
      {"array[f32, 2, contiguous]", " float32 [ : , : : 1 ] "},
      {"array[array[f32, 1], 1]", "f32[:][:]"},
      {"(i32, f32)", "tuple[int, float]"},
      {"()", "tuple[()]"},
      {"(i32, f32)", "(int, float,)"},
      {"array[f32, 8]", "float32[:,:,:,:,:,:,:,:]"},
  };
  for (const Spelling& row : kSpellings) {
    Result<TypeId> id = parse_type(row.python);
    ASSERT_TRUE(id.ok()) << id.error().text;
    EXPECT_EQ(to_text(*id), row.text);
  }
}

TEST(TypeText, RefusesWithThePlace) {
  const std::map<std::string, std::string> kRefused = {
      {"", "expected a type, found the end, at column 1"},
      {"f33", "expected a type, found 'f33', at column 1"},
      {"f32x5", "expected a type"},
      {"f32x0", "expected a type"},
      {"f32 f32", "expected the end, found 'f32', at column 5"},
      {"array[f32]", "expected ',' and the rank, found ']', at column 10"},
      {"array[f32, 9]", "at most 8 axes"},
      {"array[f32, 99999999999999999999]", "expected the rank"},
      {"array[f32, 2, index16]", "expected 'contiguous', 'index32' or 'readonly', found 'index16'"},
      {"(i64)", "a tuple of one is written '(T,)'"},
      {"(i64", "expected ',' or ')', found the end"},
      {"float32[::1, :]", "only the last axis"},
      {"float32[:,:,:,:,:,:,:,:,:]", "at most 8 axes"},
      {"float32[::2]", "expected '::1'"},
      {"float32[]", "expected ':'"},
      {"struct", "expected the struct's name"},
      {"struct A {x f32}", "expected ':'"},
      {"struct A {x: f32, x: f32}", "two fields are named x"},
      {"struct A align 3 {}", "expected a power of two"},
      {"struct A align 0 {}", "expected a power of two"},
      {"struct A {x: f32 align 12}", "expected a power of two"},
      {"struct \"a {}", "expected the struct's name"},
      {"struct \"a\\zz\" {}", "expected the struct's name"},
      {"ptr[f32", "expected ']'"},
      {"tuple[]", "expected a type"},
  };
  for (const auto& [text, why] : kRefused) {
    Result<TypeId> id = parse_type(text);
    ASSERT_FALSE(id.ok()) << text;
    EXPECT_EQ(id.error().code, ErrorCode::Invalid);
    EXPECT_NE(id.error().text.find(why), std::string::npos) << text << "\n" << id.error().text;
  }
}

TEST(TypeText, DeepNestingIsAnErrorNotACrash) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += '(';
  EXPECT_FALSE(parse_type(text).ok());
  text.clear();
  for (int i = 0; i < 100000; ++i) text += "ptr[";
  EXPECT_FALSE(parse_type(text).ok());
  std::string inner = "f32";
  for (int i = 0; i < 60; ++i) inner = "(" + inner + ",)";
  EXPECT_TRUE(parse_type(inner).ok());
}

TEST(TypeText, AnyNameGoesThereAndBack) {
  for (std::string name : {"Body", "module.Body", "f32", "align", "struct", "größe", "a b",
                           "<locals>.f", "quo\"te", "back\\slash", "new\nline", "", "{}"}) {
    Field field{name.empty() ? "x" : name, scalar_type(Scalar::Int8)};
    TypeId id = struct_type(name, {&field, 1}, 2);
    Result<TypeId> back = parse_type(to_text(id));
    ASSERT_TRUE(back.ok()) << back.error().text;
    EXPECT_EQ(*back, id);
  }
}

TEST(TypeText, RandomTypesGoThereAndBack) {
  std::mt19937 random(20240607);
  for (int i = 0; i < 2000; ++i) {
    TypeId id = testing_types::random_type(random, 4);
    Result<TypeId> back = parse_type(to_text(id));
    ASSERT_TRUE(back.ok()) << back.error().text;
    EXPECT_EQ(*back, id) << to_text(id);
  }
}

// Damaged text is refused or read as some type, and whatever is read prints as something readable.
TEST(TypeText, DamagedTextNeverCrashes) {
  std::mt19937 random(7);
  constexpr std::string_view kBytes = "f32x4array[](),:{}struct align16\"\\ ptr\xff";
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = to_text(testing_types::random_type(random, 3));
    for (int edits = 0; edits < 2; ++edits)
      text[random() % text.size()] = kBytes[random() % kBytes.size()];
    Result<TypeId> id = parse_type(text);
    refused += !id.ok();
    if (id.ok()) {
      EXPECT_EQ(*parse_type(to_text(*id)), *id);
    }
  }
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace hetjit
