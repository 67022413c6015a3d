#!/usr/bin/env bash
# Makes the recorded PTX anew from sources/*.cu, with the nvcc on the PATH.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
for source in sources/*.cu; do
  name=$(basename "$source" .cu)
  nvcc -ptx -arch=sm_90 -lineinfo "$source" -o "recorded/$name.ptx"
  sed -i -E 's|(\.file[^"]*").*/([^/"]*")|\1\2|' "recorded/$name.ptx"
done
