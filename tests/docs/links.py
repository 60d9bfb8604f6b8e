# SPDX-License-Identifier: MIT
"""links.py FILCH: relative links of all documents lead somewhere, and commands are there.

A link is to a file or folder, and to a heading in it if it has a #. A command is code in the text that begins
with build/filch, a line of a block of shell that begins with filch, or a line of a manual page that is
displayed and does: its options are named by --help, and a benchmark measures something.
"""
import glob
import os
import re
import shlex
import subprocess
import sys

LINK = re.compile(r'\]\(([^)\s]+)\)')
COMMAND = re.compile(r'build/filch [^`\n]*|(?<=^\.Dl )filch .*|^filch bench .*', re.M)
CODE = re.compile(r'^```.*?^```$', re.M | re.S)


def anchors_of(path):
    """As GitHub makes them of headings."""
    text = CODE.sub('', open(path).read())
    found = set()
    for heading in re.findall(r'^#+ (.*)$', text, re.M):
        plain = re.sub(r'\[([^]]*)\]\([^)]*\)', r'\1', heading).replace('`', '').strip().lower()
        found.add(re.sub(r'[^\w\- ]', '', plain).replace(' ', '-'))
    return found


def bad_links(document):
    for link in LINK.findall(CODE.sub('', open(document).read())):
        if re.match(r'[a-z]+:', link):
            continue
        path, _, anchor = link.partition('#')
        path = os.path.normpath(os.path.join(os.path.dirname(document), path)) if path else document
        if not os.path.exists(path):
            yield f'{link}: there is no {path}'
        elif anchor and anchor not in anchors_of(path):
            yield f'{link}: {path} has no such heading'


def words_of(line):
    """Of a command, up to the end of it."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words = list(lexer)
    ends = [i for i, word in enumerate(words) if re.fullmatch(r'[|;&<>()]+', word)]
    return words[1:ends[0] if ends else None]


def output_of(*words):
    run = subprocess.run(words, capture_output=True, text=True)
    return run.stdout if run.returncode == 0 else ''


def bad_commands(filch, document):
    for line in COMMAND.findall(open(document).read()):
        words = words_of(line)
        if any(word.isupper() for word in words):
            continue  # a name for something to be filled in
        if words[0] == 'sim' and not os.path.exists(filch + '-sim'):
            continue  # not every compiler builds the simulator
        if words[0] == 'bench':  # it knows best
            if '--help' not in words and not output_of(filch, *words, '--list'):
                yield f'{line}: measures nothing'
            continue
        text = output_of(filch, words[0], '--help')
        if not text:
            yield f'{line}: there is no such command'
        for option in re.findall(r'--[a-z-]+', ' '.join(words)):
            if option not in text:
                yield f'{line}: --help does not name {option}'


def main():
    filch = sys.argv[1]
    documents = [name for name in sorted(glob.glob('**/*.md', recursive=True)) if not name.startswith('build')]
    assert len(documents) > 20, documents
    failed = 0
    pages = sorted(glob.glob('man/*.1'))
    for document in documents + pages:
        for what in [*bad_links(document), *bad_commands(filch, document)]:
            print(f'{document}: {what}', file=sys.stderr)
            failed = 1
    return failed


sys.exit(main())
