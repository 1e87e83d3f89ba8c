// Package premis writes and reads the four entities of PREMIS 3.0 (Preservation Metadata:
// Implementation Strategies, Library of Congress): objects, events, agents and rights. It also
// reads versions 2, and writes 2.2 on request: see [Dialect].
//
// Each entity is a separate element, as METS requires in an mdWrap. Terms of the Library of
// Congress's preservation vocabularies have their URI; other terms are written unchanged.
package premis
