// Package wabac lets an administrator add wabac.js, for pages with scripts that depend on their
// original address. It is a replay engine by Webrecorder that runs in the reader's browser as a
// service worker. Its licence is the AGPL: so it is not part of Quire, which works without it, and
// an administrator has to install it explicitly (docs/operations/860_wabac.md).
//
// It loads content from /COLL/TIMESTAMPir_/URL: record by record from the server, which enforces
// the rights. It never receives whole packages.
package wabac
