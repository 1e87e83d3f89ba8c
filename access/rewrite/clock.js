// repeat gives a page the time of its capture, which then passes, and random numbers that are the
// same at each visit. Scripts put both into the addresses that they request.
//
// The numbers are those of pywb and wabac.js: a linear congruential generator, from the second of
// the capture. So a page that was recorded by pywb requests the addresses of its recording.
quire.repeat = (timestamp) => {
  const [, year, ...rest] = (/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(timestamp) || []).map(Number);
  const RealDate = Date, now = Date.now;
  if (!year) return now;
  const captured = Date.UTC(year, rest[0] - 1, ...rest.slice(1)), away = captured - now();
  const today = () => now() + away;

  let seed = captured / 1000;
  const random = () => { seed = (seed * 9301 + 49297) % 233280; return seed / 233280; };
  Math.random = { random: () => random() }.random;
  quire.replace(self.Crypto && Crypto.prototype, 'getRandomValues', (fill) => function (array) {
    fill.call(this, array); // it checks the array
    const big = /^Big/.test(array[Symbol.toStringTag]);
    for (let i = 0; i < array.length; i++) { const n = Math.floor(random() * 4294967296); array[i] = big ? BigInt(n) : n; }
    return array;
  });

  self.Date = new Proxy(RealDate, {
    construct: (date, given, as) => Reflect.construct(date, given.length ? given : [today()], as),
    apply: () => new RealDate(today()).toString(),
  });
  RealDate.now = { now: () => today() }.now;
  RealDate.prototype.constructor = self.Date;
  if (self.Temporal && Temporal.Now) {
    const { Now } = Temporal, zone = (id = Now.timeZoneId()) => Now.instant().toZonedDateTimeISO(id);
    Object.assign(Now, {
      instant: () => Temporal.Instant.fromEpochMilliseconds(today()), zonedDateTimeISO: zone,
      plainDateISO: (id) => zone(id).toPlainDate(), plainTimeISO: (id) => zone(id).toPlainTime(), plainDateTimeISO: (id) => zone(id).toPlainDateTime(),
    });
  }
  // The times of the page's loading, from which scripts subtract those above.
  const shift = (prototype, names) => {
    for (const name of names) {
      const old = prototype && Object.getOwnPropertyDescriptor(prototype, name);
      if (old && old.get) Object.defineProperty(prototype, name, { ...old, get() { const v = old.get.call(this); return typeof v === 'number' && v ? v + away : v; } });
    }
  };
  shift(self.Performance && Performance.prototype, ['timeOrigin']);
  shift(self.PerformanceTiming && PerformanceTiming.prototype, self.PerformanceTiming ? Object.keys(PerformanceTiming.prototype) : []);
  return now;
};
