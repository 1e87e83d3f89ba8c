// How URLs of the replay are made and read. page.js and worker.js both begin with this (assets.go).
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
};

