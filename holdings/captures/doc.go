// Package captures is the only index of captures of a repository. It has the place of each capture,
// and the data that the packing pass found. It has one CDXJ line per capture
// (docs/reference/535_capture-index.md), in sorted files that are searched in place.
//
// Each query sees one state of the index, regardless of concurrent writes:
//
//   - [Index.Captures] returns the captures of a URL, a prefix, a host, a domain, or all;
//     [Index.Counts] counts them by time. With only Query.Packages, it reads just the lines of
//     these packages.
//   - Query.Unlisted returns, in the same ways, the records that are not captures for readers:
//     records without a date or a URL, dns and whois records.
//   - [Index.Holders] returns the records with a payload, by its SHA-1 or SHA-256;
//     [Index.Revisits] returns the revisits that state the digest of this payload.
//   - [Index.Containers] lists the containers, the version of their lines, and the number of
//     records without a line.
//
// Lines come from the files written by packing ([quire/preserve/cdxj]). [Index.Stored] is the
// [Reading] that supplies them to [Index.Add]. It also supplies them to other callers that need all
// lines of one container, of any version of a package.
//
// If a container has such a file of the wanted version, the container is not opened. Any other
// container is read once. Its lines are stored in the folder named made, under the SHA-512 of the
// container. They are kept as long as a version of a package has the container ([Index.Sweep]).
// Lines of version [Readers] are sufficient for readers and lists of records, including undated
// records. Exact dates, flaws, framing, dns and whois need version [Full].
//
// Several processes may use one index. A writer waits for other writers, and then includes their
// changes. Without write permission, the existing index is read.
//
// The index makes no access decisions: package holdings makes them.
package captures
