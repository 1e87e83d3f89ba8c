// Package salvage rescues the whole records of a damaged container. It writes them, byte for byte, to
// a new WARC file (ISO 28500:2017), and keeps the damaged bytes aside. It reports each lost record
// that an index, a log or another record names.
//
// A container is read twice: first by the pass of quire/preserve/inspect, which finds the damage and
// the digest of the file, then record by record. docs/reference/437_salvage.md describes the results.
package salvage
