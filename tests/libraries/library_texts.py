"""A library of texts, vectors and classes, and how it is declared."""

SOURCE = r"""
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>
static char name[] = "bird";
static std::string global = "dog", empty;
static int live = 0;
struct Counted { Counted() { ++live; } Counted(const Counted&) { ++live; } ~Counted() { --live; } };
extern "C" {
int acceptCharArrayIn(const char** names) { int n = 0; while (names[n]) ++n; return n * 100 + (int)std::strlen(names[0]); }
const char* getConstCharPtr() { return name; }
char* getCharPtr() { return name; }
char* getCharPtrAlloc() { return strdup("made"); }
const char* fetchCharPtrLibraryNULL() { return nullptr; }
const char* embedded() { return "a\0b"; }
void passCharPtr(char* to, const char* from) { std::strcpy(to, from); }
void passCharPtrInOut(char* text) { for (; *text; ++text) *text = (char)std::toupper(*text); }
int lengthOf(const char* text) { return text ? (int)std::strlen(text) : -1; }
int given(const char* text, int n) { return n; }
int trimmed(const char* text, int n) { return n; }
char nextOf(char c) { return (char)(c + 1); }
}
std::string getString() { return "bird"; }
const std::string& getConstStringRefLenEmpty() { return empty; }
std::string* getStringPtr() { return &global; }
const std::string* getConstStringPtrLen() { ++live; return new std::string("bird"); }
const std::string* getBadStringPtr() { ++live; return new std::string("\xff\xfe"); }
void dropString(void* text) { --live; delete static_cast<std::string*>(text); }
std::string echo(const std::string& text) { return text; }
int lengthOfString(std::string text) { return (int)text.size(); }
void acceptStringReference(std::string& text) { text += "dog"; }
void acceptStringReferenceOut(std::string& text) { text = "dog"; }
void acceptStringPointer(std::string* text) { text->append("!"); }
std::string* fetchStringPointerLen(int* n) { *n = (int)global.size(); return &global; }
int liveObjects() { return live; }

int vector_sum(const std::vector<int>& values) { return std::accumulate(values.begin(), values.end(), 0); }
void vector_iota_out(std::vector<int>& values) { values.resize(5); std::iota(values.begin(), values.end(), 1); }
void vector_increment(std::vector<int>& values) { for (int& each : values) ++each; values.push_back(0); }
std::vector<int> ReturnVectorAlloc(int n) { std::vector<int> made(n); std::iota(made.begin(), made.end(), 1); return made; }
std::vector<double>& library_vector() { static std::vector<double> kept(3, 1.5); return kept; }
std::vector<int>* new_vector(int n) { return new std::vector<int>(n, 7); }
int count_texts(const std::vector<std::string>& texts) { size_t n = 0; for (auto& each : texts) n += each.size(); return (int)n; }
std::vector<std::string> names() { return {"dog", "", "\xc3\xa9"}; }
void fail(int how) {
  if (how == 0) throw std::runtime_error("broken");
  if (how == 1) throw std::invalid_argument("wrong value");
  if (how == 2) throw std::out_of_range("too far");
  if (how == 3) throw 42;
  if (how == 4) throw std::bad_alloc();
}

class Class1 {
 public:
  explicit Class1(int flag = 0);
  ~Class1();
  int method(int by) const;
  int m_flag;
  std::string label;
  static int three();
};
Class1::Class1(int flag) : m_flag(flag) { ++live; }
Class1::~Class1() { --live; }
int Class1::method(int by) const { return m_flag * by; }
int Class1::three() { return 3; }
class Class2 { public: Class2(); int x; };
Class2::Class2() {}
Class1* getClassNew(int flag) { return new Class1(flag); }
Class1* getClassStatic() { static Class1 kept(5); return &kept; }
int flagOf(const Class1* object) { return object->m_flag; }
int flagOfReference(Class1& object) { return object.m_flag; }
int ofOther(Class2* object) { return object->x; }
namespace app { enum Colour { red, green = 5 }; int shade(Colour c) { return c * 2; } namespace inner { double half(double x) { return x / 2; } } }
"""

DECLARATIONS = """
#include <string>
#include <vector>
extern "C" {
int acceptCharArrayIn(const char** names +intent(in));
const char* getConstCharPtr();
char* getCharPtr() +deref(pointer);
char* getCharPtrAlloc() +owner(caller);
const char* fetchCharPtrLibraryNULL();
const char* embedded() +deref(raw);
void passCharPtr(char* to +intent(out)+charlen(40), const char* from +charlen(40));
void passCharPtrInOut(char* text +intent(inout));
int lengthOf(const char* text +nullable);
int given(const char* text, int n +implied(len(text)));
int trimmed(const char* text, int n +implied(len_trim(text)));
char nextOf(char c);
}
std::string getString();
const std::string& getConstStringRefLenEmpty();
std::string* getStringPtr();
const std::string* getConstStringPtrLen() +owner(caller)+destructor_name(drop);
const std::string* getBadStringPtr() +owner(caller)+destructor_name(drop);
void dropString(void* text);
std::string echo(const std::string& text);
int lengthOfString(std::string text);
void acceptStringReference(std::string& text);
void acceptStringReferenceOut(std::string& text +intent(out));
void acceptStringPointer(std::string* text +intent(inout));
std::string* fetchStringPointerLen(int* n +intent(out));
int liveObjects();
int vector_sum(const std::vector<int>& values);
void vector_iota_out(std::vector<int>& values +intent(out));
void vector_increment(std::vector<int>& values +intent(inout));
std::vector<int> ReturnVectorAlloc(int n);
std::vector<double>& library_vector();
std::vector<int>* new_vector(int n) +owner(caller)+destructor_name(std_vector_int);
int count_texts(const std::vector<std::string>& texts);
std::vector<std::string> names();
void fail(int how);
class Class1 {
 public:
  explicit Class1(int flag = 0);
  ~Class1();
  int method(int by) const;
  int m_flag;
  std::string label;
  static int three();
};
class Class2 { public: Class2(); int x; };
Class1* getClassNew(int flag) +owner(caller);
Class1* getClassStatic();
int flagOf(const Class1* object);
int flagOfReference(Class1& object);
int ofOther(Class2* object);
namespace app { enum Colour { red, green = 5 }; int shade(Colour c); namespace inner { double half(double x); } }
"""

DESTRUCTORS = {"drop": "dropString(ptr);"}
