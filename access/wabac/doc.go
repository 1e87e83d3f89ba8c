// Package wabac lets an administrator put wabac.js beside Quire, for pages whose scripts must
// believe that they are where they were. It is a replay engine of Webrecorder that runs in the
// reader's browser, as a service worker, and is under the AGPL: so it is no part of Quire, which
// works without it, and comes to a machine only when somebody there asks for it
// (docs/operations/860_wabac.md).
//
// It gets what it shows from /COLL/TIMESTAMPir_/URL: record by record from the server, so that
// rights hold there. Whole packages are never given to it.
package wabac
