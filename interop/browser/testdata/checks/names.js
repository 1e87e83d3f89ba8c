// Names of the page's own, which are those of the browser elsewhere.
seen.names = (() => {
  const f = (location, top) => ({ location, top: top + 1 }), o = { location: 1, top: 2, get eval() { return 3; } }, top = 4;
  top: for (;;) { break top; }
  return [f("a", 1), o, o.location, o["top"], o.eval, top, [top, { top }], top ? top : 0];
})();
