// Package warc reads and writes WARC files (ISO 28500): versions 0.17, 0.18, 1.0 and 1.1, every
// record type, plain, as gzip members (Annex D), as one whole gzip file, or as Zstandard frames.
//
// Open or NewReader reads the records one after the other, At reads one where it lies. Accessors
// parse the named fields on demand; HTTP, Payload and DecodedPayload read the message in the block,
// and Verify compares it with its digests. The reader is lenient: it forgives what it can, reports
// each thing as a fault to Reader.Report, and after damage goes on at the next record it can find.
// Blocks are streamed; memory does not grow with their size.
//
// Create or NewWriter writes records that are made by NewResponse and the functions beside it, or
// copied. A file never ends in half a record.
package warc
