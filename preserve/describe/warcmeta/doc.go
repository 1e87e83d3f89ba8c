// Package warcmeta writes a curator's descriptions as WARC metadata records that refer to the
// record of the website, in forms that hold everything or in those of catalogues. It writes a new WARC
// file, or appends to the file with the capture. It reads the descriptions back, and those that other
// systems wrote as JSON.
//
// A description is identified by its target record, its URL and level, and its form. A second
// identical run writes nothing. A changed description is added; it names the description that it
// replaces, which stays. docs/reference/340_describe.md lists the fields.
package warcmeta
