// Package premis writes and reads the four entities of PREMIS 3.0 (Preservation Metadata:
// Implementation Strategies, Library of Congress): objects, events, agents and rights. It reads
// versions 2 too, and writes 2.2 on request: see [Dialect].
//
// Each entity is an element of its own, as METS wants it in an mdWrap. Terms of the Library of
// Congress's preservation vocabularies carry their URI; other terms are written as they are.
package premis
