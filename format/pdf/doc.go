// Package pdf reads the metadata of a PDF (ISO 32000-2) and the text on its pages.
//
// [Read] returns the facts: version, number and size of pages, title, dates, whether it is
// encrypted, linearized or tagged, and the standards to which it claims to conform. A claim of
// PDF/A is not validated. [ReadText] decodes the content of the pages and returns their text in the
// order in which it is drawn.
//
// A document is read in place: its cross-reference tables and streams, and the necessary objects.
// If the tables are damaged, the package searches the file for its objects. Time and memory are
// bounded; facts.go and readtext.go list the bounds.
//
// An encrypted document that opens without a password is read like any other. If a password is
// needed, strings and object streams are not read, and no text is returned.
package pdf
