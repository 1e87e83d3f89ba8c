// Package archive hands out what a repository holds: each bytestream that was captured is a
// resource, whose record has for its identifier the URL with the date of the capture, and for its
// datestamp the time at which the repository took it in (docs/operations/865_oai-repository.md).
//
// What is there is kept in an index, a cache: it follows the holdings, opens no container for what
// the index of captures has, and can be made again. Package holdings decides what harvesters get,
// at the moment of asking.
package archive
