// Package migrate converts bytestreams of a package from old formats to current formats. The
// results are conversion records (ISO 28500:2017, 6.8) in an additional WARC, and a second
// manifestation in the METS. The original package stays unchanged. The result is a new package,
// which contains all files of the original package.
//
// The package is read at most twice. First all files are copied, compared with the METS, and
// searched for records with the format. Then the containers with such records are read again.
// docs/reference/450_migrate.md describes the output and the reasons.
package migrate
