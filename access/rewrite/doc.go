// Package rewrite makes archived pages display in a browser as they did, without letting their
// requests leave the archive. It changes each URL of a page into its replay URL
// (docs/reference/550_rewriting.md). It works on bytes, and calls a function that builds URLs; it
// does not know the archive.
//
// Everything else stays unchanged, byte for byte: text is never transcoded (except UTF-16). In
// scripts, only the names by which a page learns its place get a mark (JavaScript). Attributes that
// would make browsers reject rewritten content (integrity, CSP and the like) are disarmed by an
// underscore before their names.
//
// Our service worker, worker.js, redirects requests of scripts, and a small script, page.js,
// redirects navigations. Without a worker, the strict policy (Strict) blocks such requests. Only
// one of the two applies: a worker announces itself to the server in the header field WorkerField,
// because browsers check the policy before they call the worker.
//
// Rewriting is one stream, in linear time, with memory bounded by htmllink.MaxTag.
package rewrite
