// The first script in each archived page. It redirects requests and navigation by scripts before
// the browser acts, because the policy refuses all other hosts. It installs the service worker,
// which redirects paths written as if on the archived host ("/x"). It reports the place of the page
// to the banner around it.
//
// It shows the page its archived address: document.URL, origin and the like by getters; location
// and top by the names that the server marks in scripts (place.js). This script is no security
// boundary: the policy is.

(() => {
  const me = given ? undefined : document.currentScript, realPost = window.postMessage;
  const told = given ? given.told : me && me.dataset.quire;
  if (!told) return;
  // The first document of an empty frame gives its window to the next one of the same origin.
  if (Object.hasOwn(window, 'quire$again')) {
    if (me) me.remove();
    window.quire$again();
    return;
  }
  const { prefix, own, collection, timestamp, url, ui, target, worker, begin, mark, cookies, ...settings } = JSON.parse(told);
  const realParent = window.parent;
  const framed = isFramed();
  const base = given ? given.base : me.src; // the URL of our scripts
  if (me) me.remove();
  const here = { collection, timestamp, url };
  const realNow = quire.repeat(timestamp);
  const pageKind = framed ? 'if_' : 'mp_';
  const container = worker && window.isSecureContext ? workers() : undefined;
  // The worker controls a page only if it served the page.
  const [way] = performance.getEntriesByType('navigation');
  const inCharge = Boolean(container && container.controller && way && way.workerStart > 0);

  function workers() {
    try { return navigator.serviceWorker; } catch { return undefined; } // in a sandbox
  }

  // isFramed reports whether this is a frame of another archived page. A link in a frame leads to a
  // page, and only the browser knows in which frame. Our banner has another origin, as has an
  // archived page of another site, or in a sandbox.
  function isFramed() {
    if (window.parent === window) return false;
    try { return Boolean(window.parent.location.href); } catch { /* of another origin */ }
    return location.ancestorOrigins && ui ? location.ancestorOrigins[0] !== ui : settings.framed;
  }

  const baseURI = Object.getOwnPropertyDescriptor(Node.prototype, 'baseURI').get;
  const led = (href, kind) => quire.led(href, baseURI.call(document), here, kind, prefix);
  const getAttribute = Element.prototype.getAttribute;
  const valueOf = (element, name) => getAttribute.call(element, name);
  const { replace } = quire;
  const made = (tag) => document.createElementNS('http://www.w3.org/1999/xhtml', tag); // this document can be SVG

  // The page that installs the worker is loaded again, once, so that the worker serves it from its
  // first byte.
  let leaving = false;
  function reloadOnce() {
    if (leaving) return;
    try {
      const [before, when] = JSON.parse(sessionStorage.getItem('quire-worker') || '["", 0]'), now = realNow();
      const at = location.href.replace(/~[^/]*/g, '~'); // pages of this site without an access token may read it
      if (before === at && now - when < 15000) return;
      sessionStorage.setItem('quire-worker', JSON.stringify([at, now]));
      location.reload();
    } catch { /* no sessionStorage: no second try */ }
  }
  const { register, ready } = container ? { register: container.register, ready: container.ready } : {};
  function bring(tries) { // the page before may have begun to register it and be gone: then it fails at once or at its start
    const again = () => { if (tries > 1) setTimeout(bring, 1000, tries - 1); };
    register.call(container, own + 'worker.js?static=' + encodeURIComponent(own), { scope: prefix, updateViaCache: 'none' }).then((given) => {
      const coming = given.installing || given.waiting;
      if (coming && !given.active) coming.addEventListener('statechange', () => { if (coming.state === 'redundant') again(); });
    }, again);
  }
  if (container && !inCharge && !framed) {
    // Do not wait for control: a page that was loading when the worker started gets no event.
    ready.then(reloadOnce);
    bring(3);
  }
  if (window.ServiceWorkerContainer) { // archived workers have no host to serve, and the page must not change ours
    const p = ServiceWorkerContainer.prototype;
    // A page that registers one goes on as if it had it: the registration does nothing.
    const idle = (scriptURL) => Object.assign(new EventTarget(), { scriptURL, state: 'activated', postMessage() {}, onstatechange: null, onerror: null });
    const kept = new Map();
    const registration = (script, scope) => Object.assign(new EventTarget(), {
      scope, active: idle(script), installing: null, waiting: null, onupdatefound: null, updateViaCache: 'imports', navigationPreload: { enable: async () => {}, disable: async () => {} },
      update() { return Promise.resolve(this); }, unregister: () => Promise.resolve(kept.delete(scope)),
    });
    let first;
    const given = new Promise((yes) => { first = yes; });
    p.register = (href, options = {}) => {
      try {
        const script = dressed.resolved(href), scope = new URL(options.scope === undefined ? './' : options.scope, options.scope === undefined ? script : dressed.shown(baseURI.call(document))).href;
        if (new URL(script).origin !== dressed.archivedOrigin) throw new DOMException('The script has another origin.', 'SecurityError');
        if (!kept.has(scope)) kept.set(scope, registration(script, scope));
        first(kept.get(scope));
        return Promise.resolve(kept.get(scope));
      } catch (error) {
        return Promise.reject(error);
      }
    };
    p.getRegistration = () => Promise.resolve([...kept.values()][0]);
    p.getRegistrations = () => Promise.resolve([...kept.values()]);
    Object.defineProperty(p, 'ready', { configurable: true, get: () => given });
  }

  const request = XMLHttpRequest.prototype, got = (name) => Object.getOwnPropertyDescriptor(request, name).get;
  const asks = { XMLHttpRequest, open: request.open, send: request.send, status: got('status'), text: got('responseText') };
  quire.lead(led, { prefix, begin, mark, ...here, base });
  const archivedOrigin = new URL(url).origin;
  // The windows around this one, up to the banner.
  const around = location.ancestorOrigins ? [...location.ancestorOrigins] : undefined;
  if (around && ui && around.at(-1) === ui) around.pop();
  const messages = quire.messages(archivedOrigin);
  const parentOf = (win) => {
    if (win === window) return framed ? realParent : window;
    return win === topOf() ? win : win.parent;
  };
  function topOf() {
    if (!framed) return window;
    let win = window;
    const steps = around ? around.length : 20, last = window.top;
    for (let i = 0; i < steps; i++) {
      const next = i === 0 ? realParent : win.parent;
      if (next === win || !around && next === last && ui) break;
      win = next;
    }
    return win;
  }
  const dressed = quire.dress({
    prefix, here, kind: pageKind, led, base: () => baseURI.call(document), mark: new URL(mark, base).href, ...asks,
    top: topOf, parent: parentOf, poster: messages.poster, originOf: messages.originOf,
    addressIn(win, of) {
      if (win === window) return of(win);
      try { return win.quire$location || of(win); } catch { return farAddress(win); }
    },
    ancestors: (win) => {
      const all = win !== window || !around ? [] : around.map((at) => (at === quire.origin ? archivedOrigin : messages.originOf({}, at)));
      return Object.assign(all, { item: (i) => all[i] || null, contains: (at) => all.includes(at) });
    },
  });
  // farAddress is the location of a window of another origin: it can only be set.
  function farAddress(win) {
    const to = (href) => led(dressed.resolved(href), 'if_');
    return { set href(v) { win.location = to(v); }, replace(v) { win.location.replace(to(v)); }, assign(v) { win.location = to(v); } };
  }
  // A document that is opened again loses its listeners.
  for (const name of ['write', 'writeln']) {
    replace(Document.prototype, name, (write) => function (...texts) { write.apply(this, texts.map((t) => ledText(marked(String(t))))); listen(); });
  }
  replace(Document.prototype, 'open', (open) => function (...how) { if (how.length > 2) return window.open(...how); const opened = open.apply(this, how); listen(); return opened; });
  const framing = quire.frames({ source: quireBegins, told, base, asks, js: dressed.js, marked, ledText: (html) => ledText(html), css: (text) => quire.ledCSS(text, led), cookies: () => jar });
  if (framed && !given) for (let win = realParent, i = 0; i < (around ? around.length : 1); i++, win = win.parent) messages.say(win);
  if (window.opener) messages.say(window.opener);
  Object.defineProperty(window, 'parent', { configurable: true, enumerable: true, get: () => parentOf(window), set(value) { Object.defineProperty(window, 'parent', { value, writable: true, configurable: true, enumerable: true }); } });
  window.postMessage = messages.poster(window);
  // archivedReferrer returns the archived page that led here, also from the host of another site. Of such a page only
  // the origin is shown, by the browsers' usual policy (strict-origin-when-cross-origin).
  function archivedReferrer(from) {
    const u = new URL(from), of = (host) => host.slice(host.indexOf('.'));
    if (u.origin !== quire.origin && of(u.host) !== of(new URL(quire.origin).host)) return undefined;
    const place = quire.place(quire.origin + u.pathname + u.search, prefix);
    return place && new URL(place.url);
  }
  const referrer = Object.getOwnPropertyDescriptor(Document.prototype, 'referrer').get;
  Object.defineProperty(Document.prototype, 'referrer', { configurable: true, enumerable: true, get() {
    const from = referrer.call(this);
    const page = from && archivedReferrer(from);
    if (page) return page.origin === archivedOrigin ? page.href.replace(/#.*/, '') : page.protocol === 'https:' && !/^https:/.test(url) ? '' : page.origin + '/';
    if (!from && settings.referrer) return settings.referrer;
    const above = framed && !from && around ? messages.originOf({}, around[0]) : '';
    return above && above !== around[0] ? above + '/' : '';
  } });
  let domain = '';
  Object.defineProperty(Document.prototype, 'domain', { configurable: true, enumerable: true, get: () => domain || new URL(url).hostname, set(value) {
    const host = new URL(url).hostname;
    if (value !== host && !(value.includes('.') && host.endsWith('.' + value))) throw new DOMException('Not a suffix of the domain.', 'SecurityError');
    domain = value;
  } });
  // No script sees the answer to a beacon, and it counts nothing in an archive: it is not sent.
  replace(Navigator.prototype, 'sendBeacon', () => function (href) {
    if (!/^https?:$/.test(new URL(href, baseURI.call(document)).protocol)) throw new TypeError('A beacon needs an address of http or https.');
    return true;
  });
  replace(window.Worklet && Worklet.prototype, 'addModule', (add) => function (href, ...rest) {
    return add.call(this, led(href, 'js_'), ...rest);
  });
  // Modules import others by URL, which no script can change. An import map redirects them (HTML,
  // 8.1.6.2): https:// is a prefix, as in any map; our own host stays.
  if (window.HTMLScriptElement && HTMLScriptElement.supports && HTMLScriptElement.supports('importmap')) {
    const map = made('script'), own = new URL(base).origin + '/';
    const imports = { [own]: own };
    for (const scheme of ['https://', 'http://']) imports[scheme] = own.slice(0, -1) + prefix + collection + '/' + timestamp + 'js_/' + scheme;
    map.type = 'importmap';
    map.textContent = JSON.stringify({ imports });
    document.documentElement.append(map);
    map.remove();
  }
  replace(window, 'open', (open) => function (href, ...rest) {
    return open.call(window, href ? led(href, 'mp_') : href, ...rest);
  });
  for (const name of ['pushState', 'replaceState']) {
    replace(History.prototype, name, (change) => function (state, title, href) {
      if (href !== undefined && href !== null && !/^about:/.test(location.href) && new URL(dressed.resolved(href)).origin !== archivedOrigin) throw new DOMException('A history state must have the origin of its page.', 'SecurityError');
      return change.call(this, state, title, href === undefined || href === null ? href : led(href, pageKind));
    });
  }
  const setAttribute = Element.prototype.setAttribute, toBanner = realPost;
  // within returns the URL of a place in this document. A document of a frame that a script made has
  // another address than it shows.
  function within(href) {
    try {
      const [at, to] = [dressed.shown(location.href), dressed.resolved(href)].map((u) => u.split('#'));
      return to.length > 1 && at[0] === to[0] ? location.href.split('#')[0] + '#' + to.slice(1).join('#') : '';
    } catch { return ''; }
  }
  // Links and forms are redirected when they are used.
  function lead(element, attribute, kind) {
    const href = valueOf(element, attribute);
    if (href && /^\s*javascript:/i.test(href)) return setAttribute.call(element, attribute, dressed.scripted(href));
    if (href && !href.startsWith('#')) {
      const to = within(href) || led(href, kind);
      if (to !== href) element.setAttribute(attribute, to);
    }
  }
  function retarget(element, attribute) {
    const value = (valueOf(element, attribute) || '').toLowerCase();
    if (target && (value === '_top' || value === '_blank' || value === '_parent' && !framed)) element.setAttribute(attribute, target);
  }
  function clicked(event) {
    for (const element of event.composedPath()) {
      if (!(element instanceof Element) || !['a', 'area'].includes(element.localName)) continue;
      lead(element, element.hasAttribute('href') ? 'href' : 'xlink:href', pageKind);
      element.removeAttribute('ping');
      retarget(element, 'target');
      return;
    }
  }
  function submitted(form, by) {
    lead(form, 'action', pageKind);
    retarget(form, 'target');
    if (by) {
      lead(by, 'formaction', pageKind);
      retarget(by, 'formtarget');
    }
  }
  const listener = window.addEventListener, onSubmit = (event) => submitted(event.target, event.submitter);
  function listen() {
    for (const [name, does] of [['click', clicked], ['auxclick', clicked], ['submit', onSubmit]]) listener.call(window, name, does, true);
    messages.listen();
  }
  listen();
  replace(HTMLFormElement.prototype, 'submit', (submit) => function () {
    submitted(this);
    return submit.call(this);
  });

  // Navigation by scripts, in browsers with the navigate event (HTML, 7.4.2.4).
  if (window.navigation) {
    navigation.addEventListener('navigate', (event) => {
      if (event.destination.sameDocument) return;
      leaving = true;
      if (!event.cancelable || event.formData) return;
      const to = led(event.destination.url, pageKind);
      if (to === event.destination.url) return;
      event.preventDefault();
      if (event.navigationType === 'replace') location.replace(to);
      else location.assign(to);
    });
  }

  // The attributes with URLs of elements that scripts make or change, and the kind of each.
  const leads = {
    iframe: { src: 'if_', srcdoc: 'if_' }, frame: { src: 'if_' }, embed: { src: 'if_' }, object: { data: 'if_' }, link: { href: 'cs_', imagesrcset: 'im_' },
    img: { src: 'im_', srcset: 'im_' }, script: { src: 'js_', href: 'js_', 'xlink:href': 'js_' }, audio: { src: 'im_' }, video: { src: 'im_', poster: 'im_' },
    source: { src: 'im_', srcset: 'im_' }, track: { src: 'im_' }, input: { src: 'im_' }, image: { href: 'im_', 'xlink:href': 'im_' },
  };
  const tags = Object.keys(leads).join();
  function kindFor(element, kind) {
    if (element.localName !== 'link') return kind;
    const says = element.rel + ' ' + valueOf(element, 'as');
    return /stylesheet|style/i.test(says) ? 'cs_' : /module|script/i.test(says) ? 'js_' : 'im_';
  }
  const ledSet = (set, kind) => set.replace(/(^|[\s,])((?:https?:)?\/\/[^\s,]+)/gi, (all, before, href) => before + led(href, kind));
  // ledValue returns the redirected value of an attribute. Most have one URL.
  function ledValue(element, name, value) {
    if (name === 'style') return quire.ledCSS(value, led);
    if (/^on[a-z]/.test(name)) return dressed.js(value);
    if (name === 'srcdoc') return framing.document(element, value);
    const kind = leads[element.localName] && leads[element.localName][name];
    if (!kind) return value;
    if (/^blob:/.test(value)) return framing.blob(value, kindFor(element, kind));
    return name.endsWith('srcset') ? ledSet(value, kind) : led(value, kindFor(element, kind));
  }
  function seen(element) {
    if (element.localName === 'style') {
      const css = quire.ledCSS(element.textContent, led);
      if (css !== element.textContent) element.textContent = css;
    }
    if (element.localName === 'script' && /^importmap$/i.test(element.type)) leadMap(element);
    for (const name of ['style', ...Object.keys(leads[element.localName] || {})]) {
      const value = valueOf(element, name);
      if (!value) continue;
      const to = ledValue(element, name, value);
      if (to !== value) element.setAttribute(name, to);
    }
  }
  // leadMap redirects an import map before the browser reads it.
  function leadMap(script) {
    try {
      const map = JSON.parse(script.textContent);
      for (const part of [map.imports, ...Object.values(map.scopes || {})]) {
        for (const [name, href] of Object.entries(part || {})) if (typeof href === 'string') part[name] = led(href, 'js_');
      }
      script.textContent = JSON.stringify(map);
    } catch { /* not an import map */ }
  }
  const all = (within) => within.querySelectorAll(tags + ',style,[style]');
  const observer = new MutationObserver((changes) => {
    for (const { type, target: changed, addedNodes } of changes) {
      if (type === 'attributes' || changed.localName === 'style') seen(changed);
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        seen(node);
        for (const inner of all(node)) seen(inner);
      }
    }
  });
  const attributeFilter = ['src', 'data', 'href', 'srcset', 'poster', 'style', 'imagesrcset'];
  Object.defineProperty(window, 'quire$again', { value: () => { observe(document); listen(); } });
  const observe = (root) => observer.observe(root, { childList: true, subtree: true, attributes: true, attributeFilter });
  observe(document);
  replace(Element.prototype, 'attachShadow', (attach) => function (...given) {
    const root = attach.apply(this, given);
    observe(root);
    return root;
  });

  // The properties in which scripts set URLs, before the browser acts.
  for (const [tag, named] of Object.entries(leads)) {
    for (const name of Object.keys(named)) {
      const property = name === 'imagesrcset' ? 'imageSrcset' : name;
      const prototype = Object.getPrototypeOf(document.createElementNS('http://www.w3.org/1999/xhtml', tag));
      const owner = prototype && (Object.hasOwn(prototype, property) ? prototype : Object.getPrototypeOf(prototype));
      const old = owner && Object.getOwnPropertyDescriptor(owner, property);
      if (!old || !old.set || old.set.quire) continue;
      const set = function (value) {
        old.set.call(this, ledValue(this, name, String(value))); // also of a TrustedScriptURL
      };
      set.quire = true; // audio and video share a property
      Object.defineProperty(owner, property, { ...old, set });
    }
  }
  if (window.Audio) {
    window.Audio = new Proxy(Audio, { construct: (what, [href, ...rest], as) => Reflect.construct(what, href ? [led(href, 'im_'), ...rest] : [], as) });
  }
  if (window.CSSStyleSheet) {
    for (const name of ['insertRule', 'replace', 'replaceSync']) {
      replace(CSSStyleSheet.prototype, name, (put) => function (css, ...rest) { return put.call(this, quire.ledCSS(css, led), ...rest); });
    }
  }
  // Markup from scripts is parsed in a template, where nothing is fetched, and written again: the
  // browser would check the policy before an observer runs. URLs on our host need no such detour,
  // because the worker redirects them.
  const holdsTags = new RegExp('<(' + tags.replaceAll(',', '|') + ')[\\s/]', 'i');
  const handles = /<[^>]*\son[a-z]+\s*=/i;
  function ledMarkup(html) {
    const handlers = handles.test(html);
    if (!handlers && (!holdsTags.test(html) || inCharge && !html.includes('//') && !/\ssrcdoc\s*=/i.test(html))) return html;
    const template = made('template');
    template.innerHTML = html;
    for (const element of all(template.content)) seen(element);
    if (handlers) {
      for (const element of template.content.querySelectorAll('*')) {
        for (const { name, value } of [...element.attributes]) {
          const to = /^on/.test(name) ? dressed.js(value) : value;
          if (to !== value) setAttribute.call(element, name, to);
        }
      }
    }
    return template.innerHTML;
  }
  // marked marks the scripts in markup.
  const runs = (type) => /^\s*($|module$|(text|application)\/(x-)?(java|ecma|j)script)/i.test(type || '');
  function marked(html) {
    return html.replace(/(<script\b([^>]*)>)([\s\S]*?)(<\/script)/gi, (whole, start, given, text, end) => {
      const [, , type] = /\stype\s*=\s*(["']?)([^"'\s>]*)/i.exec(given) || [];
      return runs(type) ? start + dressed.js(text) + end : whole;
    });
  }
  for (const name of ['innerHTML', 'outerHTML']) {
    const old = Object.getOwnPropertyDescriptor(Element.prototype, name);
    Object.defineProperty(Element.prototype, name, {
      ...old,
      set(html) { old.set.call(this, this instanceof HTMLTemplateElement || html === null ? html : ledMarkup(String(html))); }, // also TrustedHTML
    });
  }
  replace(Element.prototype, 'insertAdjacentHTML', (insert) => function (where, html) {
    return insert.call(this, where, ledMarkup(String(html)));
  });
  // Text written while the page loads may be half a tag: only its URLs of other hosts are
  // redirected.
  const written = /(<([a-z]+)\b[^>]*?\s(?:src|href|data|poster)\s*=\s*["']?)((?:https?:)?\/\/[^"'\s>]+)/gi;
  const ledText = (html) => String(html).replace(written, (whole, before, tag, href) => {
    const kind = leads[tag.toLowerCase()] ? Object.values(leads[tag.toLowerCase()])[0] : pageKind;
    return before + led(href, kind);
  });
  // Speculation rules, by which a browser fetches pages in advance, get a type that browsers
  // ignore.
  const speculates = (element, value) => element.localName === 'script' && /^\s*speculationrules\s*$/i.test(value);
  const type = Object.getOwnPropertyDescriptor(HTMLScriptElement.prototype, 'type');
  Object.defineProperty(HTMLScriptElement.prototype, 'type', {
    ...type,
    set(value) { type.set.call(this, speculates(this, value) ? '_speculationrules' : value); },
  });
  replace(Element.prototype, 'setAttribute', () => function (name, value) {
    if (/^type$/i.test(name) && speculates(this, value)) value = '_speculationrules';
    if (/^integrity$/i.test(name) && /^(script|link)$/.test(this.localName)) return setAttribute.call(this, '_integrity', value);
    return setAttribute.call(this, name, ledValue(this, String(name).toLowerCase(), String(value)));
  });
  replace(Element.prototype, 'setAttributeNS', (set) => function (space, name, value) {
    const known = /xlink$/.test(space) ? 'xlink:href' : String(name).toLowerCase();
    return set.call(this, space, name, ledValue(this, known, String(value)));
  });
  // A digest that a script names is that of the captured bytes, which marks and redirected addresses change.
  for (const { prototype } of [HTMLScriptElement, HTMLLinkElement]) {
    Object.defineProperty(prototype, 'integrity', { configurable: true, enumerable: true, get() { return valueOf(this, '_integrity') || ''; }, set(value) { setAttribute.call(this, '_integrity', value); } });
  }
  // What scripts read of elements is the archived address.
  dressed.show(Document.prototype, 'URL', 'documentURI');
  dressed.show(Node.prototype, 'baseURI');
  dressed.show(window.HashChangeEvent && HashChangeEvent.prototype, 'newURL', 'oldURL');
  for (const [name, ...properties] of [['Image', 'src', 'currentSrc'], ['Script', 'src'], ['IFrame', 'src'], ['Frame', 'src'], ['Embed', 'src'], ['Object', 'data'],
    ['Link', 'href'], ['Form', 'action'], ['Input', 'src', 'formAction'], ['Button', 'formAction'], ['Source', 'src'], ['Media', 'src', 'currentSrc'], ['Video', 'poster'],
    ['Track', 'src'], ['Base', 'href']]) dressed.show((window['HTML' + name + 'Element'] || {}).prototype, ...properties);
  const parts = ['href', 'protocol', 'host', 'hostname', 'port', 'pathname', 'search', 'hash', 'origin'];
  for (const { prototype } of [HTMLAnchorElement, HTMLAreaElement]) {
    const urlOf = (link) => {
      const href = valueOf(link, 'href');
      try { return href === null ? null : new URL(dressed.shown(new URL(led(href, pageKind), baseURI.call(link)).href)); } catch { return null; }
    };
    for (const name of parts) {
      const old = Object.getOwnPropertyDescriptor(prototype, name);
      Object.defineProperty(prototype, name, {
        ...old,
        get() { const u = urlOf(this); return u ? u[name] : old.get.call(this); },
        ...(old.set && name !== 'href' && { set(value) { const u = urlOf(this); if (u) { u[name] = value; setAttribute.call(this, 'href', u.href); } } }),
      });
    }
    prototype.toString = function () { return this.href; };
  }
  Element.prototype.getAttribute = function (name) {
    const value = getAttribute.call(this, name);
    return value && /\/\d{1,14}([a-z]{2}_)?\/[a-z]+:/.test(value) && !/\s/.test(value) ? readable(value) : value;
  };
  function readable(value) {
    try { return quire.place(new URL(value, quire.origin).href, prefix) ? dressed.shown(new URL(value, quire.origin).href) : value; } catch { return value; }
  }
  // Scripts that scripts make are marked before they run.
  const scriptText = Object.getOwnPropertyDescriptor(HTMLScriptElement.prototype, 'text'), textContent = Object.getOwnPropertyDescriptor(Node.prototype, 'textContent'), prepared = new WeakSet();
  function prepare(node) {
    if (!(node instanceof Element || node instanceof DocumentFragment)) return;
    const scripts = node instanceof HTMLScriptElement || node instanceof SVGScriptElement ? [node] : node.firstElementChild ? node.querySelectorAll('script') : [];
    for (const script of scripts) {
      if (prepared.has(script) || script.isConnected || getAttribute.call(script, 'src') || !runs(getAttribute.call(script, 'type'))) continue;
      prepared.add(script);
      const plain = script instanceof HTMLScriptElement; // one of SVG can have its address by an object, too
      if (!plain) for (const name of ['href', 'xlink:href']) { const href = getAttribute.call(script, name); if (href) setAttribute.call(script, name, ledValue(script, name, href)); }
      const { get, set } = plain ? scriptText : textContent, text = get.call(script), to = dressed.js(text);
      if (to !== text) set.call(script, to);
    }
  }
  for (const [{ prototype }, names] of [[Node, ['appendChild', 'insertBefore', 'replaceChild']], [Element, ['append', 'prepend', 'before', 'after', 'replaceWith']],
    [DocumentFragment, ['append', 'prepend']]]) {
    for (const name of names) replace(prototype, name, (put) => function (...given) { prepare(given[0]); for (let i = 1; i < given.length; i++) prepare(given[i]); const out = put.apply(this, given); for (const node of given) framing.within(node); return out; });
  }

  // Cookies are kept in the page, for this page only, and begin with those of its captured answer: the hosts of archived sites have one parent,
  // for which each site could set cookies.
  // A srcdoc has those of the page around it.
  const jar = given ? given.jar : (location.href === 'about:srcdoc' && jarAround()) || new Map(cookies);
  Object.defineProperty(window, 'quire$jar', { value: jar });
  function jarAround() {
    try { return realParent.quire$jar; } catch { return undefined; } // of another origin, as in a sandbox
  }
  Object.defineProperty(Document.prototype, 'cookie', {
    configurable: true,
    enumerable: true,
    get: () => [...jar].map(([name, value]) => (name ? name + '=' + value : value)).join('; '),
    set(text) {
      const [pair, ...attributes] = String(text).split(';');
      const i = pair.indexOf('=');
      const name = pair.slice(0, Math.max(i, 0)).trim();
      const ended = attributes.some((a) => {
        const [key, value] = a.split('=').map((s) => s.trim());
        return /^max-age$/i.test(key) && Number(value) <= 0 || /^expires$/i.test(key) && Date.parse(value) <= Date.now();
      });
      const path = attributes.map((a) => a.trim()).filter((a) => /^path\s*=\s*\//i.test(a)).map((a) => a.slice(a.indexOf('/')).trimEnd()).at(-1);
      const at = new URL(/^about:/.test(location.href) ? url : dressed.shown(location.href), url).pathname;
      if (path && at !== path && !at.startsWith(path.replace(/\/*$/, '/'))) return; // of other pages of the site
      jar.delete(name);
      if (!ended && jar.size < 200) jar.set(name, pair.slice(i + 1).trim());
    },
  });

  // Reports the place of the page to the banner around it, and only to the origin of the banner.
  if (!framed && ui && realParent !== window) {
    let last = '', failed = 0; // scripts that failed: the banner then suggests another engine
    const tell = () => {
      const at = quire.place(location.href, prefix) || here;
      const message = { type: 'quire-replay', url: at.url + location.hash, timestamp, collection, title: document.title, failed };
      if (JSON.stringify(message) === last) return;
      last = JSON.stringify(message);
      toBanner.call(realParent, message, ui);
    };
    tell();
    const fails = (event) => { if (failed < 9 && (event.type !== 'error' || event instanceof ErrorEvent)) { failed++; setTimeout(tell, 0); } };
    for (const name of ['error', 'unhandledrejection']) window.addEventListener(name, fails);
    for (const name of ['DOMContentLoaded', 'load', 'hashchange', 'popstate']) window.addEventListener(name, () => setTimeout(tell, 0));
    window.addEventListener('DOMContentLoaded', () => {
      const title = document.querySelector('title');
      if (title) new MutationObserver(tell).observe(title, { childList: true, characterData: true, subtree: true });
    });
  }
  if (!framed && target && realParent === window && !window.name) window.name = target; // so that targets lead to this window
})();
