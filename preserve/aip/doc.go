// Package aip reads archival packages as folders: it describes and validates them.
// docs/reference/310_package-format.md is the standard; clauses named here are its clauses.
//
// Both read the METS as a stream. Neither opens a file that the METS names outside the folder.
package aip
