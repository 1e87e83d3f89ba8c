// Package records reads the records of a container in one and the same way, whether it is an ARC or
// a WARC, for the readers of sources: metadata files of NetarchiveSuite, the first record that
// names the crawler, the dates of bare containers.
//
// It judges nothing: what is wrong with a container is told where containers are inspected
// (preserve/inspect), which is also the only place where a whole container of content is read.
package records
