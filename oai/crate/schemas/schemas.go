// Package schemas has the XML schemas of the namespaces that Quire defines for a CRATE, so that a
// server can show them where the documents say that they are.
package schemas

import "embed"

// Files are crate.xsd and http_header.xsd.
//
//go:embed crate.xsd http_header.xsd
var Files embed.FS
