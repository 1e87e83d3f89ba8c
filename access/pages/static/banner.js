// Updates the banner when a reader follows a link in the frame. Without this script the banner
// continues to describe the first page. The replayed page is hostile: a message counts only if it
// comes from our frame and from the replay host, and only plain values of it are used, as text.
"use strict";
(() => {
  const banner = document.querySelector(".banner[data-replay]");
  const frame = document.getElementById("replay");
  if (!banner || !frame) return;
  const [scheme, host] = banner.dataset.replay.split("*"); // each archived site may have its own host: http://*.localhost:8000
  const isReplay = (origin) => host === undefined ? origin === scheme : origin.startsWith(scheme) && origin.endsWith(host);
  const byId = (id) => document.getElementById(id);
  const more = banner.querySelector("details");
  let last = location.pathname + location.search;

  // The page reports that a script of it failed: the banner suggests the other engine.
  const suggest = (failed) => { if (byId("failed")) byId("failed").hidden = !failed; };

  // Later, so that it costs readers nothing who go on at once: a mark if a part is of another time.
  let asked = 0;
  function ask() {
    clearTimeout(asked);
    const mark = byId("mixed");
    if (!mark || !mark.hidden) return;
    asked = setTimeout(() => {
      fetch(mark.dataset.ask, { credentials: "same-origin" }).then((answer) => answer.ok ? answer.json() : {}).then((found) => {
        if (!found.text || !mark.isConnected) return;
        mark.title = found.text;
        mark.hidden = false;
      }).catch(() => {});
    }, 1500);
  }
  ask();

  window.addEventListener("message", (event) => {
    if (event.source !== frame.contentWindow || !isReplay(event.origin)) return;
    const m = event.data;
    if (!m || m.type !== "quire-replay" || typeof m.url !== "string" || !/^\d{14}$/.test(m.timestamp)) return;
    if (m.url.length > 8192 || !/^https?:\/\//i.test(m.url)) return;
    const failed = m.failed > 0;
    const start = banner.dataset.at + m.timestamp + banner.dataset.mode + "/";
    const path = start + m.url;
    if (path === last) return suggest(failed);
    // ".." in it could lead to any of our pages, such as one that starts an export.
    if (!new URL(path, location.href).pathname.startsWith(start + "http")) return;
    fetch(path, { headers: { "X-Quire-Banner": "1" }, credentials: "same-origin" }).then((answer) => answer.ok ? answer.text() : "").then((html) => {
      if (!html) return;
      const page = new DOMParser().parseFromString(html, "text/html"), fresh = page.querySelector(".banner");
      if (!fresh) return;
      last = path;
      for (const id of ["when", "day"]) {
        const from = page.getElementById(id), to = byId(id);
        if (from && to) to.textContent = from.textContent;
      }
      const field = page.getElementById("where"), moment = 'input[name="at"]';
      if (field && byId("where") && document.activeElement !== byId("where")) byId("where").value = byId("where").title = field.value;
      if (fresh.querySelector(moment) && banner.querySelector(moment)) banner.querySelector(moment).value = fresh.querySelector(moment).value;
      for (const part of ["nav", ".more", "#failed", "#mixed"]) {
        const from = fresh.querySelector(part), to = banner.querySelector(part);
        if (from && to) to.replaceWith(document.importNode(from, true));
      }
      suggest(failed);
      ask();
      document.title = page.title;
      history.replaceState(null, "", path);
      byId("said").textContent = byId("said").dataset.words + " " + byId("when").textContent + ", " + byId("where").value;
    }).catch(() => {});
  });

  // The panel closes as menus do: by Escape, and when the reader returns to the page.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !more.open) return;
    more.open = false;
    more.querySelector("summary").focus();
  });
  window.addEventListener("blur", () => { more.open = false; });
})();
