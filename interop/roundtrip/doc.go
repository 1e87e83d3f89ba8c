// Package roundtrip takes a website of five thousand files the whole way: nginx serves it, Caddy
// with our module stands before nginx, quire oai harvest fetches it into a package. Every byte and
// every header must be as visitors get them; and when files are changed, added and deleted, the
// next harvest brings what changed and what went, and nothing else.
package roundtrip
