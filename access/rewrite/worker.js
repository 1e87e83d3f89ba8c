// The service worker of the replay. Whatever an archived page asks for, it asks of the replay, at the timestamp of the page; nothing
// leaves for another host, whatever happens. It keeps nothing: what may be seen is for the server to say, each time.
//
// It is registered by page.js, for the whole replay: worker.js?static=PATH, where PATH is that of our own scripts.

const prefix = new URL(self.registration.scope).pathname;
const ours = new URL(self.location.href).searchParams.get('static') || '/static/';

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  const target = new URL(event.request.url);
  if (target.origin === self.location.origin && target.pathname.startsWith(ours)) return; // the browser asks for them itself
  event.respondWith(answer(event).catch(failed));
});

function failed(error) {
  return new Response('The archive could not be asked: ' + error.message + '\n',
    { status: 502, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
}

async function answer(event) {
  const request = event.request;
  const to = await reroute(event, withoutFragment(request.url));
  if (!to) return failed(new Error('it is not known which archived page asks for ' + request.url));
  const headers = new Headers(request.headers);
  headers.set('X-Quire-Worker', request.destination || 'empty');
  const init = {
    method: request.method,
    headers,
    mode: 'same-origin', // so that a redirect to another host fails, too
    credentials: 'same-origin',
    redirect: request.redirect,
    cache: request.cache === 'only-if-cached' ? 'default' : request.cache,
    signal: request.signal,
  };
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const body = await request.arrayBuffer();
    if (body.byteLength) init.body = body;
  }
  return fetch(to, init);
}

function withoutFragment(href) {
  const i = href.indexOf('#');
  return i < 0 ? href : href.slice(0, i);
}

// reroute gives the URL to ask for: on our own host, always.
async function reroute(event, href) {
  const request = event.request;
  const own = new URL(href).origin === self.location.origin;
  const kind = kindOf(request);
  const there = quire.place(href, prefix);
  if (there) { // relative to an archived page it has the kind of that; where a link or our banner leads it has its own
    const kept = there.kind && (!['mp_', 'if_'].includes(there.kind) || ['mp_', 'if_'].includes(kind));
    return quire.made(there.url, there, kept ? there.kind : kind, prefix);
  }
  const here = await whence(event);
  if (own && (!here || new URL(href).pathname.startsWith(prefix + here.collection + '/'))) return href; // a page of the replay itself
  return here && quire.made(quire.archived(href, here, prefix), here, kind, prefix);
}

// kindOf says what a request is for (Fetch Standard, 2.2.7). What a script reads itself it gets as it was captured.
function kindOf(request) {
  switch (request.destination) {
    case 'document': return 'mp_';
    case 'iframe': case 'frame': case 'object': case 'embed': return 'if_';
    case 'style': case 'xslt': return 'cs_';
    case 'script': case 'worker': case 'sharedworker': case 'audioworklet': case 'paintworklet': return 'js_';
    case 'image': case 'font': case 'audio': case 'video': case 'track': case 'manifest': return 'im_';
  }
  return request.mode === 'navigate' ? 'mp_' : 'ir_';
}

// whence finds the archived page, style sheet or worker that asks. A page of about: or blob: is of the one that made it.
async function whence(event) {
  const at = (href) => (href && /^https?:/.test(href) ? quire.place(href, prefix) : null);
  const referrer = at(event.request.referrer);
  if (referrer) return referrer;
  const client = event.clientId && await self.clients.get(event.clientId);
  const asking = client && at(client.url);
  if (asking) return asking;
  if (!client) return null; // nobody that we replay: somebody who typed a URL
  const shown = (await self.clients.matchAll({ type: 'window' })).map((c) => at(c.url)).filter(Boolean);
  const same = shown.every((s) => s.collection === shown[0].collection && s.timestamp === shown[0].timestamp);
  // Of two it cannot be known which. And where the page has a permission in its address, who asks may be what another page left behind.
  return same && shown.length && !shown[0].collection.includes('~') ? shown[0] : null;
}
