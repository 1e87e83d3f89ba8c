// Package statements knows who may see which part of a package, from when on, and who says so: what
// the Web Curator Tool and PANDAS recorded, and what an institution says in a small YAML file
// (docs/reference/325_rights.md). It writes that as premis:rights, reads it back from the METS of a
// package, and decides. Where two speak, the stricter holds.
package statements
