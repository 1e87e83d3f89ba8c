// Package describe converts a curator's sheet to descriptions for catalogues and finding aids:
// Dublin Core, MODS, MARC 21 and EAD. It reports everything that a target cannot hold.
//
// docs/reference/340_describe.md describes how sheets are read, and
// docs/reference/335_crosswalks.md the mapping of each element. Its tables are generated from the
// rules here.
package describe
