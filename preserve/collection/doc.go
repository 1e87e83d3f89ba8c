// Package collection makes and checks collections in the sense of OAIS (an archival information
// collection): a METS that names harvests which belong together, with their description and rights,
// and lists the containers that each is expected to have. The packages lie elsewhere, and know
// nothing of it.
//
// docs/reference/320_collections.md specifies both the file and the METS.
package collection
