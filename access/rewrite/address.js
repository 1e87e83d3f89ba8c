// How URLs of the replay are made and read. All our scripts begin with this (assets.go).
'use strict';

const quire = {
  // place reads a URL of the replay: PREFIX COLL / TIMESTAMP KIND / URL. null where it is none.
  place(href, prefix) {
    const u = new URL(href);
    if (u.origin !== self.location.origin || !u.pathname.startsWith(prefix)) return null;
    const rest = (u.pathname + u.search).slice(prefix.length);
    const m = /^([^/]+)\/(\d{1,14})([a-z]{2}_)?\/([a-z][a-z0-9+.-]*:.+)$/is.exec(rest);
    return m && { collection: m[1], timestamp: m[2], kind: m[3] || '', url: quire.slashes(m[4]) };
  },

  // slashes puts back the slash that a client or proxy took: http:/a.example/ is no URL that anybody archived.
  slashes(url) {
    return url.replace(/^(https?|ftp):\/{1,}/i, '$1://');
  },

  // made makes the URL of the replay for an archived one. here is a place that the reader is at.
  made(url, here, kind, prefix) {
    return self.location.origin + prefix + here.collection + '/' + here.timestamp + kind + '/' + url;
  },

  // archived gives the absolute URL that a page means, which stands at a place and asks for href, absolute; null where it is of the
  // replay already, or of a scheme that nobody archives.
  archived(href, here, prefix) {
    const u = new URL(href);
    if (!/^(https?|ftp):$/.test(u.protocol)) return null;
    if (u.origin === self.location.origin) {
      if (quire.place(href, prefix)) return null;
      return new URL(u.pathname + u.search + u.hash, here.url).href; // "/x" of the page is no place of ours
    }
    const doubled = quire.place(self.location.origin + u.pathname + u.search, prefix); // its own host, and behind it a URL that we made
    return doubled && doubled.collection === here.collection ? doubled.url + u.hash : u.href;
  },

  // led gives the URL of the replay for what a script or a tag says, relative to base; what leads nowhere else stays as it is. In an
  // archived URL ".." ends at its host; in ours it would go on.
  led(href, base, here, kind, prefix) {
    try {
      if (/^\s*(#|$)/.test(href)) return href;
      const at = new URL(href, base).href;
      const from = quire.place(base, prefix), there = quire.place(at, prefix);
      if (there) {
        if (!from || quire.place(new URL(href, self.location.origin).href, prefix)) return href; // it was written as ours
        const meant = new URL(href, from.url).href;
        return at.endsWith(meant) ? href : quire.made(meant, here, kind, prefix);
      }
      const to = quire.archived(at, here, prefix);
      return to === null ? href : quire.made(to, here, kind, prefix);
    } catch {
      return href; // no URL
    }
  },

  // ledCSS does so with the URLs of other hosts in a style sheet. Those of our own the browser asks for, and they are led from there.
  ledCSS(css, led) {
    return String(css).replace(/(url\(\s*["']?|image-set\(\s*["']|@import\s+["'])((?:https?:)?\/\/[^"')\s]+)/gi,
      (all, before, url) => before + led(url, before[0] === '@' ? 'cs_' : 'im_'));
  },

  // replace puts a function in the place of one of an object, and gives it the old one.
  replace(object, name, make) {
    if (object && typeof object[name] === 'function') object[name] = make(object[name]);
  },
};
