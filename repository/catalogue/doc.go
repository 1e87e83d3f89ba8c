// Package catalogue indexes a repository. It records the packages, their versions and files, the
// state of each copy, the events of each package, and the audit runs.
//
// The catalogue is never authoritative. Everything in it comes from the copies and can be rebuilt
// from them (by quire/repository/store). It answers questions about a million files without reading
// a million inventories. It is a file of SQLite (modernc.org/sqlite, no cgo), in WAL mode with
// synchronous=FULL, or a schema of PostgreSQL for several machines: when [Catalogue.Put] returns nil, the data is
// on disk.
package catalogue
