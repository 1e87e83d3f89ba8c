// Updates the banner when a reader follows a link in the frame. Without this script the banner
// continues to describe the first page. The replayed page is hostile: a message counts only if it
// comes from our frame and from the replay host, and only two plain values of it are used, as text.
"use strict";
(() => {
  const banner = document.querySelector(".banner[data-replay]");
  const frame = document.getElementById("replay");
  if (!banner || !frame) return;
  const [scheme, host] = banner.dataset.replay.split("*"); // each archived site may have its own host: http://*.localhost:8000
  const isReplay = (origin) => host === undefined ? origin === scheme : origin.startsWith(scheme) && origin.endsWith(host);
  const when = document.getElementById("when"), where = document.getElementById("where"), said = document.getElementById("said");
  let last = location.pathname + location.search;

  window.addEventListener("message", (event) => {
    if (event.source !== frame.contentWindow || !isReplay(event.origin)) return;
    const m = event.data;
    if (!m || m.type !== "quire-replay" || typeof m.url !== "string" || !/^\d{14}$/.test(m.timestamp)) return;
    if (m.url.length > 8192 || !/^https?:\/\//i.test(m.url)) return;
    const path = banner.dataset.at + m.timestamp + "/" + m.url;
    if (path === last) return;
    // ".." in it could lead to any of our pages, such as one that starts an export.
    if (!new URL(path, location.href).pathname.startsWith(banner.dataset.at + m.timestamp + "/http")) return;
    fetch(path, { headers: { "X-Quire-Banner": "1" }, credentials: "same-origin" }).then((answer) => answer.ok ? answer.text() : "").then((html) => {
      if (!html) return;
      const page = new DOMParser().parseFromString(html, "text/html"), fresh = page.querySelector(".banner");
      if (!fresh) return;
      last = path;
      for (const id of ["when", "where"]) {
        const from = page.getElementById(id), to = document.getElementById(id);
        if (from && to) to.textContent = from.textContent;
      }
      const from = fresh.querySelector("nav"), to = banner.querySelector("nav");
      if (from && to) to.replaceWith(document.importNode(from, true));
      document.title = page.title;
      history.replaceState(null, "", path);
      said.textContent = said.dataset.words + " " + when.textContent + ", " + where.textContent;
    }).catch(() => {});
  });
})();
