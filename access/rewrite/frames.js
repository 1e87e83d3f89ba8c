// frames brings our script into documents that no server sends and that scripts make: empty frames,
// those of a srcdoc, and blobs. They have the origin of the page that makes them, and its policy.
//
// o has: source, the function that is our script; told and base, its settings; asks, the browser's
// own XMLHttpRequest; js, marked, ledText and css, which change scripts, pages and style sheets; and
// cookies, the page's.
quire.frames = (o) => {
  const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  const first = '<script src="' + escaped(o.base) + '" data-quire="' + escaped(o.told) + '"></' + 'script>';
  // Nothing may come before the doctype: browsers would use quirks mode.
  const start = /^(?:\s|<!---?>|<!--(?!-?>)[^]*?-->)*(?:<!doctype[^>]*>)?(?:\s|<!---?>|<!--(?!-?>)[^]*?-->)*(?:<html\b(?:"[^"]*"|'[^']*'|[^>"'])*>\s*)?(?:<head\b(?:"[^"]*"|'[^']*'|[^>"'])*>)?/i;
  const has = (html) => html.includes(' data-quire="'); // also one that the server rewrote (inner.go)
  const page = (html) => (has(html) ? html : o.ledText(o.marked(html)).replace(start, (all) => all + first));

  // begin runs our script in an empty frame, before the page writes into it.
  const empty = /^\s*(about:blank.*)?$/i;
  function begin(frame, win) {
    try {
      if (win && empty.test(frame.getAttribute('src') || frame.getAttribute('data') || '') && !frame.hasAttribute('srcdoc') && win.location.href === 'about:blank' && !('quire$of' in win)) win.eval('(' + o.source + ')')({ told: o.told, base: o.base, jar: o.cookies() });
    } catch { /* of another origin, or in a sandbox */ }
    return win;
  }
  for (const name of ['HTMLIFrameElement', 'HTMLFrameElement', 'HTMLObjectElement']) {
    const prototype = self[name] && self[name].prototype;
    const old = (property) => prototype && Object.getOwnPropertyDescriptor(prototype, property);
    const [win, doc] = [old('contentWindow'), old('contentDocument')];
    if (!win || !doc) continue;
    Object.defineProperty(prototype, 'contentWindow', { ...win, get() { return begin(this, win.get.call(this)); } });
    Object.defineProperty(prototype, 'contentDocument', { ...doc, get() { begin(this, win.get.call(this)); return doc.get.call(this); } });
  }

  // The blobs with our script. One is released with the blob of the page, and the oldest if there are many.
  const maxBlob = 4 << 20, maxRemade = 100, remade = new Map();
  function release(url) {
    const to = remade.get(url);
    remade.delete(url);
    if (to && to !== url) quire.blobs.drop(to);
  }
  quire.blobs.revoked = release;
  function read(url) {
    const ask = new o.asks.XMLHttpRequest();
    o.asks.open.call(ask, 'GET', url, false);
    o.asks.send.call(ask);
    return o.asks.text.call(ask);
  }
  const apart = (frame) => { const limits = frame.getAttribute('sandbox'); return limits !== null && !limits.split(/[\t\n\f\r ]+/).some((word) => /^allow-same-origin$/i.test(word)); };
  return {
    // document returns the srcdoc of a frame that a script makes. A sandbox shares nothing with the page: it stays.
    document: (frame, html) => (frame.localName !== 'iframe' || apart(frame) ? html : page(html)),
    // within begins the frames in a node that a script has put into its page.
    within(node) {
      if (!(node instanceof Element) || !node.isConnected) return;
      for (const frame of node.localName === 'iframe' ? [node] : node.firstElementChild ? node.querySelectorAll('iframe') : []) void frame.contentWindow;
    },
    // blob returns the URL of a blob with what its kind needs: frames, scripts and style sheets.
    blob(url, kind) {
      const blob = quire.blobs.get(url);
      if (!blob || blob.size > maxBlob || kind === 'if_' && !/^text\/html/i.test(blob.type)) return url;
      const change = { if_: page, js_: o.js, cs_: o.css }[kind];
      if (!change) return url;
      if (!remade.has(url)) {
        if (remade.size >= maxRemade) release(remade.keys().next().value);
        try {
          const text = read(url), to = change(text);
          remade.set(url, to === text ? url : quire.blobs.make(to, (blob.type.replace(/;.*/, '') || 'text/plain') + ';charset=utf-8'));
        } catch {
          return url;
        }
      }
      return remade.get(url);
    },
  };
};
