// Package arc reads and writes ARC files, in which web archives kept their captures before WARC:
// versions 1.0, 1.1 (XML metadata in the version block) and 2.0 (ten fields), plain, with one gzip
// member a record, or compressed whole. It follows "Arc File Format", Internet Archive, 15
// September 1996; clauses are cited by the names of its grammar (arc_file, version_block,
// URL-record).
//
// The reader is lenient: wrong lengths, spaces in URLs, missing newlines and damaged members are
// told as faults, and reading goes on at the next record that can be found. Blocks are never held
// in memory, whatever length they claim.
//
// Open or NewReader reads the records one after the other, At reads one where it lies. HTTP,
// Payload and DecodedPayload read the message in the block. Create writes files that never end in
// half a record.
package arc
