// Package describe makes of a curator's sheet the descriptions that catalogues and finding aids
// take: Dublin Core, MODS, MARC 21 and EAD, with a report of all that a target cannot hold.
//
// docs/reference/340_describe.md tells how sheets are read, docs/reference/335_crosswalks.md where
// each element goes; the tables there are made of the rules here.
package describe
