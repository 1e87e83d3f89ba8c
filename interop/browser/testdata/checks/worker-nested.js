const w = new Worker("worker.js"); w.onmessage = (e) => postMessage(e.data.href);
