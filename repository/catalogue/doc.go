// Package catalogue is the card index of a repository: which packages there are, their versions and
// files, in which copies they lie and how those were found, what was done to them, and which audits
// ran.
//
// The catalogue is never the truth. Everything in it is read from the copies and can be rebuilt
// from them (quire/repository/store does that); it exists so that a question about a million files
// is answered without reading a million inventories. It is one SQLite database (modernc.org/sqlite,
// no cgo), in WAL mode with synchronous=FULL: what [Catalogue.Put] returned nil for is on disk.
package catalogue
