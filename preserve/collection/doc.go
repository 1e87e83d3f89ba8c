// Package collection makes and checks collections as OAIS defines them (archival information
// collections). A collection is a METS that names related harvests, with their description and
// rights, and lists the expected containers of each. The packages are stored elsewhere, and do not
// refer to the collection.
//
// docs/reference/320_collections.md specifies both the file and the METS.
package collection
