// Registers the worker of wabac.js, and lets it read the WACZ file.
const registration = await navigator.serviceWorker.register("/sw.js");
const worker = registration.active || await new Promise((yes) => {
	const next = registration.installing || registration.waiting;
	next.onstatechange = () => next.state === "activated" && yes(next);
});
await new Promise((yes) => {
	navigator.serviceWorker.addEventListener("message", (e) => {
		if (e.data.msg_type === "collAdded") yes();
		if (e.data.msg_type === "collProgress" && e.data.error) document.title = e.data.error;
	});
	navigator.serviceWorker.startMessages();
	const file = {sourceUrl: location.origin + "/all.wacz"};
	worker.postMessage({msg_type: "addColl", name: "all", skipExisting: true, file});
});
