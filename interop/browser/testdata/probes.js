// The ways in which an archived page can try, in any context, to reach a host that was never
// archived. The functions are inserted into pages and workers as text, so each is complete in
// itself. Every attempt has its own URL: /CONTEXT/CHANNEL.
'use strict';

// documentProbe tries all ways of a document, and reports to the parent window that it ran.
function documentProbe(name, live, stun, tell) {
  const at = (channel) => 'http://' + live + '/' + name + '/' + channel;
  const el = (tag) => document.createElementNS('http://www.w3.org/1999/xhtml', tag); // in SVG, too
  const add = (tag, set) => {
    const e = el(tag);
    for (const [key, value] of Object.entries(set)) e.setAttribute(key, value);
    document.documentElement.append(e);
    return e;
  };
  const link = (rel, more) => (href) => add('link', { rel, href, ...more });
  const css = (text) => { add('style', {}).textContent = text; };
  const framed = (html) => add('iframe', { srcdoc: html });
  const elsewhere = (go) => { // in a separate frame, so that this page stays
    const f = add('iframe', {});
    go(f.contentWindow, f.contentDocument);
  };
  const ways = {
    img: (u) => { new Image().src = u; },
    srcset: (u) => add('img', { srcset: u + ' 1x' }),
    picture: (u) => { add('picture', {}).innerHTML = '<source srcset="' + u + '"><img>'; },
    inputImage: (u) => add('input', { type: 'image', src: u }),
    background: (u) => add('table', { background: u }),
    script: (u) => add('script', { src: u }),
    scriptModule: (u) => add('script', { src: u, type: 'module' }),
    importStatic: (u) => { add('script', { type: 'module' }).textContent = 'import "' + u + '"'; },
    importDynamic: (u) => import(u).catch(() => {}),
    importMap: (u) => {
      const map = el('script');
      map.type = 'importmap';
      map.textContent = JSON.stringify({ imports: { ['probe-' + name]: u } });
      document.documentElement.append(map);
      import('probe-' + name).catch(() => {});
    },
    iframe: (u) => add('iframe', { src: u }),
    object: (u) => add('object', { data: u, type: 'text/html' }),
    embed: (u) => add('embed', { src: u, type: 'text/html' }),
    audio: (u) => add('audio', { src: u, preload: 'auto' }),
    video: (u) => add('video', { src: u, preload: 'auto' }),
    source: (u) => { add('video', { preload: 'auto' }).innerHTML = '<source src="' + u + '">'; },
    poster: (u) => add('video', { poster: u }),
    track: (u) => { add('video', {}).innerHTML = '<track default src="' + u + '">'; document.querySelector('video track').track.mode = 'showing'; },
    audioObject: (u) => { new Audio(u).preload = 'auto'; },
    svgImage: (u) => { add('div', {}).innerHTML = '<svg><image href="' + u + '" width="9" height="9"/></svg>'; },
    svgImageXlink: (u) => { add('div', {}).innerHTML = '<svg><image xlink:href="' + u + '" width="9" height="9"/></svg>'; },
    svgUse: (u) => { add('div', {}).innerHTML = '<svg><use href="' + u + '#x"/></svg>'; },
    svgFilter: (u) => { add('div', {}).innerHTML = '<svg><filter id="f"><feImage href="' + u + '"/></filter><rect width="9" height="9" filter="url(#f)"/></svg>'; },
    svgScript: (u) => { const s = document.createElementNS('http://www.w3.org/2000/svg', 'script'); s.setAttribute('href', u); document.documentElement.append(s); },
    mathml: (u) => { add('div', {}).innerHTML = '<math href="' + u + '"><mi>x</mi></math>'; },
    stylesheet: (u) => add('link', { rel: 'stylesheet', href: u }),
    alternate: link('alternate stylesheet'), preloadScript: link('preload', { as: 'script' }), preloadFont: link('preload', { as: 'font', crossorigin: '' }),
    preloadFetch: link('preload', { as: 'fetch' }), modulepreload: link('modulepreload'), prefetch: link('prefetch'), prerender: link('prerender'),
    preconnect: link('preconnect'), dnsPrefetch: link('dns-prefetch'), icon: link('icon'), shortcut: link('shortcut icon'), appleIcon: link('apple-touch-icon'),
    manifest: link('manifest'), next: link('next'), search: link('search', { type: 'application/opensearchdescription+xml' }), pingback: link('pingback'),
    importLink: link('import'), dictionary: link('compression-dictionary'), expect: link('expect'),
    speculation: (u) => {
      const s = el('script');
      s.type = 'speculationrules';
      s.textContent = JSON.stringify({ prefetch: [{ source: 'list', urls: [u], eagerness: 'immediate' }], prerender: [{ source: 'list', urls: [u + '2'], eagerness: 'immediate' }] });
      document.documentElement.append(s);
    },
    cssImport: (u) => css('@import "' + u + '";'),
    cssImportURL: (u) => css('@import url(' + u + ') print;'),
    cssNamespace: (u) => css('@namespace url(' + u + ');'),
    cssURL: (u) => css('html { background: url(' + u + ') }'),
    cssAttribute: (u) => add('p', { style: 'background: url(' + u + ')' }),
    cssProperty: (u) => { add('p', {}).style.backgroundImage = 'url(' + u + ')'; },
    cssFont: (u) => { css('@font-face { font-family: "' + name + '"; src: url(' + u + ') } .font { font-family: "' + name + '" }'); add('p', { class: 'font' }).textContent = 'x'; },
    cssCursor: (u) => css('html { cursor: url(' + u + '), auto }'),
    cssImageSet: (u) => { css('.set { background: image-set("' + u + '" 1x) }'); add('p', { class: 'set' }); },
    cssMask: (u) => { css('.mask { mask: url(' + u + '#m) }'); add('p', { class: 'mask' }); },
    cssContent: (u) => { css('.content::before { content: url(' + u + ') }'); add('p', { class: 'content' }); },
    cssList: (u) => { css('.list { display: list-item; list-style-image: url(' + u + ') }'); add('p', { class: 'list' }); },
    cssBorder: (u) => { css('.border { border: 9px solid; border-image: url(' + u + ') 9 }'); add('p', { class: 'border' }); },
    cssShape: (u) => { css('.shape { float: left; shape-outside: url(' + u + ') }'); add('p', { class: 'shape' }); },
    cssVariable: (u) => { css(':root { --u: url(' + u + ') } .variable { background: var(--u) }'); add('p', { class: 'variable' }); },
    cssConstructed: (u) => { const s = new CSSStyleSheet(); s.replaceSync('p { background: url(' + u + ') }'); document.adoptedStyleSheets.push(s); },
    cssInserted: (u) => { const s = add('style', {}); s.sheet.insertRule('p { background: url(' + u + ') }'); },
    fontFace: (u) => new FontFace('x', 'url(' + u + ')').load().catch(() => {}),
    paintWorklet: (u) => CSS.paintWorklet.addModule(u).catch(() => {}),
    audioWorklet: (u) => new OfflineAudioContext(1, 1, 8000).audioWorklet.addModule(u).catch(() => {}),
    fetch: (u) => fetch(u, { mode: 'no-cors' }).catch(() => {}),
    fetchTLS: (u) => fetch(u.replace('http:', 'https:'), { mode: 'no-cors' }).catch(() => {}),
    fetchRequest: (u) => fetch(new Request(u, { mode: 'no-cors' })).catch(() => {}),
    fetchKeepalive: (u) => fetch(u, { mode: 'no-cors', keepalive: true, method: 'POST', body: 'x' }).catch(() => {}),
    fetchLater: (u) => fetchLater(u, { activateAfter: 0 }),
    xhr: (u) => { const x = new XMLHttpRequest(); x.open('GET', u); x.send(); },
    beacon: (u) => navigator.sendBeacon(u, 'x'),
    ping: (u) => { const a = add('a', { href: location.href.replace(/#.*/, '') + '#x', ping: u }); a.addEventListener('click', (e) => e.stopPropagation()); a.click(); },
    events: (u) => new EventSource(u),
    socket: (u) => new WebSocket(u.replace('http:', 'ws:')),
    socketTLS: (u) => new WebSocket(u.replace('http:', 'wss:')),
    transport: (u) => new WebTransport(u.replace('http:', 'https:')).ready.catch(() => {}),
    pristineFetch: (u) => elsewhere((w) => w.fetch(u, { mode: 'no-cors' })),
    pristineWorker: (u) => elsewhere((w) => new w.Worker('data:text/javascript,fetch("' + u + '",{mode:"no-cors"})')),
    form: (u) => { const f = add('form', { action: u, target: 'form-' + name }); add('iframe', { name: 'form-' + name }); f.submit(); },
    formPost: (u) => { const f = add('form', { action: u, method: 'post', target: 'post-' + name }); add('iframe', { name: 'post-' + name }); f.requestSubmit(); },
    location: (u) => elsewhere((w) => { w.location = u; }),
    locationReplace: (u) => elsewhere((w) => w.location.replace(u)),
    anchor: (u) => { add('iframe', { name: 'anchor-' + name }); add('a', { href: u, target: 'anchor-' + name }).click(); },
    srcdocLocation: (u) => framed('<script>location.href = "' + u + '"<\/script>'),
    refresh: (u) => framed('<meta http-equiv="refresh" content="0; url=' + u + '">'),
    refreshWritten: (u) => elsewhere((w, d) => { d.write('<meta http-equiv="refresh" content="0; url=' + u + '">'); d.close(); }),
    writtenImage: (u) => elsewhere((w, d) => { d.write('<img src="' + u + '"><link rel=preconnect href="' + u + '">'); d.close(); }),
    writtenScript: (u) => elsewhere((w, d) => { d.write('<script src="' + u + '"><\/script>'); d.close(); }),
    inserted: (u) => document.documentElement.insertAdjacentHTML('beforeend', '<img src="' + u + '"><iframe src="' + u + 'F"></iframe><object data="' + u + 'O"></object>'),
    innerHTML: (u) => { add('div', {}).innerHTML = '<embed src="' + u + '"><link rel=stylesheet href="' + u + 'L">'; },
    templated: (u) => document.documentElement.append(document.createRange().createContextualFragment('<img src="' + u + '"><script src="' + u + 'S"><\/script>')),
    shadow: (u) => { add('div', {}).attachShadow({ mode: 'open' }).innerHTML = '<img src="' + u + '"><style>@import "' + u + 'I";</style>'; },
    worker: (u) => new Worker(u), workerModule: (u) => new Worker(u, { type: 'module' }), sharedWorker: (u) => new SharedWorker(u),
    serviceWorker: (u) => navigator.serviceWorker.register(u).catch(() => {}),
    cache: (u) => caches.open('x').then((c) => c.add(u)).catch(() => {}),
    report: (u) => elsewhere((w, d) => { d.write('<meta http-equiv="Content-Security-Policy" content="img-src \'none\'; report-uri ' + u + '"><img src="/x">'); d.close(); }),
    policyOfFrame: (u) => add('iframe', { csp: "script-src 'none'; report-uri " + u, srcdoc: '<script>1<\/script>' }),
    attribution: (u) => add('img', { attributionsrc: u }),
  };
  const peers = {
    peerUDP: () => peer(window.RTCPeerConnection, { urls: 'stun:' + stun }),
    peerTCP: () => peer(window.RTCPeerConnection, { urls: 'turn:' + live + '?transport=tcp', username: name, credential: 'x' }),
  };
  const windows = {
    open: (u) => { window.open(u); },
    openNoOpener: (u) => { window.open(u, '_blank', 'noopener'); },
    openBlank: (u) => { const w = window.open(); if (w) w.location = u; },
  };
  const targeted = { // in the replay they lead to the banner's frame, and replace the page before it can report
    anchorBlank: (u) => add('a', { href: u, target: '_blank' }).click(),
    formBlank: (u) => { add('form', { action: u, target: '_blank' }).submit(); },
  };
  function peer(Peer, server) {
    const p = new Peer({ iceServers: [server] });
    p.createDataChannel('x');
    p.createOffer().then((o) => p.setLocalDescription(o));
  }
  for (const [channel, go] of Object.entries(tell.peers ? peers : { ...ways, ...(tell.windows ? windows : {}), ...(tell.targeted ? targeted : {}) })) {
    if (tell.only && !tell.only.includes(channel)) continue;
    try {
      const what = go(at(channel));
      if (what && what.catch) what.catch(() => {});
      if (what && what.addEventListener) what.addEventListener('error', (e) => e.preventDefault());
    } catch { /* not supported by this browser or context */ }
  }
  window.addEventListener('message', (e) => { if (e.data && e.data.ran && window.parent !== window && !tell.top) window.parent.postMessage(e.data, '*'); });
  if (!tell.top) window.parent.postMessage({ ran: name }, '*');
  try { window.parent.contextsRan.add(name); } catch { /* of another origin: there the message arrives. wabac.js can lose it between frames of one origin */ }
}

// workerProbe tries all ways of a worker, and starts nested workers, depth levels deep. It reports
// to its creator.
function workerProbe(name, live, stun, depth) {
  const at = (channel) => 'http://' + live + '/' + name + '/' + channel;
  const ports = [];
  const told = [];
  const report = (ran) => { told.push(ran); if (self.postMessage) self.postMessage({ ran }); for (const p of ports) p.postMessage({ ran }); };
  self.onconnect = (e) => { ports.push(e.ports[0]); for (const ran of told) e.ports[0].postMessage({ ran }); };
  const ways = {
    fetch: (u) => fetch(u, { mode: 'no-cors' }),
    fetchTLS: (u) => fetch(u.replace('http:', 'https:'), { mode: 'no-cors' }),
    xhr: (u) => { const x = new XMLHttpRequest(); x.open('GET', u); x.send(); },
    events: (u) => new EventSource(u),
    socket: (u) => new WebSocket(u.replace('http:', 'ws:')),
    transport: (u) => new WebTransport(u.replace('http:', 'https:')).ready.catch(() => {}),
    importDynamic: (u) => import(u),
    fontFace: (u) => new FontFace('x', 'url(' + u + ')').load(),
    cache: (u) => caches.open('x').then((c) => c.add(u)),
    worker: (u) => new Worker(u),
    peer: () => { const p = new RTCPeerConnection({ iceServers: [{ urls: 'stun:' + stun }] }); p.createDataChannel('x'); p.createOffer().then((o) => p.setLocalDescription(o)); },
    importScripts: (u) => importScripts(u),
  };
  const text = (as, further) => '(' + workerProbe + ')(' + [as, live, stun].map((s) => JSON.stringify(s)).join() + ',' + further + ')';
  for (const [channel, go] of Object.entries(ways)) {
    try { Promise.resolve(go(at(channel))).catch(() => {}); } catch { /* not supported */ }
  }
  report(name);
  if (!depth) return;
  for (const type of ['classic', 'module']) {
    const as = (kind) => name + '-' + kind + '-' + type;
    const hear = (make) => { try { const w = make(); w.onmessage = (e) => report(e.data.ran); w.onerror = (e) => e.preventDefault(); } catch { /* not supported */ } };
    hear(() => new Worker('data:text/javascript,' + encodeURIComponent(text(as('data'), depth - 1)), { type }));
    hear(() => new Worker(URL.createObjectURL(new Blob([text(as('blob'), depth - 1)], { type: 'text/javascript' })), { type }));
  }
}

// begin starts all workers of a document; they start nested workers, depth levels deep.
function begin(name, live, stun, site, depth) {
  const hear = (port) => { port.onmessage = (e) => { if (e.data && e.data.ran) window.postMessage(e.data, '*'); }; };
  const text = (as) => '(' + workerProbe + ')(' + [as, live, stun].map((s) => JSON.stringify(s)).join() + ',' + depth + ')';
  for (const type of ['classic', 'module']) {
    for (const [kind, make] of Object.entries({ dedicated: (u) => new Worker(u, { type }), shared: (u) => new SharedWorker(u, { type }) })) {
      const as = (by) => [name, kind, by, type].join('-');
      const by = {
        http: () => site + '/probe/worker.js?' + as('http'),
        data: () => 'data:text/javascript,' + encodeURIComponent(text(as('data'))),
        blob: () => URL.createObjectURL(new Blob([text(as('blob'))], { type: 'text/javascript' })),
      };
      for (const [how, url] of Object.entries(by)) {
        if (how === 'http' && name !== 'top') continue;
        try { const w = make(url(), how); w.onerror = (e) => e.preventDefault(); hear(w.port || w); } catch { /* not supported */ }
      }
    }
  }
}

// waitingProbe tries requests that block a page until they are answered. It runs alone: many frames
// of one host would use all connections of the browser.
function waitingProbe(live) {
  const at = (channel) => 'http://' + live + '/waiting/' + channel;
  const ways = {
    xhrSync: (u) => { const x = new XMLHttpRequest(); x.open('GET', u, false); x.send(); },
    xsltImport: (u) => {
      const sheet = '<x:stylesheet version="1.0" xmlns:x="http://www.w3.org/1999/XSL/Transform"><x:import href="' + u + '"/><x:template match="/"><x:copy-of select="document(\'' + u + 'D\')"/></x:template></x:stylesheet>';
      const p = new XSLTProcessor();
      p.importStylesheet(new DOMParser().parseFromString(sheet, 'text/xml'));
      p.transformToFragment(new DOMParser().parseFromString('<a/>', 'text/xml'), document);
    },
  };
  for (const [channel, go] of Object.entries(ways)) {
    try { go(at(channel)); } catch { /* refused */ }
  }
}
