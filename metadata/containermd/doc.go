// Package containermd writes and reads containerMD, the Bibliothèque nationale de France's schema
// for containers such as ARC and WARC files (version 1.2, draft of 2016-07-25; 1.1 on request).
//
// In METS, containerMD has MDTYPE="OTHER" OTHERMDTYPE="containerMD". A document does not state its
// version. A document without creatingEnvironment is valid in both versions. The sizes have two
// meanings: entriesInformation has the sizes of entries as stored, compressed. The WARC record
// types have the sizes in Content-Length.
package containermd
