// Package didl writes and reads Digital Item Declarations of MPEG-21 (DIDL, ISO/IEC 21000-2:2005,
// second edition), and the identifiers in them (DII, ISO/IEC 21000-3), as streams: bytes in Base64
// go from a reader into the document, and out of it into a writer.
//
// Several resources of one component are the same bits: by value and by reference, say. [Read]
// takes documents of others too, those of the first edition included, and tells of what it does not
// hand out.
package didl
