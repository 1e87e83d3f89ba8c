// The ways in which a page can store data in a browser, and another page could read it. Both pages
// run this script.
'use strict';
const secret = 'hunter2';
// A fresh realm has the browser's own functions, even if a script replaced them in this one. Our script
// begins in frames that a page adds or asks for their window. So a range adds this one, and its window is
// asked of the page. In a sandbox each frame has its own origin.
const range = document.createRange();
range.selectNodeContents(document.body || document.documentElement);
range.insertNode(document.createElement('iframe'));
let realm = window[0];
try { realm.Document; } catch { realm = window; }
if (realm !== window && 'quire$of' in realm) throw new Error('the fresh realm has our functions');
const cookies = Object.getOwnPropertyDescriptor(realm.Document.prototype, 'cookie');
const within = (promise, seconds) => Promise.race([promise, new Promise((yes) => setTimeout(yes, seconds * 1000, 'no: too late'))]);
const asked = (request) => new Promise((yes, no) => { request.onsuccess = () => yes(request.result); request.onerror = () => no(request.error); });

async function database() {
  const request = realm.indexedDB.open('kept', 1);
  request.onupgradeneeded = () => request.result.createObjectStore('all');
  return asked(request);
}
async function file(create) {
  const folder = await realm.navigator.storage.getDirectory();
  return folder.getFileHandle('kept', { create });
}
function worker(shared, message) {
  return new Promise((yes, no) => {
    const w = new realm.SharedWorker(shared, 'kept');
    w.onerror = () => no(new Error('no worker'));
    w.port.onmessage = (e) => yes(e.data);
    w.port.postMessage(message);
  });
}

// channels lists the ways: a function that stores data, and one that reads it.
const channels = (shared) => ({
  localStorage: [() => realm.localStorage.setItem('kept', secret), () => realm.localStorage.getItem('kept')],
  sessionStorage: [() => window.sessionStorage.setItem('kept', secret), () => window.sessionStorage.getItem('kept')],
  cookie: [() => cookies.set.call(document, 'kept=' + secret + '; path=/'), () => cookies.get.call(document)],
  cookieStore: [() => window.cookieStore.set('stored', secret), async () => JSON.stringify(await window.cookieStore.getAll())],
  indexedDB: [async () => (await database()).transaction('all', 'readwrite').objectStore('all').put(secret, 'kept'),
    async () => asked((await database()).transaction('all').objectStore('all').get('kept'))],
  caches: [async () => (await realm.caches.open('kept')).put('/kept', new Response(secret)), async () => (await realm.caches.match('/kept')).text()],
  files: [async () => { const w = await (await file(true)).createWritable(); await w.write(secret); await w.close(); },
    async () => (await (await file(false)).getFile()).text()],
  locks: [() => { realm.navigator.locks.request(secret, () => new Promise(() => {})).catch(() => {}); },
    async () => JSON.stringify(await realm.navigator.locks.query())],
  BroadcastChannel: [() => {
    const c = window.talk = new BroadcastChannel('kept');
    c.onmessage = (e) => { if (e.data === 'who?') c.postMessage(secret); };
  }, () => new Promise((yes) => {
    const c = new BroadcastChannel('kept');
    c.onmessage = (e) => yes(e.data);
    c.postMessage('who?');
  })],
  SharedWorker: [() => worker(shared, { keep: secret }), async () => JSON.stringify(await worker(shared, {}))],
});

async function each(shared, which, seconds) {
  const got = {};
  await Promise.all(Object.entries(channels(shared)).map(async ([name, pair]) => {
    try { got[name] = String(await within(Promise.resolve().then(pair[which]), seconds)); } catch (e) { got[name] = 'no: ' + (e && e.name); }
  }));
  return got;
}
const keep = (shared) => each(shared, 0, 5);
const spy = (shared, seconds = 2) => each(shared, 1, seconds);

// held tries to read data from the window of another page.
function held(w) {
  const got = {};
  const attempt = (name, read) => { try { got[name] = String(read()); } catch (e) { got[name] = 'no: ' + e.name; } };
  attempt('document', () => w.document.documentElement.outerHTML);
  attempt('storage', () => w.localStorage.getItem('kept'));
  attempt('variable', () => w.mine);
  attempt('cookie', () => w.document.cookie);
  return got;
}
// handles shows pages in frames and windows, and tries to read their data.
async function handles(urls) {
  const all = {};
  await Promise.all(urls.map(async (url) => {
    const f = document.createElement('iframe');
    f.src = url;
    document.body.append(f);
    await within(new Promise((yes) => { f.onload = yes; }), 10);
    await new Promise((yes) => setTimeout(yes, 1000));
    for (const [name, value] of Object.entries(held(f.contentWindow))) all['frame ' + url + ' ' + name] = value;
  }));
  const w = window.open(urls[0], 'opened');
  await new Promise((yes) => setTimeout(yes, 1500));
  if (w) for (const [name, value] of Object.entries(held(w))) all['window ' + name] = value;
  return all;
}
// intrude shows pages of this site at addresses from others; each reports the data that it could
// read.
async function intrude(urls) {
  const all = {};
  let loaded = 0, quiet = 0;
  window.addEventListener('message', (e) => { if (e.data && e.data.intruder) all[e.data.intruder + ' ' + Object.keys(all).length] = JSON.stringify(e.data.got); });
  for (const url of urls) {
    const f = document.createElement('iframe');
    f.src = url;
    f.onload = () => { loaded++; quiet = 0; }; // also an error page
    document.body.append(f);
  }
  // Each frame loads its page or an error page. An intruder reports within 2 seconds after that.
  for (const end = Date.now() + 20000; Date.now() < end && Object.keys(all).length < urls.length && (loaded < urls.length || quiet < 50); quiet++) await new Promise((yes) => setTimeout(yes, 100));
  return all;
}
// installs tries to register a script of this site as the service worker of its host.
async function installs(script) {
  try {
    await realm.ServiceWorkerContainer.prototype.register.call(navigator.serviceWorker, script, { scope: '/' });
    return { 'service worker': 'yes' };
  } catch (e) {
    return { 'service worker': 'no: ' + e.name };
  }
}
// opens opens a page of another site, which reports the data that it could read from its opener.
async function opens(url) {
  const told = new Promise((yes) => window.addEventListener('message', (e) => { if (e.data && e.data.opened) yes(e.data.opened); }));
  window.open(url, 'another');
  return within(told, 20);
}
