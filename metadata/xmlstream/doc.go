// Package xmlstream writes and reads XML 1.0 (Fifth Edition) with Namespaces 1.0 as a stream, in
// memory that does not grow with the document.
//
// The other metadata packages (METS, PREMIS, MODS, Dublin Core, containerMD) are built on it.
//
// [Reader] has a scanner of its own, because encoding/xml reads byte by byte and builds every value.
// The scanner reads a window of the document, and builds only the values that the caller reads. The tests compare
// it with encoding/xml: it accepts and refuses the same documents at the same places, and reads the
// same from them. Of a document type declaration it names the beginning.
//
// XML cannot carry every byte that a crawler stores. If a value has a byte that XML 1.0 clause 2.2
// forbids, U+FFFD replaces it, and a processing instruction keeps the exact bytes. [Reader]
// restores them. docs/reference/350_xml-escaping.md states the rule.
package xmlstream
