importScripts("imported.js", "http://cdn.example/js/imported-far.js");
const tell = (to) => fetch("/data/root.json").then((r) => r.json()).then((d) => to({
  href: location.href, self: self.location.pathname, origin: self.origin, imported: self.imported, far: self.importedFar, root: d.is, base: new URL("x.js", location).href,
}), (e) => to({ failed: String(e) }));
if (self.postMessage) tell((d) => postMessage(d));
onconnect = (e) => tell((d) => e.ports[0].postMessage(d));
