// What each file that sees a type would otherwise make anew, for a variant of so many kinds.
#include "compiler/typing/known/type_value.h"

namespace hetjit::typing {

KindOfValue::KindOfValue() = default;
KindOfValue::KindOfValue(const KindOfValue&) = default;
KindOfValue::KindOfValue(KindOfValue&&) noexcept = default;
KindOfValue& KindOfValue::operator=(const KindOfValue&) = default;
KindOfValue& KindOfValue::operator=(KindOfValue&&) noexcept = default;
KindOfValue::~KindOfValue() = default;
bool operator==(const KindOfValue& a, const KindOfValue& b) {
  return static_cast<const KindsOfValues&>(a) == static_cast<const KindsOfValues&>(b);
}

}  // namespace hetjit::typing
