// Starts the worker of wabac.js, sends it the address of the archived records, and opens the page.
"use strict";
(async () => {
	const prefix = "/-/wabac/";
	const asked = location.href.slice(location.origin.length + (prefix + "open/").length);
	const [, collection, timestamp, url] = /^([^/]+)\/(\d{0,14})\/(.+)$/.exec(asked) || [];
	const say = (text) => { document.getElementById("said").textContent = text; };
	const help = () => { document.getElementById("help").hidden = false; };
	const site = url && URL.canParse(url) && new URL(url).origin;
	if (!site) {
		say("This address names no archived page.");
		return;
	}
	const plain = `/${collection}/${timestamp}mp_/${url}`;
	document.getElementById("plain").href = plain;
	document.getElementById("again").href = location.href;
	if (!navigator.serviceWorker) {
		say("This browser has no service workers here: it needs HTTPS, and no private window.");
		help();
		return;
	}
	const late = setTimeout(help, 8000);
	try {
		const registration = await navigator.serviceWorker.register(`${prefix}sw.js?replayPrefix=r&site=${encodeURIComponent(site)}`, {scope: prefix});
		const worker = await running(registration);
		await new Promise((added, failed) => {
			navigator.serviceWorker.addEventListener("message", (e) => {
				if (e.data && e.data.name === collection && e.data.msg_type === "collAdded") added();
				if (e.data && e.data.name === collection && e.data.msg_type === "collProgress" && e.data.error) failed(e.data.error);
			});
			navigator.serviceWorker.startMessages();
			worker.postMessage({
				msg_type: "addColl", name: collection, type: "live", skipExisting: true, root: false, file: {sourceUrl: "proxy:"},
				extraConfig: {
					prefix: "", isLive: false, archivePrefix: `${location.origin}/${collection}/`, archiveMod: "ir_", noPostToGet: true,
					baseUrl: location.origin + prefix + "open/" + collection + "/", baseUrlAppendReplay: true,
				},
			});
		});
		clearTimeout(late);
		// In a frame: wabac.js redirects a page in the window itself to the start page of the
		// reader.
		const frame = document.getElementById("page");
		frame.addEventListener("load", () => report(frame, prefix));
		frame.src = `${prefix}r/${collection}/${timestamp}mp_/${url}`;
		frame.hidden = false;
		document.querySelector("main").hidden = true;
	} catch (e) {
		say("The archived page cannot be opened in this way: " + (e && e.message || e));
		help();
	}
})();

// report sends the place of the page to the banner around this page, as page.js does in the ordinary replay.
function report(frame, prefix) {
	const ui = document.documentElement.dataset.ui;
	if (!ui || window.parent === window) return;
	try {
		const {href, origin} = frame.contentWindow.location;
		const [, timestamp, url] = /^[^/]+\/(\d{14})[a-z_]*\/(.+)$/s.exec(href.slice(origin.length + (prefix + "r/").length)) || [];
		if (url) window.parent.postMessage({type: "quire-replay", url, timestamp, title: frame.contentDocument.title}, ui);
	} catch { /* a page of another site: its start page has another host */ }
}

// running waits until the worker of a registration is active.
async function running(registration) {
	if (registration.active) return registration.active;
	const worker = registration.installing || registration.waiting;
	return new Promise((active, failed) => {
		worker.addEventListener("statechange", () => {
			if (worker.state === "activated") active(worker);
			if (worker.state === "redundant") failed(new Error("the worker does not start"));
		});
	});
}
