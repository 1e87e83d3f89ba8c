
// lead redirects requests by scripts of a page or a worker before the browser acts: the policy
// refuses all other hosts, and the browser checks it before it asks the service worker. led returns
// the replay URL for a URL from a script. begins is the data that a worker needs.
quire.lead = (led, begins) => {
  const constructed = (name, change) => {
    if (self[name]) self[name] = new Proxy(self[name], { construct: (what, given, as) => Reflect.construct(what, change(...given), as) });
  };
  const urlOf = Object.getOwnPropertyDescriptor(Request.prototype, 'url').get;
  quire.replace(self, 'fetch', (ask) => function (input, init) {
    if (!(input instanceof Request)) return ask.call(self, led(input, 'ir_'), init);
    const url = urlOf.call(input), to = led(url, 'ir_');
    return ask.call(self, to === url ? input : new Request(to, input), init);
  });
  quire.replace(XMLHttpRequest.prototype, 'open', (open) => function (method, href, ...rest) {
    return open.call(this, method, led(href, 'ir_'), ...rest);
  });
  constructed('EventSource', (href, ...rest) => [led(href, 'ir_'), ...rest]);
  constructed('FontFace', (family, source, ...rest) => [family, typeof source === 'string' ? quire.ledCSS(source, led) : source, ...rest]);
  // No policy governs these in all browsers.
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport']) delete self[name];

  // Workers start with our script (begin.js), and then run their own, unchanged. The browser keeps
  // the content of a blob from the moment when the worker was made, even if the page revokes its
  // URL at once: so the blob gets a second URL.
  const make = URL.createObjectURL, drop = URL.revokeObjectURL, blobs = new Map();
  quire.replace(URL, 'createObjectURL', () => function (what) {
    const url = make.call(URL, what);
    if (what instanceof Blob) blobs.set(url, what);
    return url;
  });
  quire.replace(URL, 'revokeObjectURL', (revoke) => function (url) {
    blobs.delete(String(url));
    quire.blobs.revoked(String(url));
    return revoke.call(URL, url);
  });
  quire.blobs = { get: (url) => blobs.get(url), revoked() {}, drop: (url) => drop.call(URL, url), make: (text, type) => make.call(URL, new Blob([text], { type })) };
  const first = new URL(begins.begin, begins.base || quire.origin).href;
  const told = 'self.quireBegins=' + JSON.stringify({ ...begins, base: undefined }) + ';';
  const absolute = (url) => { try { return self.document ? new URL(url, document.baseURI).href : url; } catch { return url; } };
  // A worker of a data: URL has no begin.js. Its script can be the text of a marked function, so it
  // gets the names of the marks, as the browser's own objects.
  const plain = 'for(const n of["of","js","import"])self["quire$"+n]=(x)=>x;self.quire$eval=self.eval;self.quire$top=void 0;'
    + 'Object.defineProperty(self,"quire$location",{get:()=>self.location});';
  function named(url) {
    const [, head, coded] = /^data:([^,]*),([^]*)$/i.exec(url) || [];
    if (coded === undefined) return url;
    try {
      const text = /;\s*base64\s*$/i.test(head) ? new TextDecoder().decode(Uint8Array.from(atob(decodeURIComponent(coded)), (c) => c.charCodeAt(0))) : decodeURIComponent(coded);
      if (!text.includes('quire$')) return url;
      const strict = /^\s*(['"])use strict\1/.test(text) ? '"use strict";' : '';
      return 'data:text/javascript,' + encodeURIComponent(strict + plain + text);
    } catch {
      return url;
    }
  }
  const begun = new Map(); // by the URL of a blob: pages that share a worker use one URL
  function begin(href, module) {
    const url = String(href), blob = blobs.get(url);
    if (/^\s*data:/i.test(url)) return named(url.trim());
    if (!blob) return led(absolute(url), module ? 'wm_' : 'wk_');
    if (!begun.has(url)) {
      const own = JSON.stringify(make.call(URL, blob));
      const text = module ? 'import "data:text/javascript,' + encodeURIComponent(told) + '";import ' + JSON.stringify(first) + ';import ' + own + ';'
        : told + 'importScripts(' + JSON.stringify(first) + ',' + own + ');';
      begun.set(url, make.call(URL, new Blob([text], { type: 'text/javascript' })));
    }
    return begun.get(url);
  }
  for (const name of ['Worker', 'SharedWorker']) {
    constructed(name, (href, ...rest) => [begin(href, rest[0] && rest[0].type === 'module'), ...rest]);
  }
};
