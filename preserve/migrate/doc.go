// Package migrate makes, of bytestreams of a package that are in an old format, others in a format
// of today: as conversion records (ISO 28500:2017, 6.8) in a WARC that is added, and as a second
// manifestation in the METS. The package that is read stays as it is; the result is a new one, with
// all files of the old one.
//
// A package is read twice at most: once copied, checked against its METS, and asked which records
// have the format; then those containers that have some. docs/reference/450_migrate.md says what is
// written, and why.
package migrate
