// The service worker of the replay. It sends each request of an archived page to the replay, at the
// timestamp of the page; no request ever reaches another host. It stores nothing: the server
// decides on access each time.
//
// page.js registers it for the whole replay: worker.js?static=PATH, where PATH is that of our own
// scripts.

const prefix = new URL(self.registration.scope).pathname;
const ours = new URL(self.location.href).searchParams.get('static') || '/static/';

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  const target = new URL(event.request.url);
  if (target.origin === self.location.origin && target.pathname.startsWith(ours)) return; // the browser requests our scripts itself
  event.respondWith(answer(event).catch(failed));
});

function failed(error) {
  return new Response('The request to the archive failed: ' + error.message + '\n',
    { status: 502, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
}

async function answer(event) {
  const request = event.request;
  const to = await reroute(event, withoutFragment(request.url));
  if (!to) return failed(new Error('no archived page is known that requests ' + request.url));
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
  if (request.referrer.startsWith(self.location.origin + '/')) init.referrer = request.referrer;
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

// reroute returns the URL to request: always on our own host.
async function reroute(event, href) {
  const request = event.request;
  const own = new URL(href).origin === self.location.origin;
  const kind = kindOf(request);
  const there = quire.place(href, prefix);
  if (there) { // a relative URL has the kind of its page; a link or our banner sets another one
    const kept = there.kind && (!['mp_', 'if_'].includes(there.kind) || ['mp_', 'if_'].includes(kind));
    return quire.made(there.url, there, kept ? there.kind : kind, prefix);
  }
  const here = await whence(event);
  if (own && (!here || new URL(href).pathname.startsWith(prefix + here.collection + '/'))) return href; // a page of the replay itself
  return here && quire.made(quire.archived(href, here, prefix), here, kind, prefix);
}

// kindOf returns the kind for the destination of a request (Fetch Standard, 2.2.7). Data for
// scripts stay as captured.
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

// whence finds the archived page, style sheet or worker that sends the request. A page of about: or
// blob: belongs to the page that made it.
async function whence(event) {
  const at = (href) => (href && /^https?:/.test(href) ? quire.place(href, prefix) : null);
  const referrer = at(event.request.referrer);
  if (referrer) return referrer;
  const client = event.clientId && await self.clients.get(event.clientId);
  const asking = client && at(client.url);
  if (asking) return asking;
  if (!client) return null; // no replayed page: the reader typed a URL
  const shown = (await self.clients.matchAll({ type: 'window' })).map((c) => at(c.url)).filter(Boolean);
  const same = shown.every((s) => s.collection === shown[0].collection && s.timestamp === shown[0].timestamp);
  // Two different pages leave the source unknown. If the page has an access token in its address,
  // the request may come from a leftover of another page.
  return same && shown.length && !/^[^~]*~[^~]/.test(shown[0].collection) ? shown[0] : null;
}
