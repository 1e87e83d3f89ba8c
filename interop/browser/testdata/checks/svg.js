(seen.svgFiles = seen.svgFiles || []).push(location.host + new URL(document.currentScript.href.baseVal, "http://x.example/").search);
