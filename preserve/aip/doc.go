// Package aip knows archival packages as folders: their layout, what they say of themselves, and
// whether that is true. docs/reference/310_package-format.md is the standard; the clauses named
// here are its clauses.
//
// Both read the METS as a stream. Neither opens a file that the METS names outside the folder.
package aip
