// Package mirror converts sites that crawlers saved as files (HTTrack, wget, PANDAS, a plain
// folder) to WARC 1.1 (ISO 28500:2017).
//
// Nothing is invented: parts of an answer that were not kept (its head, its date, its bytes) are
// absent from the WARC, or are marked as reconstructed. docs/reference/430_mirrors.md describes the
// records and their fields; docs/explanation/decisions/0009-mirrors-become-warc.md has the reasons.
package mirror
