#!/usr/bin/env bash
# Makes the recorded PTX and code objects anew from sources/ and benchmarks/codegen, with the nvcc and clang-22 on the PATH.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
for source in sources/*.cu; do
  name=$(basename "$source" .cu)
  nvcc -ptx -arch=sm_90 -lineinfo "$source" -o "recorded/$name.ptx"
  sed -i -E 's|(\.file[^"]*").*/([^/"]*")|\1\2|' "recorded/$name.ptx"
done
declare -A lines=([gfx942]=dwarf-5 [gfx1100]=dwarf-4)
for source in sources/*.cu sources/amd/*.cu; do
  for architecture in gfx942:64 gfx1100:32; do
    out=recorded/${architecture%:*}-$(basename "$source" .cu) flags=()
    [ "$source" != sources/amd/lines.cu ] || flags=("-g${lines[${architecture%:*}]}")
    ./compile_amd.sh "$source" "${architecture%:*}" "${architecture#*:}" "$out" "${flags[@]}"
    xz -9e --force "$out"
  done
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python ../../benchmarks/codegen.py --emit "$folder"
for made in "$folder"/*; do
  xz -9e --stdout "$made" >"recorded/twins-$(basename "$made").xz"
done
