
// dress shows a page or a worker its archived address. o has: led(href, kind), which returns the
// replay URL; base(), the base of relative URLs; kind, of navigation; here, the place of the reader;
// prefix; mark, the URL that marks the names in a script.
quire.dress = (o) => {
  const { prefix, here, kind } = o, selfOrigin = self.origin, realLocation = self.location, names = /location|top|postMessage|eval|import/;
  const archivedOrigin = new URL(here.url).origin;
  // shown returns the archived URL for a URL of the browser.
  const shown = (href) => {
    try {
      const u = new URL(href), place = quire.place(u.href, prefix);
      if (place) return new URL(place.url).href + u.hash;
      if (u.protocol === 'blob:' && u.pathname.startsWith(quire.origin + '/')) return 'blob:' + archivedOrigin + u.pathname.slice(quire.origin.length);
      return quire.archived(u.href, here, prefix) || u.href;
    } catch {
      return href;
    }
  };
  // resolved returns the archived URL that a script means by href.
  const resolved = (href) => shown(new URL(o.led(String(href), kind), o.base()).href);

  // js marks the names in the text of a script, by the server.
  const known = new Map();
  const js = (text) => {
    if (typeof text !== 'string' || !names.test(text)) return text;
    if (!known.has(text)) {
      let marked = text;
      try {
        const ask = new o.XMLHttpRequest();
        o.open.call(ask, 'POST', o.mark, false);
        ask.setRequestHeader('Content-Type', 'text/plain');
        o.send.call(ask, text);
        if (o.status.call(ask) === 200) marked = o.text.call(ask);
      } catch { /* as captured */ }
      if (known.size > 500) known.clear();
      known.set(text, marked);
    }
    return known.get(text);
  };
  const indirect = self.eval, define = (object, name, get, set, more) => Object.defineProperty(object, name, { get, set, enumerable: false, configurable: false, ...more });
  const getter = (object, name) => { const d = object && Object.getOwnPropertyDescriptor(object, name); return d && d.get; };
  // show makes a property return the archived URL.
  const show = (object, ...all) => {
    for (const name of all) {
      const old = object && Object.getOwnPropertyDescriptor(object, name);
      if (old && old.get && old.configurable) Object.defineProperty(object, name, { ...old, get() { const v = old.get.call(this); return typeof v === 'string' && v ? shown(v) : v; } });
    }
  };
  const scripted = (url) => url.replace(/^(\s*javascript:)(.*)$/is, (all, scheme, text) => { try { text = decodeURIComponent(text); } catch { /* as it is */ } return scheme + encodeURIComponent(js(text)); });

  // addressOf returns the object that a script gets for the location of a window.
  const addresses = new WeakMap();
  function addressOf(win) {
    if (addresses.has(win)) return addresses.get(win);
    const its = win === self ? realLocation : win.location, at = () => { const s = shown(its.href); try { return new URL(s); } catch { return new URL('about:blank'); } };
    const to = (href) => (/^\s*javascript:/i.test(href) ? scripted(String(href)) : /^\s*(#|$)/.test(href) ? String(href) : o.led(resolved(href), kind));
    const address = Object.create(win === self && self.Location ? Location.prototype : Object.prototype);
    const property = (name, get, set) => Object.defineProperty(address, name, { get, set, enumerable: true, configurable: false });
    property('href', () => at().href, (v) => { its.href = to(v); });
    for (const name of ['protocol', 'host', 'hostname', 'port', 'pathname', 'search']) {
      property(name, () => at()[name], (v) => { const u = at(); u[name] = v; its.href = o.led(u.href, kind); });
    }
    property('hash', () => its.hash, (v) => { its.hash = v; });
    property('origin', () => at().origin);
    if (o.ancestors) property('ancestorOrigins', () => o.ancestors(win));
    for (const [name, does] of Object.entries({
      assign: (v) => its.assign(to(v)), replace: (v) => its.replace(to(v)), reload: () => its.reload(), toString: () => at().href,
      valueOf: () => address,
    })) Object.defineProperty(address, name, { value: does, enumerable: true });
    addresses.set(win, address);
    return address;
  }

  // of returns what a script gets for an object before a marked name: a stand-in for windows and
  // documents, the object itself otherwise.
  const standIns = new WeakMap();
  function standIn(object, win) {
    if (standIns.has(object)) return standIns.get(object);
    const special = { location: () => (win ? o.addressIn(win, addressOf) : null) };
    if (object === win) Object.assign(special, { top: () => o.top(win), parent: () => o.parent(win), postMessage: () => o.poster(win), eval: () => (win === self ? quire.evaluate : win.eval) });
    const own = (name) => Object.hasOwn(special, name);
    const made = new Proxy(Object.create(null), {
      get: (_, name) => (own(name) ? special[name]() : Reflect.get(object, name)),
      set: (_, name, value) => { if (name === 'location') o.addressIn(win, addressOf).href = value; else object[name] = value; return true; },
      has: (_, name) => name in object,
      deleteProperty: (_, name) => Reflect.deleteProperty(object, name),
    });
    standIns.set(object, made);
    return made;
  }
  const isWindow = getter(self, 'window');
  // of is called before each marked name: for most objects it must be fast.
  function of(x) {
    if (x === null || typeof x !== 'object') return x;
    if (!self.document) return x; // a worker's location is its own property (begin.js)
    if (x === self) return standIn(x, x);
    if (x === document) return standIn(x, self);
    let parent;
    try { parent = Object.getPrototypeOf(x); } catch { return x; }
    if (parent === Object.prototype || parent && typeof parent !== 'object') return x;
    const tag = parent && parent[Symbol.toStringTag];
    if (tag === 'HTMLDocument' || tag === 'Document' || tag === 'XMLDocument') return x.defaultView ? standIn(x, x.defaultView) : x;
    if (parent === null || tag === 'Window' || tag === 'WindowProperties') {
      try { return isWindow.call(x) === x ? standIn(x, x) : x; } catch { return x; }
    }
    return x;
  }
  quire.evaluate = (text) => indirect(js(text));
  of.shown = shown;
  define(self, 'quire$of', () => of);
  define(self, 'quire$js', () => js);
  define(self, 'quire$import', () => (x) => { const text = String(x); return /^([a-z]+:)?\/\//i.test(text) ? o.led(text, 'js_') : x; });
  define(self, 'quire$eval', () => quire.evaluate);
  define(self, 'quire$location', () => addressOf(self), (v) => { addressOf(self).href = v; });
  define(self, 'quire$top', () => o.top(self), () => {});

  // Code from text.
  const marksBody = (given) => given.map((v) => js(String(v)));
  const old = self.Function;
  const made = new Proxy(old, { construct: (f, given, as) => Reflect.construct(f, marksBody(given), as), apply: (f, on, given) => f(...marksBody(given)) });
  self.Function = made;
  old.prototype.constructor = made;
  for (const name of ['setTimeout', 'setInterval']) {
    quire.replace(self, name, (later) => function (does, ...rest) { return later.call(self, typeof does === 'string' ? js(does) : does, ...rest); });
  }

  // Addresses in objects of the browser.
  show(self.Response && Response.prototype, 'url');
  show(self.Request && Request.prototype, 'url', 'referrer');
  show(self.XMLHttpRequest && XMLHttpRequest.prototype, 'responseURL');
  show(self.EventSource && EventSource.prototype, 'url');
  const origin = getter(self.MessageEvent && MessageEvent.prototype, 'origin');
  if (origin) {
    Object.defineProperty(MessageEvent.prototype, 'origin', { configurable: true, enumerable: true, get() {
      const at = origin.call(this);
      return at && at === selfOrigin && at !== 'null' ? archivedOrigin : o.originOf ? o.originOf(this, at) : at;
    } });
  }
  Object.defineProperty(self, 'origin', { configurable: true, enumerable: true, get: () => archivedOrigin, set(value) { Object.defineProperty(self, 'origin', { value, writable: true, configurable: true, enumerable: true }); } });
  // A socket was never archived. It fails as one does whose server is gone.
  if (self.WebSocket) {
    const states = { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 };
    self.WebSocket = class WebSocket extends EventTarget {
      constructor(href, protocols) {
        super();
        let url;
        try { url = new URL(href, here.url); } catch { throw new DOMException('The URL is invalid.', 'SyntaxError'); }
        url.protocol = url.protocol.replace(/^http/, 'ws');
        if (!/^wss?:$/.test(url.protocol) || url.hash) throw new DOMException('The URL is invalid.', 'SyntaxError');
        const on = {}, is = { url: url.href, readyState: 0, bufferedAmount: 0, extensions: '', protocol: '' };
        for (const name of Object.keys(is)) Object.defineProperty(this, name, { get: () => is[name], enumerable: true });
        for (const name of ['open', 'error', 'close', 'message']) {
          Object.defineProperty(this, 'on' + name, { get: () => on[name] || null, set: (f) => { if (on[name]) this.removeEventListener(name, on[name]); on[name] = f; if (f) this.addEventListener(name, f); } });
        }
        this.binaryType = 'blob';
        this.close = () => { if (is.readyState < 2) is.readyState = 2; };
        this.send = () => { if (is.readyState === 0) throw new DOMException('Still in CONNECTING state.', 'InvalidStateError'); };
        setTimeout(() => { is.readyState = 3; this.dispatchEvent(new Event('error')); this.dispatchEvent(new CloseEvent('close', { code: 1006, wasClean: false })); }, 20);
      }
    };
    for (const [name, value] of Object.entries(states)) for (const on of [self.WebSocket, self.WebSocket.prototype]) Object.defineProperty(on, name, { value, enumerable: true });
  }
  return { shown, resolved, js, scripted, show, getter, addressOf, archivedOrigin };
};
