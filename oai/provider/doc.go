// Package provider answers OAI-PMH 2.0 requests
// (http://www.openarchives.org/OAI/openarchivesprotocol.html). It is a net/http handler over any
// source of records.
//
// It answers all six verbs by GET and POST, compressed on request. The number of records and the
// bytes of a list page are limited. A resumption token alone is sufficient for the next page. It is
// signed, contains the datestamp and identifier at the end of the page, never expires, and can be
// reused. Thus every page costs the same at any position, the server keeps no state between
// requests, and a harvest misses no change made meanwhile. docs/reference/580_oai.md describes
// tokens, sets, and the handling of failing records.
package provider
