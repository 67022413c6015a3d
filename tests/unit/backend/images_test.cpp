// What was compiled is found again by its content, speaks of where functions stand now, and is made
// by one thread.
#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "compiler/images/image_key.h"
#include "compiler/images/image_table.h"

namespace hetjit {
namespace {

Program program_at(const std::string& path, uint32_t line) {
  Snapshot function;
  function.name = "f";
  function.source = {path, line, {"def f(a):", "  g(a)  # a comment"}};
  function.locals = {"a"};
  function.positions = {{line, line, 0, 0}, {line + 1, line + 1, 2, 6}};
  return {{function}};
}

Options options() {
  Options made;
  made.target = *parse_target("cpu:x86-64-v3");
  made.signature = *parse_signature("(float)");
  return made;
}

TEST(ImageKey, IsOfContentAndNotOfPlace) {
  EXPECT_EQ(image_key(program_at("a.py", 3), options()),
            image_key(program_at("b.py", 9), options()));
  Program other = program_at("a.py", 3);
  other.functions[0].code = {1};
  EXPECT_NE(image_key(program_at("a.py", 3), options()), image_key(other, options()));
}

TEST(ImageKey, SeesEveryOption) {
  const std::vector<void (*)(Options&)> changes = {
      [](Options&) {},
      [](Options& o) { o.target = *parse_target("cpu:x86-64-v4"); },
      [](Options& o) { o.signature = *parse_signature("(f64)"); },
      [](Options& o) { o.kernel = !o.kernel; },
      [](Options& o) { o.contract = !o.contract; },
      [](Options& o) { o.fastmath = !o.fastmath; },
      [](Options& o) { o.portable_math = !o.portable_math; },
      [](Options& o) { o.debug = !o.debug; },
      [](Options& o) { o.cubin = !o.cubin; },
      [](Options& o) { o.checks = *parse_checks("bounds"); },
      [](Options& o) { o.limits.threads = 128; },
      [](Options& o) {
        o.limits = {128, 2, 0};
      },
      [](Options& o) { o.limits.registers = 128; },
      [](Options& o) { o.lanes = 8; },
      [](Options& o) { o.tier = 1; },
  };
  std::set<std::string> seen;
  for (size_t i = 0; i < changes.size(); ++i) {
    Options changed = options();
    changes[i](changed);
    EXPECT_TRUE(seen.insert(to_text(image_key(program_at("a.py", 3), changed))).second) << i;
  }
}

// What runs on every target alike is known by its file; line tables name files and lines.
TEST(ImageKey, SeesPlacesWhereTheyChangeCode) {
  EXPECT_NE(image_key(program_at("/x/hetjit/device/random.py", 3), options()),
            image_key(program_at("/x/hetjit/device/other.py", 3), options()));
  EXPECT_NE(image_key(program_at("/x/hetjit/library/sums.py", 3), options()),
            image_key(program_at("/x/users/sums.py", 3), options()));
  EXPECT_EQ(image_key(program_at("/x/hetjit/library/sums.py", 3), options()),
            image_key(program_at("/y/hetjit/library/sums.py", 9), options()));
  Options lines = options();
  lines.debug = true;
  EXPECT_NE(image_key(program_at("a.py", 3), lines), image_key(program_at("a.py", 4), lines));
}

Site raise_at(const std::string& file, uint32_t line) {
  return {SiteKind::Raise, "ValueError", true, {{"no", {}, false}}, "f", file, line};
}

TEST(ImagePlaces, SitesMove) {
  const Places from = places_of(program_at("a.py", 3)), to = places_of(program_at("b.py", 10));
  EXPECT_EQ(moved({raise_at("a.py", 4)}, from, to), Sites{raise_at("b.py", 11)});
  EXPECT_EQ(moved({raise_at("a.py", 4)}, from, from), Sites{raise_at("a.py", 4)});
}

TEST(ImagePlaces, WhatCannotBeKnownStays) {
  const Places from = places_of(program_at("a.py", 3)), to = places_of(program_at("b.py", 10));
  EXPECT_FALSE(moved({raise_at("a.py", 5)}, from, to)) << "in no function";
  Site waits = raise_at("a.py", 4);
  waits.text = {{"waits in line ", {}, false}, {"", Scalar::Int64, false}};
  EXPECT_FALSE(moved({waits}, from, to)) << "a line in the code";
  // Two lambdas of one line that moved apart.
  Program before = program_at("a.py", 3), after = program_at("b.py", 10);
  before.functions.push_back(before.functions[0]);
  after.functions.push_back(program_at("b.py", 20).functions[0]);
  EXPECT_FALSE(moved({raise_at("a.py", 4)}, places_of(before), places_of(after)));
  after.functions.back() = after.functions.front();
  EXPECT_TRUE(moved({raise_at("a.py", 4)}, places_of(before), places_of(after)));
}

// A comment more between two lines, and one less.
TEST(ImagePlaces, LinesMoveApart) {
  Program before = program_at("a.py", 3), after = before;
  before.functions[0].positions.push_back({6, 7, 2, 6});
  after.functions[0].positions = {{3, 3, 0, 0}, {6, 6, 2, 6}, {7, 8, 2, 6}};
  after.functions[0].source.lines = {"def f(a):", "  # one", "  # two", "  g(a)"};
  EXPECT_EQ(image_key(before, options()), image_key(after, options()));
  const Places from = places_of(before), to = places_of(after);
  EXPECT_EQ(moved({raise_at("a.py", 4), raise_at("a.py", 7)}, from, to),
            (Sites{raise_at("a.py", 6), raise_at("a.py", 8)}));
  EXPECT_FALSE(moved({raise_at("a.py", 4)}, from, places_of(program_at("a.py", 3))));
  Diagnostics found;
  found.error(Code::RoundedFloat, {0, 6, 2, 7, 6}).report();
  EXPECT_EQ(moved(found, from, to).all()[0].where, (Span{0, 7, 2, 8, 6}));
}

TEST(ImagePlaces, DiagnosticsMove) {
  Diagnostics found;
  found.error(Code::RoundedFloat, {0, 4, 2, 4, 6})
      .label({0, 3, 0, 3, 1}, "here")
      .edit({0, 4, 2, 4, 2}, "not ")
      .report();
  const Diagnostics there =
      moved(found, places_of(program_at("a.py", 3)), places_of(program_at("b.py", 10)));
  EXPECT_EQ(there.all()[0].where, (Span{0, 11, 2, 11, 6}));
  EXPECT_EQ(there.all()[0].labels[0].where, (Span{0, 10, 0, 10, 1}));
  EXPECT_EQ(there.all()[0].edits[0].where, (Span{0, 11, 2, 11, 2}));
}

ImageTable::Image image_of(const Program& program, size_t bytes = 8) {
  Compiled made;
  made.image.code.resize(bytes);
  made.places = places_of(program);
  return std::make_shared<const Compiled>(std::move(made));
}

TEST(ImageTable, MakesOnce) {
  ImageTable table;
  const Program program = program_at("a.py", 3);
  std::atomic<int> made{0};
  auto make = [&] {
    ++made;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return image_of(program);
  };
  std::vector<ImageTable::Image> found(8);
  {
    std::vector<std::jthread> threads;
    for (ImageTable::Image& image : found)
      threads.emplace_back([&] { image = table.find_or_make({1, 2}, places_of(program), make); });
  }
  EXPECT_EQ(made, 1);
  for (const ImageTable::Image& image : found) EXPECT_EQ(image, found[0]);
}

TEST(ImageTable, FailuresAreNotRemembered) {
  ImageTable table;
  int asked = 0;
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(table.find_or_make({1, 2}, {}, [&] { return ++asked, nullptr; }), nullptr);
  EXPECT_EQ(asked, 2);
}

// Who waits for a thread that fails makes it.
TEST(ImageTable, WaitersTryThemselves) {
  ImageTable table;
  const Program program = program_at("a.py", 3);
  std::atomic<int> asked{0};
  auto make = [&]() -> ImageTable::Image {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return ++asked == 1 ? nullptr : image_of(program);
  };
  std::atomic<int> found{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        found += table.find_or_make({1, 2}, places_of(program), make) != nullptr;
      });
  }
  EXPECT_EQ(found, 3);
  EXPECT_EQ(asked, 2);
}

TEST(ImageTable, LinesInCodeAreMadeAgain) {
  ImageTable table;
  const Program here = program_at("a.py", 3), there = program_at("a.py", 4);
  auto make = [](const Program& program) {
    Compiled made{.places = places_of(program)};
    made.image.sites = {raise_at("a.py", program.functions[0].source.first_line)};
    made.image.sites[0].text = {{"line ", {}, false}, {"", Scalar::Int64, false}};
    return std::make_shared<const Compiled>(std::move(made));
  };
  auto first = table.find_or_make({1, 2}, places_of(here), [&] { return make(here); });
  auto second = table.find_or_make({1, 2}, places_of(there), [&] { return make(there); });
  EXPECT_NE(first, second);
  EXPECT_EQ(first, table.find_or_make({1, 2}, places_of(here), [] { return nullptr; }));
  EXPECT_EQ(second, table.find_or_make({1, 2}, places_of(there), [] { return nullptr; }));
}

TEST(ImageTable, IsBounded) {
  ImageTable table;
  const Program program = program_at("a.py", 3);
  const size_t half = ImageTable::kMostBytes / 2 + 1;
  int made = 0;
  auto ask = [&](uint64_t key) {
    table.find_or_make({key, 0}, places_of(program),
                       [&] { return ++made, image_of(program, half); });
  };
  ask(1), ask(1), ask(2), ask(2);
  EXPECT_EQ(made, 2);
  ask(1);
  EXPECT_EQ(made, 3) << "the second took its room";
}

}  // namespace
}  // namespace hetjit
