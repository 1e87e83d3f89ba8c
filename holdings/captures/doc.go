// Package captures is the only index of captures of a repository: the place of each capture, and
// the data that the packing pass found. It has one CDXJ line per capture
// (docs/reference/535_capture-index.md), in sorted files that are searched in place.
//
// Each query sees one state of the index, regardless of concurrent writes:
//
//   - [Index.Captures] returns the captures of a URL, a prefix, a host, a domain, or all;
//     [Index.Counts] counts them by time. With only Query.Packages, it reads just the lines of
//     these packages.
//   - Query.Unlisted returns, in the same ways, the records that are not captures for readers:
//     without a date or a URL, dns and whois.
//   - [Index.Holders] returns the records with a payload, by its SHA-1 or SHA-256;
//     [Index.Revisits] returns the revisits that state its digest.
//   - [Index.Containers] lists the containers, the version of their lines, and the number of
//     records without a line.
//
// Lines come from the files written by packing ([quire/preserve/cdxj]). [Index.Stored] is the
// [Reading] that supplies them to [Index.Add], and to other callers that need all lines of one
// container, of any version of a package.
//
// A container with such a file of the wanted version is not opened. Any other is read once: its
// lines are stored in the folder made, by its SHA-512, while a version of a package has it
// ([Index.Sweep]). Lines of version [Readers] suffice for readers and lists of records, including
// undated ones; exact dates, flaws, framing, dns and whois need [Full].
//
// Several processes may use one index. A writer waits for other writers, and then includes their
// changes. Without write permission, the existing index is read.
//
// The index makes no access decisions: package holdings does.
package captures
