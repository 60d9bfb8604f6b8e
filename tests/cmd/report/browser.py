# SPDX-License-Identifier: MIT
"""browser.py CHROMIUM PAGE [FOLDER]: opens a page as a phone and a desk would, in the light and in the dark.

Fails if the page asks for anything but itself, says something on the console, is wider than the window, has
text that is too small, or too close to its background in colour (WCAG: 4.5 to 1). With a folder, leaves
pictures of it there."""
import base64
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

LOOK = r'''(() => {
  const rgb = s => (s.match(/[\d.]+/g) || []).map(Number);
  const light = c => c.slice(0, 3).map(v => v / 255).map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
  const behind = e => {
    for (; e; e = e.parentElement) {
      const c = rgb(getComputedStyle(e).backgroundColor);
      if (c.length == 3 || c[3] > 0) return c;
    }
    return [255, 255, 255];
  };
  let contrast = 99, worst = '', size = 99, marks = 99;
  document.querySelectorAll('details').forEach(d => d.open = true);
  for (const e of document.querySelectorAll('body *')) {
    const own = [...e.childNodes].some(n => n.nodeType == 3 && n.textContent.trim());
    const shape = ['rect', 'path'].includes(e.tagName);
    if (!own && !shape) continue;
    const style = getComputedStyle(e), svg = e.ownerSVGElement;
    if (shape && style.fill == 'none') continue;
    const a = light(rgb(svg ? style.fill : style.color)), b = light(behind(e));
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (shape) { marks = Math.min(marks, ratio); continue; }
    if (ratio < contrast) { contrast = ratio; worst = e.textContent.trim().slice(0, 40); }
    const scale = svg ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1;
    size = Math.min(size, parseFloat(style.fontSize) * scale);
  }
  let cut = [];
  for (const t of document.querySelectorAll('svg text')) {
    const r = t.getBoundingClientRect(), s = t.ownerSVGElement.getBoundingClientRect();
    if (r.left < s.left - 1 || r.right > s.right + 1) cut.push(t.textContent);
  }
  return JSON.stringify({wide: document.documentElement.scrollWidth, contrast, worst, size, marks, cut,
    back: getComputedStyle(document.body).backgroundColor, height: document.documentElement.scrollHeight});
})()'''


class Browser:
    """Chromium, spoken to by its own protocol over two pipes."""

    def __init__(self, program, folder):
        there, self.out = os.pipe()
        self.back, here = os.pipe()
        self.process = subprocess.Popen(
            ['sh', '-c', f'exec "$0" "$@" 3<&{there} 4>&{here}', program, '--headless', '--no-sandbox',
             '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking', '--no-first-run',
             '--hide-scrollbars', f'--user-data-dir={folder}', '--remote-debugging-pipe', 'about:blank'],
            pass_fds=(there, here), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(there)
        os.close(here)
        self.number, self.rest, self.events, self.session = 0, b'', [], None

    def read(self):
        while b'\0' not in self.rest:
            piece = os.read(self.back, 1 << 20)
            if not piece:
                sys.exit('the browser has gone')
            self.rest += piece
        line, _, self.rest = self.rest.partition(b'\0')
        return json.loads(line)

    def call(self, method, **params):
        self.number += 1
        message = {'id': self.number, 'method': method, 'params': params}
        if self.session:
            message['sessionId'] = self.session
        os.write(self.out, json.dumps(message).encode() + b'\0')
        while (answer := self.read()).get('id') != self.number:
            self.events.append(answer)
        assert 'error' not in answer, answer
        return answer['result']

    def wait(self, method):
        while not any(e.get('method') == method for e in self.events):
            self.events.append(self.read())


def look(browser, page, name, width, height, dark, folder):
    browser.events.clear()
    browser.call('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1,
                 mobile=width < 500)
    browser.call('Emulation.setEmulatedMedia',
                 features=[{'name': 'prefers-color-scheme', 'value': 'dark' if dark else 'light'}])
    browser.call('Page.navigate', url=page)
    browser.wait('Page.loadEventFired')
    if folder:
        shot = browser.call('Page.captureScreenshot', captureBeyondViewport=True)
        (folder / f'{name}.png').write_bytes(base64.b64decode(shot['data']))
    seen = json.loads(browser.call('Runtime.evaluate', expression=LOOK)['result']['value'])
    said = [e['params'] for e in browser.events
            if e.get('method') in ('Log.entryAdded', 'Runtime.consoleAPICalled', 'Runtime.exceptionThrown')]
    asked = [e['params']['request']['url'] for e in browser.events
             if e.get('method') == 'Network.requestWillBeSent']
    print(name, {k: round(v, 2) if isinstance(v, float) else v for k, v in seen.items()})
    assert not said, said
    assert set(asked) <= {page}, asked
    assert seen['wide'] <= width, 'wider than the window'
    assert seen['contrast'] >= 4.5, seen['worst']
    assert seen['marks'] >= 3, 'a bar or a mark that one hardly sees'
    assert seen['size'] >= 10.9, 'text too small'
    assert not seen['cut'], 'text beyond the edge'
    return seen['back']


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit('browser.py: it has taken too long'))  # not without the finally below
    program, page = sys.argv[1], pathlib.Path(sys.argv[2]).resolve().as_uri()
    folder = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(program, profile)
        try:
            target = browser.call('Target.createTarget', url='about:blank')['targetId']
            browser.session = browser.call('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
            for domain in 'Page', 'Runtime', 'Log', 'Network':
                browser.call(domain + '.enable')
            for name, width, height in ('phone', 360, 800), ('desk', 1280, 900):
                backs = [look(browser, page, f'{name}-{"dark" if dark else "light"}', width, height, dark, folder)
                         for dark in (False, True)]
                assert backs[0] != backs[1], 'the same in the dark'
        finally:
            browser.process.kill()
            browser.process.wait()


main()
