// Package records reads the records of ARC and WARC containers in one way, for the readers of
// sources. They use it for metadata files of NetarchiveSuite, for the first record that names the
// crawler, and for the dates of bare containers.
//
// It reports no faults of a container; inspection (preserve/inspect) does. Only inspection reads
// whole containers of content.
package records
