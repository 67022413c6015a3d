// Elements that lie a few of their own size apart, as complex numbers and the fields of small
// structs do: vectors of all that lies between the first lane's and the last one's, and shuffles,
// instead of an access for each lane. Of whole warps only. Private to compiler/host.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace hetjit::host {

/// Places in memory, from lane to lane.
struct Strided {
  llvm::Type* element;
  llvm::Value* first;  // lane 0's address
  int64_t apart;       // elements from lane to lane
  unsigned width;      // lanes
  llvm::Align align;   // of each place
};

/// What is to be written again, whatever it is. LLVM sees no masked store in that, which would take
/// as long as many others on CPUs without masks for it.
llvm::Value* load_as_it_is(llvm::IRBuilder<>& build, llvm::Type* type, llvm::Value* from,
                           llvm::Align align);

/// Is it worth it?
bool may_load_strided(int64_t apart);
bool may_store_strided(int64_t apart, int64_t bytes);

llvm::Value* load_strided(llvm::IRBuilder<>& build, const Strided& from);
/// What lies between is not written.
void store_strided(llvm::IRBuilder<>& build, const Strided& to, llvm::Value* lanes);

/// The same, of any distance, and of those lanes that are in the mask (null: all): in memory that
/// nobody else accesses meanwhile, what lies between is written as it was.
void store_between(llvm::IRBuilder<>& build, const Strided& to, llvm::Value* lanes,
                   llvm::Value* mask);

/// Of records of nothing but `to.apart` fields: all fields at once.
llvm::SmallVector<llvm::Value*, 4> load_records(llvm::IRBuilder<>& build, const Strided& from);
void store_records(llvm::IRBuilder<>& build, const Strided& to,
                   llvm::ArrayRef<llvm::Value*> fields);

}  // namespace hetjit::host
