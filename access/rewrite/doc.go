// Package rewrite makes archived pages show in a browser as they did, without a request of theirs
// leaving the archive: it changes each URL of a page into that of the replay
// (docs/reference/550_rewriting.md). It knows bytes, and a function that makes URLs; not what is
// archived.
//
// What is no URL stays as it is, byte for byte: text is never transcoded (but from UTF-16), scripts
// are never rewritten. What a page says that would keep the browser from using what was rewritten
// (integrity, CSP and the like) is disarmed: a low line goes before its name.
//
// Requests that scripts make are led back by a service worker of our own, worker.js, and
// navigations by a small script, page.js; where there is no worker, the strict policy (Strict)
// keeps them from leaving. Only one of the two is in force: a worker tells the server by the header
// field WorkerField that it is there, because a browser asks the policy before it asks the worker.
//
// All is done in one stream, in memory bounded by htmllink.MaxTag, in linear time.
package rewrite
