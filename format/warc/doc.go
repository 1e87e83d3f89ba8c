// Package warc reads and writes WARC files (ISO 28500): versions 0.17, 0.18, 1.0 and 1.1, with
// every record type. A file can be plain, a series of gzip members (Annex D), one single gzip
// member, or a series of Zstandard frames.
//
// Open or NewReader reads the records one after the other. At reads the record at a given offset.
// Accessors parse the named fields on demand. HTTP, Payload and DecodedPayload read the message in
// the block. Verify compares the record with its digests. The reader is lenient: it continues after
// errors if it can, and reports each error as a fault to Reader.Report. After damage it continues
// at the next record that it finds. Blocks are streamed; memory does not grow with their size.
//
// Create or NewWriter writes records. NewResponse and similar functions make new records; other
// records can be copied. A file never ends in an incomplete record.
package warc
