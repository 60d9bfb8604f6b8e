# SPDX-License-Identifier: MIT
"""Compares man/*.[37] with the public headers, and builds and runs their examples.

Run by man3.sh at the top of the tree, with FILCH_BUILD and CC set."""
import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import tempfile

CC = os.environ.get('CC', 'cc')
BUILD = os.environ['FILCH_BUILD']
INCLUDE = ['-Iinclude', f'-I{BUILD}/include']
failed = False


def wrong(text):
    global failed
    failed = True
    print(text, file=sys.stderr)


# ---- the headers ----

def headers():
    """All that can be included by itself."""
    found = glob.glob('include/filch/*.h')
    return [h[len('include/'):] for h in sorted(found)
            if not h.endswith(('_template.h', '.inc.h'))]


def queue_headers():
    """Those of the queues, which the build makes."""
    return [f'filch/queue/{os.path.basename(h)}'
            for h in sorted(glob.glob(f'{BUILD}/include/filch/queue/*.h'))]


def preprocess(names, *flags):
    text = ''.join(f'#include <{h}>\n' for h in names)
    return subprocess.run([CC, '-E', *flags, *INCLUDE, '-xc', '-'], input=text,
                          stdout=subprocess.PIPE, text=True, check=True).stdout


def own_text(names):
    """What our headers are after preprocessing, without attributes."""
    text, own = [], False
    for line in preprocess(names).splitlines():
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            own = marker.group(1).startswith(('include/filch', f'{BUILD}/include/filch'))
        elif own and not line.startswith('#'):
            text.append(line)
    nested = r'\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)'
    text = re.sub(r'__attribute__\s*' + nested, '', ' '.join(text))
    for type_, name in re.findall(r'typedef ([^;{}()]*?) (filch_\w*__\w+) ?;', text):
        text = re.sub(rf'\b{name}\b', type_, text) # the templates' own
    return text


def plain(text):
    """In one form, whatever the spaces."""
    text = re.sub(r'\s+', ' ', text.replace('_Bool', 'bool')).strip()
    return re.sub(r' ?([^\w ]) ?', r'\1', text)


def outermost(text):
    """Declarations and heads of definitions, without what is in braces."""
    depth, start = 0, 0
    for i, c in enumerate(text):
        if c == '{':
            if depth == 0:
                yield text[start:i]
            depth += 1
        elif c == '}':
            depth -= 1
        elif c == ';' and depth == 0:
            yield text[start:i]
        if c in '};' and depth == 0:
            start = i + 1


def prototypes(text):
    found = {}
    for declaration in outermost(text):
        match = re.search(r'\b(filch_\w+)\s*\(', declaration)
        if not match or '__' in match.group(1) or 'typedef' in declaration:
            continue
        before = re.sub(r'\b(static|inline|extern)\b', '', declaration[:match.start()])
        if '(' not in before:
            found[match.group(1)] = plain(before + ' ' + declaration[match.start():])
    return found


def macros():
    """Of each public macro its parameters, or None."""
    found = {}
    for line in preprocess(headers(), '-dM').splitlines():
        match = re.match(r'#define (FILCH_(?!_)\w+)(?:\(([^)]*)\))?', line)
        if match and not match.group(1).endswith('_H'):
            found[match.group(1)] = match.group(2) and plain(match.group(2))
    return found


def asked_for():
    """What the headers ask whether the user has defined."""
    found = set()
    for header in glob.glob('include/filch/**/*.h', recursive=True):
        for line in open(header):
            if re.match(r'#\s*(if|elif|undef)', line):
                found.update(re.findall(r'\bFILCH_(?!_)\w+', line))
    return {name for name in found if not name.endswith('_H')}


def cxx_names():
    found = {'filch::error', 'filch::grain'}
    for header in glob.glob('include/filch/cxx/*.hpp'):
        text = open(header).read()
        text = re.sub(r'^namespace detail\n.*?^} // namespace detail', '', text,
                      flags=re.M | re.S)
        function = r'^(?:template <.*> )?[\w:][^;={}/#]*?\b(\w+)\('
        found.update('filch::' + name for name in re.findall(function, text, re.M))
    return found


def environment(public):
    """The variables that the library looks for: all strings like their names."""
    found = set()
    for source in glob.glob('src/**/*.[ch]', recursive=True):
        found.update(re.findall(r'"(FILCH_(?!_)[A-Z_]+)"', open(source).read()))
    return found - set(public)


# ---- the pages ----

class Page:
    def __init__(self, path):
        self.path = path
        self.name = os.path.basename(path)[:-2]
        self.lines = open(path).read().splitlines()
        self.sections = {}
        for line in self.lines:
            if line.startswith('.Sh '):
                self.sections[line[4:]] = section = []
            elif self.sections:
                section.append(line)
        self.names = [line.split()[1] for line in self.sections['NAME']
                      if line.startswith('.Nm ')]

    def blocks(self, section):
        """The literal displays of a section."""
        text = '\n'.join(self.sections.get(section, [])) + '\n'
        for block in re.findall(r'^\.Bd -literal.*?\n(.*?)^\.Ed', text, re.M | re.S):
            yield re.sub(r'^\\&', '', block, flags=re.M).replace('\\e', '\\')

    def synopsis(self):
        """Pairs of a function's name and its prototype; macros have no type."""
        result, name, arguments = '', None, []
        for line in self.sections['SYNOPSIS']:
            macro, _, rest = line.partition(' ')
            words = [a or b for a, b in re.findall(r'"([^"]*)"|(\S+)', rest)]
            if macro == '.Ft':
                result = words[0]
            elif macro == '.Fo':
                name, arguments = words[0], []
            elif macro == '.Fa' and name:
                arguments.append(words[0])
            elif macro == '.Fn':
                name, arguments = words[0], words[1:]
            if macro in ('.Fn', '.Fc'):
                yield name, plain(f'{result} {name}({", ".join(arguments)})')
                result, name = '', None

    def references(self):
        return re.findall(r'\bXr (\S+) (\d)', '\n'.join(self.lines))


def check_names(pages, public):
    """Each public name is in one NAME section, and nothing else is."""
    where = {}
    for page in pages:
        for name in page.names:
            where.setdefault(name, []).append(page.path)
            if name not in public and name != page.name:
                wrong(f'{page.path}: {name} is no public name')
    for name in sorted(public):
        if len(where.get(name, [])) != 1:
            wrong(f'{name} is in the NAME section of {where.get(name, "no page")}, '
                  'but must be in that of one')


def check_synopsis(page, functions, macro):
    shown = dict(page.synopsis())
    for name in page.names:
        if name in functions:
            want = functions[name]
        elif macro.get(name):
            want = f'{name}({macro[name]})'
        elif name in macro and name not in '\n'.join(page.sections['SYNOPSIS']):
            wrong(f'{page.path}: {name} is not in the SYNOPSIS')
            continue
        else:
            continue
        have = shown.get(name)
        if macro.get(name) and have is None: # an initializer
            have = name in '\n'.join(page.sections['SYNOPSIS']) and want
        if have != want:
            wrong(f'{page.path}: SYNOPSIS has\n  {have}\nbut the headers have\n  {want}')


def check_structures(page, text):
    for section in page.sections:
        for block in page.blocks(section) if section != 'EXAMPLES' else ():
            if block.startswith('struct') and plain(block) not in text:
                wrong(f'{page.path}: not as in the headers:\n{block}')


def check_queues(page, functions):
    """Each function of the queues is in the SYNOPSIS, those of all kinds as filch_K_..."""
    kinds = [h[len('filch/queue/'):-2] for h in queue_headers() if h != 'filch/queue/queue.h']
    shown = {}
    for name, text in page.synopsis():
        for kind in kinds if name.startswith('filch_K_') else ['K']:
            shown[name.replace('filch_K', f'filch_{kind}')] = text.replace('filch_K', f'filch_{kind}')
    for name in sorted({*shown, *functions}):
        if shown.get(name) != functions.get(name):
            wrong(f'{page.path}: SYNOPSIS has\n  {shown.get(name)}\nbut the headers have\n  '
                  f'{functions.get(name)}')
    if len(kinds) != 6:
        wrong(f'the build has made headers of {len(kinds)} kinds of queues')


def check_sections(page, wanted):
    for section in wanted:
        if not page.sections.get(section):
            wrong(f'{page.path}: no section {section}')


def check_references(page, known):
    for name, section in page.references():
        if name.lower().startswith('filch') and (name, section) not in known:
            wrong(f'{page.path}: there is no {name}({section})')


def check_errors(pages, functions):
    """What a header's comments say of errors is in the pages of its functions."""
    for header in headers():
        text = open('include/' + header).read()
        told = {name for page in pages
                if any(name in functions and re.search(rf'\b{name}\(', text)
                       for name in page.names)
                for name in re.findall(r'\bEr (E\w+)', '\n'.join(page.lines))}
        for name in sorted(set(re.findall(r'-(E[A-Z]+)\b', text)) - told):
            wrong(f'{header} has -{name}, but no page of its functions has')


def check_environment(page, variables):
    text = '\n'.join(page.sections['ENVIRONMENT'])
    listed = set(re.findall(r'^\.It Ev (FILCH_\w+)', text, re.M))
    for name in sorted(variables - listed):
        wrong(f'{page.path}: {name} is not in ENVIRONMENT')
    for name in sorted(listed - variables):
        wrong(f'{page.path}: {name} is in ENVIRONMENT, but nothing looks for it')


# ---- examples ----

def cached(name):
    cache = open(f'{BUILD}/CMakeCache.txt').read()
    match = re.search(rf'^{name}:\w+=(.*)$', cache, re.M)
    return match.group(1) if match and match.group(1) != 'OFF' else ''


def libraries():
    flags = [f'{BUILD}/libfilch.a', '-lpthread', '-lm']
    packages = [p for p, option in (('hwloc', 'FILCH_HWLOC'), ('liburing', 'FILCH_URING'))
                if cached(option)]
    if packages:
        flags += subprocess.run(['pkg-config', '--libs', *packages], check=True,
                                stdout=subprocess.PIPE, text=True).stdout.split()
    if cached('FILCH_SANITIZE'):
        flags.append('-fsanitize=' + cached('FILCH_SANITIZE'))
    if cached('FILCH_COVERAGE'):
        flags.append('-lgcov')
    return flags


def run(title, command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        wrong(f'{title}: {" ".join(command)}: status {done.returncode}\n{done.stdout}')
    return not done.returncode


def try_example(title, source, flags):
    program = source + '.out'
    compiler = [CC, '-xc']
    if '.hpp' in open(source).read():
        compiler = ['clang++' if 'clang' in CC else 'g++', '-std=c++17', '-xc++']
    whole = re.search(r'\bmain\(', open(source).read()) # else part of one
    command = [*compiler, '-Wall', '-Wextra', '-Werror', *INCLUDE, source, '-xnone']
    if run(title, command + (flags + ['-o', program] if whole else ['-c', '-o', program])):
        return not whole or run(title, [program])


def try_examples(pages):
    flags = libraries()
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        tries = []
        for page in pages:
            for i, block in enumerate(page.blocks('EXAMPLES')):
                source = f'{folder}/{page.name}_{i}'
                open(source, 'w').write(block)
                tries.append(pool.submit(try_example, page.path, source, flags))
        for result in tries:
            result.result()
    return len(tries)


def main():
    text, queue_text = own_text(headers()), own_text(queue_headers())
    functions, macro = prototypes(text), macros()
    three = [Page(path) for path in sorted(glob.glob('man/*.3'))]
    pages = three + [Page('man/filch.7')]
    commands = [Page(path) for path in sorted(glob.glob('man/*.1'))]
    known = {(name, page.path[-1]) for page in pages + commands for name in page.names}
    everything = ''.join('\n'.join(page.lines) for page in three)
    variables = environment(macro)

    queues = next(page for page in three if page.name == 'filch_queue')
    check_queues(queues, prototypes(queue_text))
    check_names(three, {*functions, *macro, *cxx_names(), *queues.names})
    for page in three:
        check_synopsis(page, functions, macro)
        check_structures(page, plain(text + queue_text))
        check_sections(page, ['LIBRARY', 'DESCRIPTION', 'EXAMPLES', 'SEE ALSO'])
        if '.Ss Callers and waiting' not in page.lines:
            wrong(f'{page.path}: does not say who may call it, and whether it waits')
        if (page.name, '3') not in pages[-1].references():
            wrong(f'filch(7) does not mention {page.name}(3)')
    for page in pages + commands:
        check_references(page, known)
    for name in sorted(asked_for() - set(macro)):
        if not re.search(rf'\b{name}\b', everything):
            wrong(f'{name} is in no page of section 3')
    check_errors(three, functions)
    check_environment(pages[-1], variables)
    check_environment(next(page for page in commands if page.name == 'filch'), variables)
    examples = try_examples(pages)
    print(f'{len(pages)} pages, {len(functions)} functions, {len(macro)} macros, '
          f'{examples} examples')
    return 1 if failed else 0


sys.exit(main())
