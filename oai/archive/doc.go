// Package archive serves the captures of a repository by OAI-PMH. Each captured bytestream is a
// resource. Its record's identifier is the URL with the date of the capture; its datestamp is the
// time of the ingest into the repository (docs/operations/865_oai-repository.md).
//
// The index of records is a cache: it follows the holdings, reads captures from the CDXJ index
// without opening containers, and can be rebuilt. Package holdings decides at the time of each
// request which records a harvester gets.
package archive
