# SPDX-License-Identifier: MIT
"""Every block of C, C++ or Go in the documents is a part of a sample, of an example or of a client of the
model checker.

A block may be indented less than in its file: what all of its lines have in common is left out.
"""
import glob
import re
import sys
import textwrap

BLOCK = re.compile(r'^```(\w*)\n(.*?)^```$', re.M | re.S)


def lines_of(text):
    return textwrap.dedent(text).rstrip('\n').split('\n')


def is_part(block, lines):
    """Whether some lines of a file, without their common indentation, are the block."""
    n = len(block)
    for i in range(len(lines) - n + 1):
        if lines[i].lstrip() == block[0].lstrip() and lines_of('\n'.join(lines[i:i + n])) == block:
            return True
    return False


def main():
    names = glob.glob('docs/samples/*/*.*') + glob.glob('examples/*.*') + glob.glob('verify/*/*.c')
    sources = [open(name).read().split('\n') for name in names]
    failed = 0
    documents = [name for name in sorted(glob.glob('**/*.md', recursive=True)) if not name.startswith('build')]
    assert len(documents) > 20, documents
    for document in documents:
        for language, block in BLOCK.findall(open(document).read()):
            if language in ('c', 'cpp', 'go') and not any(is_part(lines_of(block), s) for s in sources):
                print(f'{document}: this is no part of any sample or example:\n{block}', file=sys.stderr)
                failed = 1
            if language == 'text' and not any(is_part(lines_of(block), s) for s in sources):
                print(f'{document}: no sample prints this:\n{block}', file=sys.stderr)
                failed = 1
    return failed


sys.exit(main())
