// Package crate writes and reads CRATEs: web resources that explain themselves (Smith and Nelson,
// IWAW 2007). A CRATE is a DIDL of MPEG-21 with the identifier of the resource, the HTTP head it
// was served with, what tools had to say of it, as they said it, and its bytes.
// docs/reference/585_crate-format.md describes it, and the schemas in oai/crate/schemas.
//
// What is in it is best effort: not verified, conflicts side by side; and that a tool failed is
// what it has to say. The bytes alone are strict: they are whole, with their size and digests, or
// the CRATE says why they are not there.
package crate
