// Package export hands packages out in the forms that readers, other repositories and tools take:
// WACZ, WARC, a mirror that opens from disk, BagIt, and (in the packages below it) those of DSpace,
// E-ARK and METS (docs/reference/565_exports.md).
//
// What a reader may not have is not in it. A format asks its Source for the package, which is as
// the class of readers that it is for may see it; it writes to an Output, which digests. What was
// kept back and why is a list beside what is handed out (KeptBackName), and the whole is an event
// of the package. Nothing appears before it is whole.
package export
