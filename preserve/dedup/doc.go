// Package dedup writes WARC files again without duplicates. A revisit record (ISO 28500:2017,
// 6.7.2, profile identical-payload-digest) replaces each record with a payload that was captured
// earlier and is stored elsewhere. The package also restores the full records, byte for byte.
//
// Digests in headers decide nothing: digests are computed from the bytes. A record stays unchanged
// if it is incomplete, differs from its own digests, or could not be restored; the report states
// the reason. docs/reference/445_dedup.md lists the rules, and docs/explanation/decisions/0010
// gives the reasons.
package dedup
