// Package warc reads and writes WARC files (ISO 28500): versions 0.17, 0.18, 1.0 and 1.1, every
// record type, plain, as gzip members (Annex D), as one whole gzip file, or as Zstandard frames.
//
// The reader is lenient: it forgives what it can, tells each thing as a fault to Reader.Report, and
// after damage goes on at the next record it can find. Blocks are streamed; memory does not grow
// with their size.
package warc
