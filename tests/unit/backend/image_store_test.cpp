// An image goes to disk and back whole, or is made again.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "compiler/images/image_store.h"
#include "compiler/target/identity.h"

namespace hetjit {
namespace {

namespace fs = std::filesystem;

Program program_at(const std::string& path, uint32_t line) {
  Snapshot function;
  function.name = "f";
  function.source = {path, line, {"def f(a):", "  g(a)"}};
  function.locals = {"a"};
  function.names = {{"N", Constant{IntConstant{false, 3}}}};
  function.positions = {{line, line, 0, 0}, {line + 1, line + 1, 2, 6}};
  return {{function}};
}

Options options() {
  Options made;
  made.target = *parse_target("cpu:native");
  made.signature = *parse_signature("(float)");
  return made;
}

Site raise_at(const std::string& file, uint32_t line) {
  return {SiteKind::Raise, "ValueError", true, {{"no", {}, false}}, "f", file, line};
}

Compiled example() {
  Compiled made;
  made.places = places_of(program_at("a.py", 3));
  made.warnings.error(Code::RoundedFloat, {0, 4, 2, 4, 6}, {"a"})
      .label({0, 3, 0, 3, 1}, "here")
      .note("a note")
      .help("a help")
      .report();
  made.image.entry = "f";
  made.image.signature = options().signature;
  made.image.sites = {raise_at("a.py", 4)};
  made.image.code.assign(100, std::byte{7});
  return made;
}

void expect_equal(const Compiled& a, const Compiled& b) {
  EXPECT_EQ(save_image(a.image), save_image(b.image));
  EXPECT_EQ(a.places, b.places);
  ASSERT_EQ(a.warnings.all().size(), b.warnings.all().size());
  for (size_t i = 0; i < a.warnings.all().size(); ++i) {
    const Diagnostic &one = a.warnings.all()[i], &other = b.warnings.all()[i];
    EXPECT_EQ(one.code, other.code);
    EXPECT_EQ(one.where, other.where);
    EXPECT_EQ(one.message, other.message);
    EXPECT_EQ(one.notes, other.notes);
    EXPECT_EQ(one.helps, other.helps);
    ASSERT_EQ(one.labels.size(), other.labels.size());
    for (size_t j = 0; j < one.labels.size(); ++j) {
      EXPECT_EQ(one.labels[j].where, other.labels[j].where);
      EXPECT_EQ(one.labels[j].text, other.labels[j].text);
    }
  }
}

TEST(ImageFile, GoesThereAndBack) {
  const auto file = save_compiled(example(), "name", "kernel f");
  Result<Compiled> back = load_compiled(file, "name");
  ASSERT_TRUE(back.ok()) << back.error().text;
  expect_equal(*back, example());
  EXPECT_EQ(*load_ingredients(file), "kernel f");
  EXPECT_FALSE(load_compiled(file, "another").ok()) << "a copy under another name";
}

TEST(ImageFile, EveryChangedByteIsFound) {
  auto file = save_compiled(example(), "name", "kernel f");
  for (size_t i = 0; i < file.size(); ++i)
    for (int flip : {1, 128, 255}) {
      file[i] ^= static_cast<std::byte>(flip);
      ASSERT_FALSE(load_compiled(file, "name").ok()) << i;
      file[i] ^= static_cast<std::byte>(flip);
    }
  EXPECT_TRUE(load_compiled(file, "name").ok());
}

TEST(ImageFile, EveryLengthIsFound) {
  auto file = save_compiled(example(), "name", "kernel f");
  for (size_t size = 0; size < file.size(); ++size) {
    auto part = std::span(file).first(size);
    ASSERT_FALSE(load_compiled(part, "name").ok()) << size;
    (void)load_ingredients(part);
  }
  file.push_back({});
  EXPECT_FALSE(load_compiled(file, "name").ok());
}

TEST(Identity, IsOfThisBuildAndCpu) {
  const std::string native = target::identity(*parse_target("cpu:native"));
  EXPECT_EQ(native, target::identity(*parse_target("cpu:native")));
  EXPECT_TRUE(native.starts_with("build ")) << native;
  EXPECT_NE(native.find("\ncpu " + target::native_cpu()), std::string::npos);
  EXPECT_EQ(target::identity(*parse_target("cpu:x86-64-v3")).find("cpu"), std::string::npos);
}

class Store : public ::testing::Test {
 protected:
  Store() {
    char path[] = "/tmp/hetjit-store-XXXXXX";
    settings_.path = mkdtemp(path);
    settings_.chosen = true;
  }
  ~Store() override { fs::remove_all(settings_.path); }

  // Whether it had to be made.
  bool made(const Program& program, const Options& options) {
    bool made = false;
    faults_.clear();
    found_ = ImageStore(settings_).find_or_make(
        program, options,
        [&] {
          made = true;
          Compiled compiled = example();
          compiled.places = places_of(program);
          compiled.image.sites[0].file = compiled.places[0].path;
          compiled.image.sites[0].line = compiled.places[0].lines.front();
          if (!movable_)
            compiled.image.sites[0].text = {{"line ", {}, false}, {"", Scalar::Int64, false}};
          return std::make_shared<const Compiled>(std::move(compiled));
        },
        faults_);
    return made;
  }

  storage::Settings settings_;
  bool movable_ = true;
  ImageTable::Image found_;
  std::vector<std::string> faults_;
};

TEST_F(Store, FindsTheSameElsewhere) {
  EXPECT_TRUE(made(program_at("a.py", 3), options()));
  EXPECT_FALSE(made(program_at("a.py", 3), options()));
  EXPECT_FALSE(made(program_at("/elsewhere/b.py", 90), options()));
  EXPECT_EQ(found_->places, places_of(program_at("a.py", 3)));
  EXPECT_TRUE(faults_.empty());
}

TEST_F(Store, MakesWhatDiffers) {
  EXPECT_TRUE(made(program_at("a.py", 3), options()));
  Program other = program_at("a.py", 3);
  other.functions[0].names[0].meaning = Constant{IntConstant{false, 4}};
  EXPECT_TRUE(made(other, options()));
  Options fast = options();
  fast.fastmath = true;
  EXPECT_TRUE(made(program_at("a.py", 3), fast));
  EXPECT_EQ(ImageStore(settings_).own().files().size(), 3u);
}

TEST_F(Store, KeepsWhatCannotBeMovedForItsPlace) {
  movable_ = false;
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(made(program_at("a.py", 3), options()), round == 0);
    EXPECT_EQ(made(program_at("b.py", 3), options()), round == 0) << "nor do the two take turns";
  }
}

TEST_F(Store, MakesWhatIsDamagedAndSaysSo) {
  EXPECT_TRUE(made(program_at("a.py", 3), options()));
  const storage::DiskCache own = ImageStore(settings_).own();
  const std::string file = own.path_of(own.files().front().name);
  fs::resize_file(file, fs::file_size(file) - 1);
  EXPECT_TRUE(made(program_at("a.py", 3), options()));
  ASSERT_EQ(faults_.size(), 1u);
  EXPECT_NE(faults_[0].find(file + " is not used: "), std::string::npos) << faults_[0];
  EXPECT_FALSE(made(program_at("a.py", 3), options())) << "it was written anew";
  EXPECT_TRUE(faults_.empty());
}

TEST_F(Store, IsLeftAloneByWhoWatches) {
  EXPECT_TRUE(made(program_at("a.py", 3), options()));
  Options verified = options(), timed = options(), shown = options();
  verified.verify = true;
  timed.observer.timed = [](std::string_view, std::chrono::nanoseconds) {};
  shown.observer.wants = [](Phase) { return true; };
  for (const Options& watching : {verified, timed, shown})
    EXPECT_TRUE(made(program_at("a.py", 3), watching));
}

TEST_F(Store, ReadsOnlyAndReadsShared) {
  EXPECT_TRUE(made(program_at("a.py", 3), options()));
  settings_.writes = false;
  EXPECT_FALSE(made(program_at("a.py", 3), options()));
  Options fast = options();
  fast.fastmath = true;
  EXPECT_TRUE(made(program_at("a.py", 3), fast));
  EXPECT_TRUE(made(program_at("a.py", 3), fast));
  const std::string own = settings_.path;
  settings_.writes = true;
  settings_.shared = own;
  settings_.path = own + "/another";
  EXPECT_FALSE(made(program_at("a.py", 3), options()));
  EXPECT_FALSE(fs::exists(settings_.path)) << "what is shared is not copied";
  settings_.reads = false;
  EXPECT_TRUE(made(program_at("a.py", 3), options()));
  settings_.path = own;
}

TEST_F(Store, CompilesWhereNothingCanBeKept) {
  const std::string own = settings_.path;
  std::ofstream(own + "/file") << "no folder";
  settings_.path = own + "/file/cache";
  EXPECT_TRUE(made(program_at("a.py", 3), options()));
  ASSERT_EQ(faults_.size(), 1u);
  EXPECT_NE(faults_[0].find("compiled kernels are not kept: cannot make"), std::string::npos);
  settings_.chosen = false;
  EXPECT_TRUE(made(program_at("a.py", 3), options()));
  EXPECT_TRUE(faults_.empty()) << "nobody asked for it";
  settings_.path = "";
  EXPECT_TRUE(made(program_at("a.py", 3), options()));
  settings_.path = own;
}

}  // namespace
}  // namespace hetjit
