// Package warcmeta puts a curator's descriptions beside the captures that they are about: as WARC
// metadata records that refer to the record of the website, in a new WARC file or behind the
// records of the file that has it; and reads them back.
//
// A description is known by the record it refers to, the URL and level it is about, and its form.
// Doing the same twice writes nothing; a changed one is added, says which it replaces, and leaves
// that where it is. docs/reference/340_describe.md has the fields.
package warcmeta
