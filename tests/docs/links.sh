# SPDX-License-Identifier: MIT
# Links between the documents lead somewhere; commands and options that they name are there.
set -eu
# Builds with sanitizers have smaller benchmarks, of other names.
if grep -qE '^FILCH_SANITIZE:STRING=.' "$FILCH_BUILD/CMakeCache.txt"; then exit 77; fi
python3 tests/docs/links.py "$FILCH_BUILD/filch"
