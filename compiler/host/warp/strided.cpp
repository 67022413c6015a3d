#include "compiler/host/warp/strided.h"

#include "compiler/host/facts/costs.h"

namespace hetjit::host {
namespace {

using llvm::Value;

llvm::Type* vector_of(const Strided& places) {
  return llvm::FixedVectorType::get(places.element, places.width);
}

/// So many elements behind lane 0's place, and how that is aligned.
struct Place {
  Value* address;
  llvm::Align align;
};

Place place(llvm::IRBuilder<>& build, const Strided& places, int64_t element) {
  const auto bytes = static_cast<uint64_t>(element) * (places.element->getScalarSizeInBits() / 8);
  return {build.CreateGEP(build.getInt8Ty(), places.first, build.getInt64(bytes)),
          llvm::commonAlignment(places.align, bytes)};
}

/// A vector of neighbours that begins so many elements behind lane 0's place.
struct Part {
  int64_t begin;
  Value* elements;
};

Part load_part(llvm::IRBuilder<>& build, const Strided& from, int64_t begin) {
  const Place at = place(build, from, begin);
  return {begin, build.CreateAlignedLoad(vector_of(from), at.address, at.align)};
}

/// The element `offset` behind each lane's place.
Value* pick(llvm::IRBuilder<>& build, const Strided& from, llvm::ArrayRef<Part> parts,
            int64_t offset) {
  Value* picked = llvm::PoisonValue::get(vector_of(from));
  for (const Part& part : parts) {
    llvm::SmallVector<int, 64> lanes;
    for (int64_t lane = 0; lane < from.width; ++lane) {
      const int64_t at = lane * from.apart + offset - part.begin;
      lanes.push_back(static_cast<int>(at >= 0 && at < from.width ? from.width + at : lane));
    }
    picked = build.CreateShuffleVector(picked, part.elements, lanes);
  }
  return picked;
}

/// Where the vectors begin that reach over all lanes' places. The last one ends with the last
/// lane's element: what is behind it may be nobody's memory.
llvm::SmallVector<int64_t, kMostApart> begins(const Strided& places) {
  llvm::SmallVector<int64_t, kMostApart> found;
  for (int64_t part = 0; part + 1 < places.apart; ++part) found.push_back(part * places.width);
  found.push_back((places.width - 1) * (places.apart - 1));
  return found;
}

}  // namespace

Value* load_as_it_is(llvm::IRBuilder<>& build, llvm::Type* type, Value* from, llvm::Align align) {
  return build.CreateFreeze(build.CreateAlignedLoad(type, from, align));
}

bool may_load_strided(int64_t apart) { return apart > 1 && apart <= kMostApart; }

// Vectors of less have no masks on every CPU.
bool may_store_strided(int64_t apart, int64_t bytes) {
  return may_load_strided(apart) && apart <= kMostApartStored && bytes >= 4;
}

Value* load_strided(llvm::IRBuilder<>& build, const Strided& from) {
  llvm::SmallVector<Part, kMostApart> parts;
  for (int64_t begin : begins(from)) parts.push_back(load_part(build, from, begin));
  return pick(build, from, parts, 0);
}

// Where two of the vectors overlap, the second one has what the first one has written.
void store_between(llvm::IRBuilder<>& build, const Strided& to, Value* lanes, Value* mask) {
  for (int64_t begin : begins(to)) {
    llvm::SmallVector<int, 64> from;
    llvm::SmallVector<llvm::Constant*, 64> written;
    for (int64_t element = begin; element < begin + to.width; ++element) {
      written.push_back(build.getInt1(element % to.apart == 0));
      from.push_back(static_cast<int>(element / to.apart));
    }
    Value* chosen = llvm::ConstantVector::get(written);
    if (mask) chosen = build.CreateAnd(chosen, build.CreateShuffleVector(mask, from));
    const Place at = place(build, to, begin);
    Value* there = load_as_it_is(build, vector_of(to), at.address, at.align);
    Value* mixed = build.CreateSelect(chosen, build.CreateShuffleVector(lanes, from), there);
    build.CreateAlignedStore(mixed, at.address, at.align);
  }
}

void store_strided(llvm::IRBuilder<>& build, const Strided& to, Value* lanes) {
  for (int64_t part = 0; part < to.apart; ++part) {
    llvm::SmallVector<int, 64> from;
    llvm::SmallVector<llvm::Constant*, 64> written;
    for (int64_t at = part * to.width; at < (part + 1) * to.width; ++at) {
      written.push_back(build.getInt1(at % to.apart == 0));
      from.push_back(static_cast<int>(at / to.apart));
    }
    const Place begin = place(build, to, part * to.width);
    build.CreateMaskedStore(build.CreateShuffleVector(lanes, from), begin.address, begin.align,
                            llvm::ConstantVector::get(written));
  }
}

llvm::SmallVector<Value*, 4> load_records(llvm::IRBuilder<>& build, const Strided& from) {
  llvm::SmallVector<Part, kMostApart> parts;
  for (int64_t part = 0; part < from.apart; ++part)
    parts.push_back(load_part(build, from, part * from.width));
  llvm::SmallVector<Value*, 4> fields;
  for (int64_t field = 0; field < from.apart; ++field)
    fields.push_back(pick(build, from, parts, field));
  return fields;
}

void store_records(llvm::IRBuilder<>& build, const Strided& to, llvm::ArrayRef<Value*> fields) {
  for (int64_t part = 0; part < to.apart; ++part) {
    Value* mixed = llvm::PoisonValue::get(vector_of(to));
    for (int64_t field = 0; field < to.apart; ++field) {
      llvm::SmallVector<int, 64> lanes;
      for (int64_t lane = 0; lane < to.width; ++lane) {
        const int64_t at = part * to.width + lane;
        lanes.push_back(static_cast<int>(at % to.apart == field ? to.width + at / to.apart : lane));
      }
      mixed = build.CreateShuffleVector(mixed, fields[field], lanes);
    }
    const Place begin = place(build, to, part * to.width);
    build.CreateAlignedStore(mixed, begin.address, begin.align);
  }
}

}  // namespace hetjit::host
