// Package dc writes and reads simple Dublin Core (the fifteen elements of ISO 15836-1) as the
// element oai_dc:dc of the Open Archives Initiative. METS and OAI-PMH both embed that element.
//
// Elements may come in any order and any number of times; the order is kept.
package dc
