// Package profiles has the XML schemas of what is Quire's own in the documents it hands out, so that a server can show them where the
// documents say that they are.
package profiles

import "embed"

// Schemas are crate.xsd and http_header.xsd.
//
//go:embed crate.xsd http_header.xsd
var Schemas embed.FS
