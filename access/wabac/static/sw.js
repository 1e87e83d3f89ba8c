// The service worker of this way of replay: it runs wabac.js as it was installed, for one archived site. Documents of other sites have
// hosts of their own, and an engine there. It puts the policy of the replay host on every answer that the engine makes: the engine's own
// policy lets sockets out, and not all of its answers have one. The server puts that policy here (engine.go), and on whatever the engine
// passes on from it.
'use strict';
{
  const site = new URL(self.location.href).searchParams.get('site'); // its origin: open.js gives it
  const documents = ['document', 'iframe', 'frame', 'object', 'embed', 'fencedframe'];
  const respond = FetchEvent.prototype.respondWith;
  FetchEvent.prototype.respondWith = function (answer) {
    respond.call(this, elsewhere(this.request) || Promise.resolve(answer).then(confined));
  };

  // elsewhere leads to where a document of another site begins. The server knows its host.
  function elsewhere(request) {
    const target = request.url.slice(self.location.origin.length);
    if (request.mode !== 'navigate' && !documents.includes(request.destination) || !target.startsWith('/-/wabac/r/')) return null;
    const [, collection, timestamp, archived] = /^\/-\/wabac\/r\/([^/]*)\/(?:(\d*)[a-z_]*\/)?(.*)$/s.exec(target) || [];
    const url = archived && URL.canParse(archived) ? new URL(archived) : null;
    if (url && url.origin === site) return null;
    // A page makes documents of its own, such as srcdoc. Nobody else does: their content is in the address.
    if (url && !/^https?:$/.test(url.protocol) && request.referrer.startsWith(self.location.origin + '/')) return null;
    return url ? Response.redirect(`/-/wabac/open/${collection}/${timestamp || ''}/${archived}`) : Response.error();
  }

  function confined(answer) {
    if (!answer || answer.type === 'basic' || answer.type === 'opaqueredirect' || answer.type === 'error') return answer;
    if (answer.type !== 'default') return Response.error(); // another host cannot have been asked
    const headers = new Headers(answer.headers);
    headers.delete('Content-Security-Policy-Report-Only');
    for (const [name, value] of Object.entries(quirePolicy)) headers.set(name, value);
    const { status, statusText } = answer;
    return new Response([101, 204, 205, 304].includes(status) ? null : answer.body, { status, statusText, headers });
  }
}
importScripts('/-/wabac/engine.js');
