// Package warc reads and writes WARC files (ISO 28500): versions 0.17, 0.18, 1.0 and 1.1, every
// record type, plain, as gzip members (Annex D), as one whole gzip file, or as Zstandard frames.
//
// The reader is lenient: it accepts as much as it can, reports each breach as a fault to
// Reader.Report, and after damage continues at the next record that it finds. Blocks are streamed;
// memory does not grow with their size.
package warc
