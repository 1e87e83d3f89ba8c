/* A library of another host. */
;(function (root, location, undefined) { root.library = { host: location.host, nothing: undefined, ratio: 4 / 2 / 1, quote: /["'\/location]/.source, top: { top: 5 }.top } })(window, window.location);
