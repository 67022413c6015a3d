#include "compiler/target/build_id.h"

#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstring>
#include <span>

namespace hetjit::target {
namespace {

struct IdSearch {
  uintptr_t address;
  std::string id;
};

std::string hexadecimal(std::span<const uint8_t> bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (uint8_t byte : bytes) text += {kDigits[byte >> 4], kDigits[byte & 15]};
  return text;
}

constexpr size_t padded(size_t size) { return (size + 3) & ~size_t{3}; }

/// Notes one after another: sizes of name and content, kind, name, content.
std::string id_in(std::span<const uint8_t> notes) {
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) head;
    std::memcpy(&head, notes.data(), sizeof head);
    notes = notes.subspan(sizeof head);
    const size_t name = padded(head.n_namesz), content = padded(head.n_descsz);
    if (name + content > notes.size()) return "";
    const bool gnu = head.n_namesz == 4 && std::memcmp(notes.data(), "GNU", 4) == 0;
    if (gnu && head.n_type == NT_GNU_BUILD_ID)
      return hexadecimal(notes.subspan(name, head.n_descsz));
    notes = notes.subspan(name + content);
  }
  return "";
}

bool has(const dl_phdr_info& object, uintptr_t address) {
  for (const auto& part : std::span(object.dlpi_phdr, object.dlpi_phnum))
    if (part.p_type == PT_LOAD && address - object.dlpi_addr - part.p_vaddr < part.p_memsz)
      return true;
  return false;
}

int look_at(dl_phdr_info* object, size_t, void* data) {
  auto* search = static_cast<IdSearch*>(data);
  if (!has(*object, search->address)) return 0;
  for (const auto& part : std::span(object->dlpi_phdr, object->dlpi_phnum)) {
    if (part.p_type != PT_NOTE || !search->id.empty()) continue;
    auto* notes = reinterpret_cast<const uint8_t*>(object->dlpi_addr + part.p_vaddr);
    search->id = id_in({notes, part.p_memsz});
  }
  return 1;
}

}  // namespace

std::string build_id(const void* address) {
  IdSearch search{reinterpret_cast<uintptr_t>(address), ""};
  dl_iterate_phdr(look_at, &search);
  return search.id;
}

}  // namespace hetjit::target
