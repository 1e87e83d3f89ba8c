// Package crate writes and reads CRATEs: web resources that explain themselves (Smith and Nelson,
// IWAW 2007). A CRATE is an MPEG-21 DIDL. It contains the identifier of the resource, its HTTP
// head, the unchanged output of tools, and the bytes. docs/reference/585_crate-format.md describes
// the format; its schemas are in oai/crate/schemas.
//
// The content is best effort: it is unverified, and conflicting statements appear side by side. The
// failure of a tool is recorded as its output. Only the bytes are strict: they are complete, with
// size and digests, or the CRATE states why they are missing.
package crate
