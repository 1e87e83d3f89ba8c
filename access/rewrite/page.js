// What runs first in each archived page: it brings the worker in, leads back what no worker can see (where the page goes, what it opens),
// and tells the banner around it where it is. Where there is no worker, because the connection is not secure or the browser has
// none, it also leads back what scripts ask for, as far as a few lines can; the policy of the page refuses the rest.
//
// It says nothing to the page about where it is: location, document.URL and origin are those of the replay. Engines in the browser do
// that (docs/rewriting.md).

(() => {
  const me = document.currentScript;
  if (!me || !me.dataset.quire) return;
  const { prefix, own, collection, timestamp, url, ui, target, worker, strict, ...settings } = JSON.parse(me.dataset.quire);
  const framed = isFramed();
  me.remove();
  const here = { collection, timestamp, url };
  const pageKind = framed ? 'if_' : 'mp_';
  const container = worker && window.isSecureContext ? navigator.serviceWorker : undefined;
  // The worker is in charge of a page that came through it: only that has the policy which lets requests get as far as the worker.
  const [way] = performance.getEntriesByType('navigation');
  const inCharge = Boolean(container && container.controller && way && way.workerStart > 0);

  // isFramed: is this a frame of another archived page? A link in one leads to a page, and nobody but the browser knows in which frame.
  // Our banner has another origin, and so does an archived page of another site, or in a sandbox.
  function isFramed() {
    if (window.parent === window) return false;
    try { return Boolean(window.parent.location.href); } catch { /* of another origin */ }
    return location.ancestorOrigins && ui ? location.ancestorOrigins[0] !== ui : settings.framed;
  }

  // led gives the URL of the replay for what a script or a tag of the page says; what leads nowhere else stays as it is. In an archived URL
  // ".." ends at its host; in ours it would go on.
  function led(href, kind) {
    try {
      if (/^\s*(#|$)/.test(href)) return href;
      const at = new URL(href, document.baseURI).href;
      const base = quire.place(document.baseURI, prefix), there = quire.place(at, prefix);
      if (there) {
        if (!base || quire.place(new URL(href, location.origin).href, prefix)) return href; // it was written as ours
        const meant = new URL(href, base.url).href;
        return at.endsWith(meant) ? href : quire.made(meant, here, kind, prefix);
      }
      const to = quire.archived(at, here, prefix);
      return to === null ? href : quire.made(to, here, kind, prefix);
    } catch {
      return href; // no URL
    }
  }

  // The worker. The page that brings it in is fetched again, once, so that it was seen by the worker from its first byte.
  let leaving = false;
  function reloadOnce() {
    if (leaving) return;
    try {
      const [before, when] = JSON.parse(sessionStorage.getItem('quire-worker') || '["", 0]'), now = Date.now();
      const at = location.href.replace(/~[^/]*/g, '~'); // pages of this site that are shown without a permission may read it
      if (before === at && now - when < 15000) return;
      sessionStorage.setItem('quire-worker', JSON.stringify([at, now]));
      location.reload();
    } catch { /* no store, no second try */ }
  }
  const { register, ready } = container ? { register: container.register, ready: container.ready } : {};
  function bring(tries) { // the page before may have begun with it, and be gone: then both fail, at once or when it should start
    const again = () => { if (tries > 1) setTimeout(bring, 1000, tries - 1); };
    register.call(container, own + 'worker.js?static=' + encodeURIComponent(own), { scope: prefix, updateViaCache: 'none' }).then((given) => {
      const coming = given.installing || given.waiting;
      if (coming && !given.active) coming.addEventListener('statechange', () => { if (coming.state === 'redundant') again(); });
    }, again);
  }
  if (container && !inCharge && !framed) {
    ready.then(reloadOnce); // there is one. A page that was on its way when it came is not told that it has control, so that is not waited for
    bring(3);
  }
  if (window.ServiceWorkerContainer) { // those of the archived site have no host to serve, and ours is none of its business
    const p = ServiceWorkerContainer.prototype;
    p.register = () => Promise.reject(new DOMException('Archived pages have no service workers.', 'SecurityError'));
    p.getRegistration = () => Promise.resolve(undefined);
    p.getRegistrations = () => Promise.resolve([]);
  }

  // What goes by any worker.
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport']) delete window[name];

  // replace puts a function in the place of one of an object, and gives it the old one.
  function replace(object, name, make) {
    if (object && typeof object[name] === 'function') object[name] = make(object[name]);
  }
  const local = (href) => /^\s*(blob|data):/i.test(href); // what has our policy, and no worker
  replace(window, 'open', (open) => function (href, ...rest) {
    if (inCharge && local(href)) return null;
    const opened = open.call(window, href ? led(href, 'mp_') : href, ...rest);
    if (opened) confine(() => opened.document);
    return opened;
  });
  for (const name of ['pushState', 'replaceState']) {
    replace(History.prototype, name, (change) => function (state, title, href) {
      return change.call(this, state, title, href === undefined || href === null ? href : led(href, pageKind));
    });
  }
  for (const name of ['Worker', 'SharedWorker']) {
    replace(window, name, (made) => new Proxy(made, {
      construct: (what, [href, ...rest], as) => Reflect.construct(what, [led(href, 'js_'), ...rest], as),
    }));
  }

  // Links and forms, at the moment when they are used.
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
      if (inCharge && local(element.getAttribute('href')) && !element.hasAttribute('download')) event.preventDefault();
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

  // Where a script sends the page, in browsers that tell (HTML, 7.4.2.4, the navigate event).
  if (window.navigation) {
    navigation.addEventListener('navigate', (event) => {
      if (event.destination.sameDocument) return;
      leaving = true;
      if (!event.cancelable || event.formData) return;
      const to = led(event.destination.url, pageKind);
      if (inCharge && local(to)) event.preventDefault();
      if (to === event.destination.url) return;
      event.preventDefault();
      if (event.navigationType === 'replace') location.replace(to);
      else location.assign(to);
    });
  }

  // Elements that scripts make or change. Frames and objects go by the worker always, and so do icons, and hosts that are connected to
  // early; the others only where there is none.
  const led_by_tag = {
    iframe: ['src', 'if_'], frame: ['src', 'if_'], embed: ['src', 'if_'], object: ['data', 'if_'], link: ['href', 'cs_'],
  };
  if (!inCharge) {
    Object.assign(led_by_tag, {
      img: ['src', 'im_'], script: ['src', 'js_'], audio: ['src', 'im_'], video: ['src', 'im_'], source: ['src', 'im_'],
      track: ['src', 'im_'],
    });
  }
  function kindFor(element, kind) {
    if (element.localName !== 'link') return kind;
    const says = element.rel + ' ' + element.getAttribute('as');
    return /stylesheet|style/i.test(says) ? 'cs_' : /module|script/i.test(says) ? 'js_' : 'im_';
  }
  function seen(element) {
    const what = led_by_tag[element.localName];
    if (element.localName === 'iframe') confine(inside(element));
    if (what && element.hasAttribute(what[0])) lead(element, what[0], kindFor(element, what[1]));
  }
  new MutationObserver((changes) => {
    for (const change of changes) {
      if (change.type === 'attributes') seen(change.target);
      for (const node of change.addedNodes) {
        if (!(node instanceof Element)) continue;
        seen(node);
        for (const inner of node.querySelectorAll(Object.keys(led_by_tag).join())) seen(inner);
      }
    }
  }).observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['src', 'data', 'href'] });

  // The properties through which scripts say what to fetch, before the browser is told.
  for (const [tag, [property, kind]] of Object.entries(led_by_tag)) {
    const prototype = Object.getPrototypeOf(document.createElementNS('http://www.w3.org/1999/xhtml', tag));
    const owner = prototype && (Object.hasOwn(prototype, property) ? prototype : Object.getPrototypeOf(prototype));
    const old = owner && Object.getOwnPropertyDescriptor(owner, property);
    if (!old || !old.set || old.set.quire) continue;
    const set = function (value) { old.set.call(this, typeof value === 'string' || value instanceof URL ? led(value, kindFor(this, kind)) : value); };
    set.quire = true; // audio and video have one for both
    Object.defineProperty(owner, property, { ...old, set });
  }
  // Markup that scripts write: browsers connect to the host of a frame before they ask whether it is allowed. It is read where nothing
  // is fetched, and written again.
  const tags = Object.keys(led_by_tag).join();
  const holdsTags = new RegExp('<(' + tags.replaceAll(',', '|') + ')[\\s/]', 'i');
  function ledMarkup(html) {
    if (!holdsTags.test(html)) return html;
    const template = document.createElement('template');
    template.innerHTML = html;
    for (const element of template.content.querySelectorAll(tags)) seen(element);
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
  // Rules by which a browser fetches pages before anybody asks for them are no script to it any more.
  const speculates = (element, value) => element.localName === 'script' && /^\s*speculationrules\s*$/i.test(value);
  const type = Object.getOwnPropertyDescriptor(HTMLScriptElement.prototype, 'type');
  Object.defineProperty(HTMLScriptElement.prototype, 'type', {
    ...type,
    set(value) { type.set.call(this, speculates(this, value) ? '_speculationrules' : value); },
  });
  replace(Element.prototype, 'setAttribute', (setAttribute) => function (name, value) {
    const what = led_by_tag[this.localName];
    if (/^type$/i.test(name) && speculates(this, value)) value = '_speculationrules';
    const own = what && String(name).toLowerCase() === what[0];
    return setAttribute.call(this, name, own ? led(String(value), kindFor(this, what[1])) : value);
  });
  if (!inCharge) {
    replace(window, 'fetch', (ask) => function (input, init) {
      if (input instanceof Request) return ask.call(window, new Request(led(input.url, 'ir_'), input), init);
      return ask.call(window, led(input, 'ir_'), init);
    });
    replace(XMLHttpRequest.prototype, 'open', (open) => function (method, href, ...rest) {
      return open.call(this, method, led(href, 'ir_'), ...rest);
    });
    replace(Navigator.prototype, 'sendBeacon', (send) => function (href, data) {
      return send.call(this, led(href, 'ir_'), data);
    });
  }

  // An empty frame or window has the policy of the page that made it, but not its worker: it gets the policy of pages that have none.
  function confine(within) {
    let empty;
    try { empty = within(); } catch { return; } // of another origin: it came from the replay
    if (!inCharge || !empty || empty.URL !== 'about:blank' || !empty.head || empty.head.querySelector('meta[data-quire]')) return;
    const meta = empty.createElement('meta');
    meta.httpEquiv = 'Content-Security-Policy';
    meta.content = strict;
    meta.dataset.quire = '';
    empty.head.prepend(meta);
  }
  const content = Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, 'contentDocument');
  const inside = (frame) => () => content.get.call(frame);
  for (const name of ['contentDocument', 'contentWindow']) {
    const old = Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, name);
    Object.defineProperty(HTMLIFrameElement.prototype, name, { ...old, get() { confine(inside(this)); return old.get.call(this); } });
  }

  // Cookies are kept for one page, in it: the hosts of archived sites have one parent, for which each could set them.
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

  // The banner, if we are shown in its frame, is told where we are: it only, by its origin.
  if (!framed && ui && window.parent !== window) {
    let last = '';
    const tell = () => {
      const at = quire.place(location.href, prefix) || here;
      const message = { type: 'quire-replay', url: at.url + location.hash, timestamp, collection, title: document.title };
      if (JSON.stringify(message) === last) return;
      last = JSON.stringify(message);
      window.parent.postMessage(message, ui);
    };
    tell();
    for (const name of ['DOMContentLoaded', 'load', 'hashchange', 'popstate']) window.addEventListener(name, () => setTimeout(tell, 0));
    window.addEventListener('DOMContentLoaded', () => {
      const title = document.querySelector('title');
      if (title) new MutationObserver(tell).observe(title, { childList: true, characterData: true, subtree: true });
    });
  }
  if (!framed && target && window.parent === window && !window.name) window.name = target; // so that targets lead back here
})();
