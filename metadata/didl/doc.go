// Package didl writes and reads Digital Item Declarations of MPEG-21 (DIDL, ISO/IEC 21000-2:2005,
// second edition), and the identifiers in them (DII, ISO/IEC 21000-3). It streams: Base64 bytes are
// copied from a reader into the document, and from the document into a writer.
//
// Several resources of one component are the same bits, such as by value and by reference. [Read]
// also accepts documents of other tools and of the first edition, and reports the elements that it
// does not return.
package didl
