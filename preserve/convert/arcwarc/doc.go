// Package arcwarc turns ARC files into WARC 1.1 (ISO 28500:2017), one to one, so that the ARC can
// be made again from the WARC, byte for byte after decompression.
//
// Nothing is invented: what an ARC record does not say (a date, a status line, a content type) its
// WARC record does not say either, and what WARC has no place for stands in fields of our own,
// whose names begin with ARC- (see [FieldLine]). How a restored file comes about is described in
// docs/explanation/decisions/0008-originals-are-restorable.md.
package arcwarc
