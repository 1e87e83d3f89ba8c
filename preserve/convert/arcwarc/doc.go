// Package arcwarc converts ARC files to WARC 1.1 (ISO 28500:2017), record by record. The inflated
// ARC can be restored from the WARC, byte for byte.
//
// Nothing is invented: a date, a status line or a content type that the ARC record does not state
// is also absent from its WARC record. Data that WARC has no field for is kept in Quire's own
// fields with names that begin with ARC- (see [FieldLine]).
// docs/explanation/decisions/0008-originals-are-restorable.md describes how a file is restored.
package arcwarc
