#!/usr/bin/env bash
# compile_amd.sh SOURCE ARCHITECTURE WAVE OUT [FLAGS]: a source of the tests as a code object, by clang and lld 22 alone. FLAGS are clang's: -gdwarf-5
# for line tables. OCML: the bitcode of AMD's math functions.
set -euo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
source=$1 architecture=$2 wave=$3 out=$4
shift 4
ocml=${OCML:-/usr/lib/x86_64-linux-gnu/amdgcn/bitcode/ocml.bc}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
clang-22 -x hip --cuda-device-only --offload-arch="$architecture" -nogpuinc -nogpulib -nostdinc -fdeclspec -ffp-contract=off -DWAVE="$wave" \
  -include "$here/sources/amd/names.h" -I "$here/sources/amd" -O2 -munsafe-fp-atomics -fgpu-rdc -cuid=0 \
  -ffile-compilation-dir=. -ffile-prefix-map="$here/sources/"= "$@" \
  -Xclang -mlink-builtin-bitcode -Xclang "$ocml" -S -emit-llvm -o "$folder/code.ll" "$source"
llc-22 -O3 -mcpu="$architecture" -filetype=obj "$folder/code.ll" -o "$folder/code.o"
ld.lld-22 -shared --no-undefined "$folder/code.o" -o "$out"
llvm-strip-22 ${1:+--keep-section=.debug_line --keep-section=.debug_line_str} --strip-debug "$out"
