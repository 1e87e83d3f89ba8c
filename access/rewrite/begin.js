
// The first script in each worker of an archived page. It redirects the worker's requests to the
// replay. Then the worker's own script runs, unchanged.
{
  const { prefix, begin, ...here } = self.quireBegins;
  delete self.quireBegins;
  const place = quire.place(self.location.href.replace(/^blob:.*/, self.location.origin), prefix) || here;
  const led = (href, kind) => quire.led(href, self.location.href, place, kind, prefix);
  quire.lead(led, { prefix, begin, ...here, base: self.location.origin });
  quire.replace(self, 'importScripts', (run) => (...all) => run.apply(self, all.map((href) => led(href, 'js_'))));
}
