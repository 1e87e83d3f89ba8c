// Package export exports packages for readers, other repositories and tools: as WACZ, WARC, a
// mirror that opens from disk, BagIt, and (in the packages below) for DSpace, E-ARK and METS
// (docs/reference/565_exports.md).
//
// An export omits content closed to its class of readers. A format reads the package from its
// Source, which shows it as that class may see it; it writes to an Output, which computes digests.
// A list of withheld content, with reasons, accompanies the export (WithheldName). The export is
// recorded as an event of the package. Nothing appears at the destination before it is complete.
package export
