
// The first script in each worker of an archived page. It redirects the worker's requests to the
// replay, and shows it its archived address. Then the worker's own script runs.
{
  const { prefix, begin, mark, ...here } = self.quireBegins;
  delete self.quireBegins;
  quire.repeat(here.timestamp);
  const real = self.location, blob = real.protocol === 'blob:', place = quire.place(blob ? quire.origin : real.href, prefix) || here;
  const absolute = (href) => { try { return new URL(href).href; } catch { return blob ? String(href) : new URL(href, place.url).href; } };
  const led = (href, kind) => quire.led(absolute(href), real.href, place, kind, prefix);
  const ask = self.XMLHttpRequest && XMLHttpRequest.prototype, got = (name) => Object.getOwnPropertyDescriptor(ask, name).get;
  const own = ask && { XMLHttpRequest: self.XMLHttpRequest, open: ask.open, send: ask.send, status: got('status'), text: got('responseText') };
  quire.lead(led, { prefix, begin, mark, ...here, base: quire.origin });
  quire.replace(self, 'importScripts', (run) => (...all) => run.apply(self, all.map((href) => led(href, 'js_'))));
  const dressed = quire.dress({ prefix, here: place, kind: 'ir_', led, base: () => place.url, mark: quire.origin + mark, ...own, top: () => undefined, addressIn: (win, of) => of(win) });
  Object.defineProperty(self, 'location', { get: () => dressed.addressOf(self), configurable: true, enumerable: true });
}
