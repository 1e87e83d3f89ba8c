// Package provider answers OAI-PMH 2.0 (http://www.openarchives.org/OAI/openarchivesprotocol.html):
// a net/http handler over whatever has records.
//
// It answers all six verbs by GET and POST, compressed when asked. A list comes in pages that are
// bounded by number and by bytes; a resumption token is all that is needed for the next one: it is
// signed, says where the page ended by datestamp and identifier, and is good for ever, as often as
// wanted. So a page costs the same wherever it lies, nothing is kept between requests, and what is
// added or changed in the middle of a harvest is not missed. docs/reference/580_oai.md describes
// tokens, sets, and what is told of records that fail.
package provider
