
// Messages between archived pages. A page names its target by the archived origin, and the browser
// knows only the host of the replay. That host is a digest of the archived origin
// (access/address.Label), so each page can compute and check it.
quire.digest = (text) => { // SHA-256 (FIPS 180-4)
  const rotate = (x, n) => (x >>> n) | (x << (32 - n)), primes = [], h = [], k = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p)) primes.push(n);
  for (const p of primes) {
    k.push(Math.floor((Math.cbrt(p) % 1) * 2 ** 32));
    if (h.length < 8) h.push(Math.floor((Math.sqrt(p) % 1) * 2 ** 32));
  }
  const bytes = [...new TextEncoder().encode(text)], length = bytes.length * 8;
  bytes.push(128);
  while (bytes.length % 64 !== 56) bytes.push(0);
  bytes.push(0, 0, 0, 0, (length >>> 24) & 255, (length >>> 16) & 255, (length >>> 8) & 255, length & 255);
  for (let i = 0; i < bytes.length; i += 64) {
    const w = [];
    for (let j = 0; j < 64; j++) {
      if (j < 16) w[j] = (bytes[i + 4 * j] << 24) | (bytes[i + 4 * j + 1] << 16) | (bytes[i + 4 * j + 2] << 8) | bytes[i + 4 * j + 3];
      else {
        const a = w[j - 15], b = w[j - 2];
        w[j] = (w[j - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3)) + w[j - 7] + (rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10))) | 0;
      }
    }
    let [a, b, c, d, e, f, g, z] = h;
    for (let j = 0; j < 64; j++) {
      const t = (z + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + k[j] + w[j]) | 0;
      const u = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [a, b, c, d, e, f, g, z] = [(t + u) | 0, a, b, c, (d + t) | 0, e, f, g];
    }
    [a, b, c, d, e, f, g, z].forEach((v, j) => { h[j] = (h[j] + v) | 0; });
  }
  return h.map((v) => (v >>> 0).toString(16).padStart(8, '0')).join('');
};

// labels returns the labels of the hosts of an archived origin: open, and restricted.
quire.labels = (origin) => {
  const words = new URL(origin).host.replace(/:\d+$/, '').split(/[^a-z0-9]+/).filter(Boolean).join('-').slice(0, 42).replace(/-+$/, '') || 'h';
  return ['open', 'restricted'].map((kind) => words + '-' + quire.digest(origin + ' ' + kind).slice(0, 20));
};

quire.messages = (archivedOrigin) => {
  const post = self.postMessage, real = self.origin;
  const data = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data').get;
  const source = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'source').get;
  const origin = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'origin').get;
  const stop = Event.prototype.stopImmediatePropagation, listen = EventTarget.prototype.addEventListener;
  const replay = new URL(quire.origin), [label, ...above] = replay.host.split('.'); // a blob has no host of its own
  const apart = quire.labels(archivedOrigin).includes(label); // each site has its own host
  const hosts = (of) => quire.labels(of).map((l) => replay.protocol + '//' + [l, ...above].join('.'));
  // Pages say their archived origin to the pages around them, before all else.
  const known = new Map(), confined = new WeakMap();
  const heard = (event) => {
    const said = data.call(event), from = source.call(event), at = origin.call(event);
    if (!said || said.quire !== 'origin' || typeof said.origin !== 'string' || !from) return;
    stop.call(event);
    try {
      if (new URL(said.origin).origin !== said.origin || apart && !hosts(said.origin).includes(at)) return;
      if (apart) known.set(at, said.origin); else confined.set(from, said.origin);
      if (!said.again && from !== self) post.call(from, { quire: 'origin', origin: archivedOrigin, again: true }, at === 'null' ? '*' : at);
    } catch { /* no origin */ }
  };
  const near = (win) => { try { return win === self || Boolean(win.document); } catch { return false; } };
  return {
    listen: () => listen.call(self, 'message', heard, true),
    say(win) { if (win && win !== self) try { post.call(win, { quire: 'origin', origin: archivedOrigin }, '*'); } catch { /* gone */ } },
    originOf: (event, at) => known.get(at) || at === 'null' && source.call(event) === self && archivedOrigin || at === 'null' && source.call(event) && confined.get(source.call(event)) || at,
    poster: (win) => function postMessage(message, to, transfer) {
      const options = to !== null && typeof to === 'object' && !Array.isArray(to) ? to : { targetOrigin: to, transfer };
      const target = options.targetOrigin === undefined ? '/' : String(options.targetOrigin), moved = options.transfer || undefined;
      const send = (at) => post.call(win, message, { targetOrigin: at, ...(moved && { transfer: moved }) });
      if (arguments.length < 1) return post.call(win);
      if (target === '*') return send('*');
      if (target === '/') return send(real === 'null' ? '*' : '/');
      let wanted;
      try { wanted = new URL(target).origin; } catch { return send(target); } // the browser's own error
      const its = [...known].find(([, of]) => of === wanted);
      if (its) return send(its[0]);
      if (wanted === real || [...known.keys()].includes(wanted)) return send(wanted);
      if (wanted === archivedOrigin && near(win)) return send(real === 'null' ? '*' : real);
      if (!apart) { // hosts that have no origin: only what their pages said
        if ([undefined, wanted].includes(confined.get(win))) send('*');
        return undefined;
      }
      const all = hosts(wanted);
      if (wanted === archivedOrigin) all.unshift(real);
      for (const at of moved && moved.length ? [all[0]] : new Set(all)) send(at);
      return undefined;
    },
  };
};
