// Package xmlstream writes and reads XML 1.0 (Fifth Edition) with Namespaces 1.0 as a stream, in
// memory that does not grow with the document.
//
// The other metadata packages (METS, PREMIS, MODS, Dublin Core, containerMD) are built on it.
//
// XML cannot carry every byte that a crawler stores. If a value has a byte that XML 1.0 clause 2.2
// forbids, U+FFFD replaces it, and a processing instruction keeps the exact bytes. [Reader]
// restores them. docs/reference/350_xml-escaping.md states the rule.
package xmlstream
