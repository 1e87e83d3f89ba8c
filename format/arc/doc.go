// Package arc reads and writes ARC files, the container of web archives before WARC. It knows
// versions 1.0, 1.1 (XML metadata in the version block) and 2.0 (ten fields). A file may be plain,
// compressed with one gzip member per record, or compressed whole. The package follows "Arc File
// Format", Internet Archive, 15 September 1996. Clauses are cited by the names of its grammar
// (arc_file, version_block, URL-record).
//
// The reader is lenient. It reports wrong lengths, spaces in URLs, missing newlines and damaged
// members as faults, and continues at the next record that it finds. It never holds a whole block
// in memory, whatever length the record states.
package arc
