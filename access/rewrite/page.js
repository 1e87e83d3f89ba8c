// The first script in each archived page. It redirects requests and navigation by scripts before
// the browser acts, because the policy refuses all other hosts. It installs the service worker,
// which redirects paths written as if on the archived host ("/x"). It reports the place of the page
// to the banner around it.
//
// It does not hide the replay from the page: location, document.URL and origin are those of the
// replay. Engines in the browser hide it (docs/reference/550_rewriting.md). This script is no
// security boundary: the policy is.

(() => {
  const me = document.currentScript;
  if (!me || !me.dataset.quire) return;
  const { prefix, own, collection, timestamp, url, ui, target, worker, begin, ...settings } = JSON.parse(me.dataset.quire);
  const framed = isFramed();
  const base = me.src; // the URL of our scripts
  me.remove();
  const here = { collection, timestamp, url };
  const pageKind = framed ? 'if_' : 'mp_';
  const container = worker && window.isSecureContext ? navigator.serviceWorker : undefined;
  // The worker controls a page only if it served the page.
  const [way] = performance.getEntriesByType('navigation');
  const inCharge = Boolean(container && container.controller && way && way.workerStart > 0);

  // isFramed reports whether this is a frame of another archived page. A link in a frame leads to a
  // page, and only the browser knows in which frame. Our banner has another origin, as has an
  // archived page of another site, or in a sandbox.
  function isFramed() {
    if (window.parent === window) return false;
    try { return Boolean(window.parent.location.href); } catch { /* of another origin */ }
    return location.ancestorOrigins && ui ? location.ancestorOrigins[0] !== ui : settings.framed;
  }

  const led = (href, kind) => quire.led(href, document.baseURI, here, kind, prefix);
  const { replace } = quire;

  // The page that installs the worker is loaded again, once, so that the worker serves it from its
  // first byte.
  let leaving = false;
  function reloadOnce() {
    if (leaving) return;
    try {
      const [before, when] = JSON.parse(sessionStorage.getItem('quire-worker') || '["", 0]'), now = Date.now();
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
    p.register = () => Promise.reject(new DOMException('Archived pages have no service workers.', 'SecurityError'));
    p.getRegistration = () => Promise.resolve(undefined);
    p.getRegistrations = () => Promise.resolve([]);
  }

  quire.lead(led, { prefix, begin, ...here, base });
  replace(Navigator.prototype, 'sendBeacon', (send) => function (href, data) {
    return send.call(this, led(href, 'ir_'), data);
  });
  replace(window.Worklet && Worklet.prototype, 'addModule', (add) => function (href, ...rest) {
    return add.call(this, led(href, 'js_'), ...rest);
  });
  // Modules import others by URL, which no script can change. An import map redirects them (HTML,
  // 8.1.6.2): https:// is a prefix, as in any map; our own host stays.
  if (window.HTMLScriptElement && HTMLScriptElement.supports && HTMLScriptElement.supports('importmap')) {
    const map = document.createElement('script'), own = new URL(base).origin + '/';
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
      return change.call(this, state, title, href === undefined || href === null ? href : led(href, pageKind));
    });
  }
  // Links and forms are redirected when they are used.
  function lead(element, attribute, kind) {
    const href = element.getAttribute(attribute);
    if (href && !href.startsWith('#')) {
      const to = led(href, kind);
      if (to !== href) element.setAttribute(attribute, to);
    }
  }
  function retarget(element, attribute) {
    const value = (element.getAttribute(attribute) || '').toLowerCase();
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
  window.addEventListener('click', clicked, true);
  window.addEventListener('auxclick', clicked, true);
  function submitted(form, by) {
    lead(form, 'action', pageKind);
    retarget(form, 'target');
    if (by) {
      lead(by, 'formaction', pageKind);
      retarget(by, 'formtarget');
    }
  }
  window.addEventListener('submit', (event) => submitted(event.target, event.submitter), true);
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
    iframe: { src: 'if_' }, frame: { src: 'if_' }, embed: { src: 'if_' }, object: { data: 'if_' }, link: { href: 'cs_', imagesrcset: 'im_' },
    img: { src: 'im_', srcset: 'im_' }, script: { src: 'js_' }, audio: { src: 'im_' }, video: { src: 'im_', poster: 'im_' },
    source: { src: 'im_', srcset: 'im_' }, track: { src: 'im_' }, input: { src: 'im_' }, image: { href: 'im_', 'xlink:href': 'im_' },
  };
  const tags = Object.keys(leads).join();
  function kindFor(element, kind) {
    if (element.localName !== 'link') return kind;
    const says = element.rel + ' ' + element.getAttribute('as');
    return /stylesheet|style/i.test(says) ? 'cs_' : /module|script/i.test(says) ? 'js_' : 'im_';
  }
  const ledSet = (set, kind) => set.replace(/(^|[\s,])((?:https?:)?\/\/[^\s,]+)/gi, (all, before, href) => before + led(href, kind));
  // ledValue returns the redirected value of an attribute. Most have one URL.
  function ledValue(element, name, value) {
    if (name === 'style') return quire.ledCSS(value, led);
    const kind = leads[element.localName] && leads[element.localName][name];
    if (!kind) return value;
    return name.endsWith('srcset') ? ledSet(value, kind) : led(value, kindFor(element, kind));
  }
  function seen(element) {
    if (element.localName === 'style') {
      const css = quire.ledCSS(element.textContent, led);
      if (css !== element.textContent) element.textContent = css;
    }
    if (element.localName === 'script' && /^importmap$/i.test(element.type)) leadMap(element);
    for (const name of ['style', ...Object.keys(leads[element.localName] || {})]) {
      const value = element.getAttribute(name);
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
        old.set.call(this, typeof value === 'string' || value instanceof URL ? ledValue(this, name, String(value)) : value);
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
  function ledMarkup(html) {
    if (!holdsTags.test(html) || inCharge && !html.includes('//')) return html;
    const template = document.createElement('template');
    template.innerHTML = html;
    for (const element of all(template.content)) seen(element);
    return template.innerHTML;
  }
  for (const name of ['innerHTML', 'outerHTML']) {
    const old = Object.getOwnPropertyDescriptor(Element.prototype, name);
    Object.defineProperty(Element.prototype, name, {
      ...old,
      set(html) { old.set.call(this, this instanceof HTMLTemplateElement || typeof html !== 'string' ? html : ledMarkup(html)); },
    });
  }
  replace(Element.prototype, 'insertAdjacentHTML', (insert) => function (where, html) {
    return insert.call(this, where, typeof html === 'string' ? ledMarkup(html) : html);
  });
  // Text written while the page loads may be half a tag: only its URLs of other hosts are
  // redirected.
  const written = /(<([a-z]+)\b[^>]*?\s(?:src|href|data|poster)\s*=\s*["']?)((?:https?:)?\/\/[^"'\s>]+)/gi;
  const ledText = (html) => String(html).replace(written, (whole, before, tag, href) => {
    const kind = leads[tag.toLowerCase()] ? Object.values(leads[tag.toLowerCase()])[0] : pageKind;
    return before + led(href, kind);
  });
  for (const name of ['write', 'writeln']) {
    replace(Document.prototype, name, (write) => function (...texts) { return write.apply(this, texts.map(ledText)); });
  }
  // Speculation rules, by which a browser fetches pages in advance, get a type that browsers
  // ignore.
  const speculates = (element, value) => element.localName === 'script' && /^\s*speculationrules\s*$/i.test(value);
  const type = Object.getOwnPropertyDescriptor(HTMLScriptElement.prototype, 'type');
  Object.defineProperty(HTMLScriptElement.prototype, 'type', {
    ...type,
    set(value) { type.set.call(this, speculates(this, value) ? '_speculationrules' : value); },
  });
  replace(Element.prototype, 'setAttribute', (setAttribute) => function (name, value) {
    if (/^type$/i.test(name) && speculates(this, value)) value = '_speculationrules';
    return setAttribute.call(this, name, ledValue(this, String(name).toLowerCase(), String(value)));
  });
  // Cookies are kept in the page, for this page only: the hosts of archived sites have one parent,
  // for which each site could set cookies.
  const jar = new Map();
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
      jar.delete(name);
      if (!ended && jar.size < 200) jar.set(name, pair.slice(i + 1).trim());
    },
  });

  // Reports the place of the page to the banner around it, and only to the origin of the banner.
  if (!framed && ui && window.parent !== window) {
    let last = '', failed = 0; // scripts that failed: the banner then suggests another engine
    const tell = () => {
      const at = quire.place(location.href, prefix) || here;
      const message = { type: 'quire-replay', url: at.url + location.hash, timestamp, collection, title: document.title, failed };
      if (JSON.stringify(message) === last) return;
      last = JSON.stringify(message);
      window.parent.postMessage(message, ui);
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
  if (!framed && target && window.parent === window && !window.name) window.name = target; // so that targets lead to this window
})();
