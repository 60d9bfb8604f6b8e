# SPDX-License-Identifier: MIT
# The shared library from Python, which can call symbols and knows nothing of macros and headers.
set -eu
for workers in 1 2 4; do
	FILCH_WORKERS=$workers python3 tests/package/foreign.py "$FILCH_BUILD/libfilch.so.1"
done
