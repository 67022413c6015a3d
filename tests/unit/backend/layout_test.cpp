// abi/layout.h against llvm::DataLayout of the three targets: where LLVM's rules are C's (numbers,
// pointers and records of them) both must agree, and the places that lowering gives to the parts of
// any type must be ones that loads and stores may use.
#include "abi/layout.h"

#include <gtest/gtest.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/TargetParser/Triple.h>

#include <random>

#include "compiler/lower/lowering.h"
#include "tests/unit/abi/random_types.h"

namespace hetjit {
namespace {

class TargetLayout : public ::testing::TestWithParam<const char*> {
 protected:
  llvm::DataLayout data_layout_{llvm::Triple(GetParam()).computeDataLayout()};
  llvm::LLVMContext context_;

  llvm::Type* number(Scalar scalar) {
    switch (scalar) {
      case Scalar::Float16:
        return llvm::Type::getHalfTy(context_);
      case Scalar::BFloat16:
        return llvm::Type::getBFloatTy(context_);
      case Scalar::Float32:
        return llvm::Type::getFloatTy(context_);
      case Scalar::Float64:
        return llvm::Type::getDoubleTy(context_);
      default:
        return llvm::Type::getIntNTy(context_, info(scalar).bits);
    }
  }

  // The same type by LLVM's own rules. Null where CUDA's are others: vectors, complex numbers and
  // explicit alignments. Empty records too, which have no bytes in LLVM.
  llvm::Type* natural(TypeId id) {
    const Type& it = type(id);
    llvm::Type* pointer = llvm::PointerType::get(context_, 0);
    switch (it.kind) {
      case TypeKind::None:
      case TypeKind::Pointer:
        return pointer;
      case TypeKind::Scalar:
        return is_complex(it.scalar) ? nullptr : number(it.scalar);
      case TypeKind::Vector:
        return nullptr;
      case TypeKind::Array:
        return descriptor(it.rank);
      case TypeKind::Tuple:
      case TypeKind::Struct:
        return record(it);
      case TypeKind::Aligned:
        return nullptr;
    }
    return nullptr;
  }

  llvm::Type* descriptor(uint8_t rank) {
    llvm::Type* pointer = llvm::PointerType::get(context_, 0);
    if (rank == 0) return llvm::StructType::get(context_, llvm::ArrayRef<llvm::Type*>{pointer});
    auto extents = llvm::ArrayType::get(llvm::Type::getInt64Ty(context_), rank);
    return llvm::StructType::get(context_, {pointer, extents, extents});
  }

  llvm::Type* record(const Type& record) {
    if (record.fields.empty() || record.align || record.packed) return nullptr;
    std::vector<llvm::Type*> parts;
    for (const Field& field : record.fields) {
      parts.push_back(field.align ? nullptr : natural(field.type));
      if (!parts.back()) return nullptr;
    }
    return llvm::StructType::get(context_, parts);
  }

  void expect_agreement(TypeId id, llvm::Type* by_llvm) {
    Layout ours = layout(id);
    EXPECT_EQ(data_layout_.getTypeAllocSize(by_llvm), ours.size) << to_text(id);
    EXPECT_EQ(data_layout_.getABITypeAlign(by_llvm).value(), ours.align) << to_text(id);
    auto fields = llvm::dyn_cast<llvm::StructType>(by_llvm);
    if (!fields) return;
    const llvm::StructLayout* places = data_layout_.getStructLayout(fields);
    ASSERT_EQ(fields->getNumElements(), ours.offsets.size()) << to_text(id);
    for (unsigned i = 0; i < ours.offsets.size(); ++i)
      EXPECT_EQ(places->getElementOffset(i), ours.offsets[i]) << to_text(id) << " part " << i;
  }
};

TEST_P(TargetLayout, Numbers) {
  for (const ScalarInfo& row : kScalars) {
    if (is_complex(row.scalar)) continue;
    expect_agreement(scalar_type(row.scalar), number(row.scalar));
  }
  EXPECT_TRUE(data_layout_.isLittleEndian());
}

TEST_P(TargetLayout, PointersAndDescriptors) {
  for (unsigned space : {0u, 1u}) {
    EXPECT_EQ(data_layout_.getPointerSize(space), 8u);
    EXPECT_EQ(data_layout_.getPointerABIAlignment(space).value(), 8u);
  }
  TypeId f32 = scalar_type(Scalar::Float32);
  for (uint8_t rank = 0; rank <= kMaxRank; ++rank)
    expect_agreement(array_type(f32, rank), descriptor(rank));
}

TEST_P(TargetLayout, RandomRecords_HET_STR_14) {
  const std::string triple = GetParam();
  RecordProperty("targets", triple.starts_with("nvptx") ? "nvptx"
                            : triple.starts_with("amd") ? "amdgpu"
                                                        : "host");
  std::mt19937 random(9);
  int compared = 0;
  for (int i = 0; i < 20000; ++i) {
    TypeId id = testing_types::random_type(random, 3);
    if (type(id).kind != TypeKind::Struct && type(id).kind != TypeKind::Tuple) continue;
    llvm::Type* by_llvm = natural(id);
    if (!by_llvm) continue;
    expect_agreement(id, by_llvm);
    ++compared;
  }
  EXPECT_GT(compared, 200);
}

// Every part lies inside, after the one before, on the alignment that its accesses will claim; and
// that claim follows from the alignment of the whole.
TEST_P(TargetLayout, LoweredPartsFitTheirPlaces) {
  lower::Types types(context_);
  std::mt19937 random(10);
  for (int i = 0; i < 2000; ++i) {
    TypeId id = testing_types::random_type(random, 3);
    Layout whole = layout(id);
    uint64_t end = 0;
    for (const lower::Leaf& leaf : types.leaves(id)) {
      EXPECT_GE(leaf.offset, end) << to_text(id);
      EXPECT_EQ(leaf.offset % leaf.align, 0u) << to_text(id);
      EXPECT_EQ(whole.align % leaf.align, 0u) << to_text(id);
      end = leaf.offset + data_layout_.getTypeStoreSize(leaf.stored).getFixedValue();
      uint64_t bits = data_layout_.getTypeSizeInBits(leaf.stored).getFixedValue();
      EXPECT_EQ(bits, data_layout_.getTypeStoreSizeInBits(leaf.stored).getFixedValue());
      EXPECT_GE(leaf.align * 8, bits) << "a part straddles its alignment: " << to_text(id);
    }
    EXPECT_LE(end, whole.size) << to_text(id);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, TargetLayout,
                         ::testing::Values("x86_64-unknown-linux-gnu", "nvptx64-nvidia-cuda",
                                           "amdgcn-amd-amdhsa"),
                         [](const auto& info) {
                           std::string triple = info.param;
                           return triple.substr(0, triple.find('-'));
                         });

}  // namespace
}  // namespace hetjit
