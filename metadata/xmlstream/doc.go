// Package xmlstream writes and reads XML 1.0 (Fifth Edition) with Namespaces 1.0 as a stream, in
// memory that does not grow with the document.
//
// It is the common ground of the packages beside it (METS, PREMIS, MODS, Dublin Core, containerMD).
//
// XML cannot carry every byte a crawler meets. A value with a byte that XML 1.0 clause 2.2 forbids
// is written with U+FFFD in its place and the exact bytes beside it, in a processing instruction;
// [Reader] puts them back. docs/reference/350_xml-escaping.md states the rule.
package xmlstream
