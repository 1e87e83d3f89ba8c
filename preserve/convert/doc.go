// Package convert makes WARC of whatever a source holds: each ARC becomes a WARC
// (preserve/convert/arcwarc), each mirror becomes one (preserve/convert/mirror), what is a WARC
// already is copied as it is. docs/reference/435_convert.md tells what becomes of what.
//
// The same source gives the same bytes each time, so that results can be compared.
package convert
