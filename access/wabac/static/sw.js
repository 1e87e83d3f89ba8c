// The service worker of the replay by wabac.js: it runs wabac.js as installed, for one archived
// site. Documents of other sites have their own hosts, and an engine there. It adds the policy of
// the replay host to every answer that the engine makes: the engine's own policy allows sockets,
// and some of its answers have none. The server inserts that policy here (engine.go), and adds it
// to all answers that the engine passes on.
'use strict';
{
  const site = new URL(self.location.href).searchParams.get('site'); // its origin, from open.js
  const documents = ['document', 'iframe', 'frame', 'object', 'embed', 'fencedframe'];
  const respond = FetchEvent.prototype.respondWith;
  FetchEvent.prototype.respondWith = function (answer) {
    respond.call(this, elsewhere(this.request) || Promise.resolve(answer).then(confined));
  };

  // elsewhere redirects a document of another site to its start page. The server knows its host.
  function elsewhere(request) {
    const target = request.url.slice(self.location.origin.length);
    if (request.mode !== 'navigate' && !documents.includes(request.destination) || !target.startsWith('/-/wabac/r/')) return null;
    const [, collection, timestamp, archived] = /^\/-\/wabac\/r\/([^/]*)\/(?:(\d*)[a-z_]*\/)?(.*)$/s.exec(target) || [];
    const url = archived && URL.canParse(archived) ? new URL(archived) : null;
    if (url && url.origin === site) return null;
    // Only a page itself makes documents such as srcdoc: their content is in the address.
    if (url && !/^https?:$/.test(url.protocol) && request.referrer.startsWith(self.location.origin + '/')) return null;
    return url ? Response.redirect(`/-/wabac/open/${collection}/${timestamp || ''}/${archived}`) : Response.error();
  }

  function confined(answer) {
    if (!answer || answer.type === 'basic' || answer.type === 'opaqueredirect' || answer.type === 'error') return answer;
    if (answer.type !== 'default') return Response.error(); // answers of other hosts are refused
    const headers = new Headers(answer.headers);
    headers.delete('Content-Security-Policy-Report-Only');
    for (const [name, value] of Object.entries(quirePolicy)) headers.set(name, value);
    const { status, statusText } = answer;
    return new Response([101, 204, 205, 304].includes(status) ? null : answer.body, { status, statusText, headers });
  }
}
importScripts('/-/wabac/engine.js');
