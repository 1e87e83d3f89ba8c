"use strict";
// The address of a script, and of the page from within a file.
seen.current = document.currentScript.src;
seen.classic = location.host + "|" + window.location.pathname + "|" + self.location.protocol + "|" + document.location.hostname;
seen.template = `${location.host}/${/location/.test("location") ? `in ${top.location.host}` : ""}`;
seen.strict = (function () { return this === undefined; })();
