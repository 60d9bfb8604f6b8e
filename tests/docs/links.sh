# SPDX-License-Identifier: MIT
# Links between the documents lead somewhere; commands and options that they name are there.
set -eu
python3 tests/docs/links.py "$FILCH_BUILD/filch"
