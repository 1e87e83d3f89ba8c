// The service worker of this way of replay: it runs wabac.js as it was installed, for one archived site. Documents of other sites have
// hosts of their own, and an engine there.
'use strict';
{
  const site = new URL(self.location.href).searchParams.get('site'); // its origin: open.js gives it
  const documents = ['document', 'iframe', 'frame', 'object', 'embed', 'fencedframe'];
  const respond = FetchEvent.prototype.respondWith;
  FetchEvent.prototype.respondWith = function (answer) {
    respond.call(this, elsewhere(this.request) || answer);
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
}
importScripts('/-/wabac/engine.js');
