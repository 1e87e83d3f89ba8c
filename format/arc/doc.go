// Package arc reads and writes ARC files, the format of web archives before WARC. It supports
// versions 1.0, 1.1 (XML metadata in the version block) and 2.0 (ten fields). Files can be plain,
// have one gzip member per record, or be compressed as a whole. It follows "Arc File Format",
// Internet Archive, 15 September 1996. Clauses are cited by the names of its grammar (arc_file,
// version_block, URL-record).
//
// The reader is lenient. It reports wrong lengths, spaces in URLs, missing newlines and damaged
// members as faults, and continues at the next record that it can find. Blocks are never held in
// memory, whatever length they claim.
//
// Open or NewReader reads the records one after the other. At reads one record at a given offset.
// HTTP, Payload and DecodedPayload read the message in the block. Create writes files that never
// end with an incomplete record.
package arc
