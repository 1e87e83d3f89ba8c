// Package convert converts the content of a source to WARC. Each ARC becomes a WARC
// (preserve/convert/arcwarc), each mirror becomes one (preserve/convert/mirror), and a WARC is
// copied unchanged. docs/reference/435_convert.md lists the results.
//
// The same source gives the same bytes each time, so results can be compared.
package convert
