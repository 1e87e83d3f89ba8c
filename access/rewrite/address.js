// Makes and parses URLs of the replay. All our scripts begin with this file (assets.go).
'use strict';

const quire = {
  // of the replay; workers see another location later, and pages without an address have none
  origin: self.location.origin !== 'null' || !self.document ? self.location.origin : new URL(document.currentScript ? document.currentScript.src : given.base).origin,

  // place parses a URL of the replay: PREFIX COLL / TIMESTAMP KIND / URL. It returns null for other
  // URLs.
  place(href, prefix) {
    const u = new URL(href);
    if (u.origin !== quire.origin || !u.pathname.startsWith(prefix)) return null;
    const rest = (u.pathname + u.search).slice(prefix.length);
    const m = /^([^/]+)\/(\d{1,14})([a-z]{2}_)?\/([a-z][a-z0-9+.-]*:.+)$/is.exec(rest);
    return m && { collection: m[1], timestamp: m[2], kind: m[3] || '', url: quire.slashes(m[4]) };
  },

  // slashes restores a slash that a client or proxy removed: no archived URL has the form
  // http:/a.example/.
  slashes(url) {
    return url.replace(/^(https?|ftp):\/{1,}/i, '$1://');
  },

  // made returns the replay URL of an archived URL. here is the place of the reader.
  made(url, here, kind, prefix) {
    return quire.origin + prefix + here.collection + '/' + here.timestamp + kind + '/' + url;
  },

  // archived returns the archived URL that a page at the place here means by href, an absolute URL.
  // It returns null if href is a replay URL already, or has a scheme that is not archived.
  archived(href, here, prefix) {
    const u = new URL(href);
    if (!/^(https?|ftp):$/.test(u.protocol)) return null;
    if (u.origin === quire.origin) {
      if (quire.place(href, prefix)) return null;
      return new URL(u.pathname + u.search + u.hash, here.url).href; // "/x" of the page, not of the replay
    }
    const doubled = quire.place(quire.origin + u.pathname + u.search, prefix); // the archived host with a replay path
    return doubled && doubled.collection === here.collection ? doubled.url + u.hash : u.href;
  },

  // led returns the replay URL for href from a script or a tag, relative to base. Values that lead
  // nowhere else stay unchanged. In an archived URL ".." ends at its host; in a replay URL it would
  // go further.
  led(href, base, here, kind, prefix) {
    try {
      if (/^\s*(#|$)/.test(href)) return href;
      const at = new URL(href, base).href;
      const from = quire.place(base, prefix), there = quire.place(at, prefix);
      if (there) {
        if (!from || quire.place(new URL(href, quire.origin).href, prefix)) return href; // written as a replay URL
        const meant = new URL(href, from.url).href;
        return at.endsWith(meant) ? href : quire.made(meant, here, kind, prefix);
      }
      const to = quire.archived(at, here, prefix);
      return to === null ? href : quire.made(to, here, kind, prefix);
    } catch {
      return href; // not a URL
    }
  },

  // ledCSS does the same for URLs of other hosts in a style sheet. The browser requests those on
  // our host, and the request is redirected.
  ledCSS(css, led) {
    return String(css).replace(/(url\(\s*["']?|image-set\(\s*["']|@import\s+["'])((?:https?:)?\/\/[^"')\s]+)/gi,
      (all, before, url) => before + led(url, before[0] === '@' ? 'cs_' : 'im_'));
  },

  // replace replaces a function of an object; make receives the old function.
  replace(object, name, make) {
    if (object && typeof object[name] === 'function') object[name] = make(object[name]);
  },
};
