// Package arcwarc turns ARC files into WARC 1.1 (ISO 28500:2017), one to one, so that the ARC can be made again from the WARC,
// byte for byte after decompression.
//
//	report, err := arcwarc.Convert(ctx, arcFile, warcFile, arcwarc.Options{Name: "a.arc.gz", Software: "Quire/1.0", Date: now})
//	proof, err := arcwarc.Verify(ctx, arcFile, warcFile) // compares the two, record by record
//	restored, err := arcwarc.Restore(ctx, warcFile, out)   // writes the inflated ARC
//
// Nothing is invented: what an ARC record does not say (a date, a status line, a content type) its WARC record does not say
// either, and what WARC has no place for stands in fields of our own, whose names begin with ARC- (see [FieldLine]). How a
// restored file comes about is described in docs/decisions/0008-originals-are-restorable.md.
package arcwarc
