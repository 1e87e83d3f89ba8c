// Package containermd writes and reads containerMD, the Bibliothèque nationale de France's schema
// for containers such as ARC and WARC files (version 1.2, draft of 2016-07-25; 1.1 on request).
//
// In METS it has MDTYPE="OTHER" OTHERMDTYPE="containerMD". A document does not state its version;
// without creatingEnvironment it is valid in both. Sizes have two bases: entriesInformation counts
// entries as stored, compressed, while the WARC record types count Content-Length.
package containermd
