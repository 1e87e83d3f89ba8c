// Package schemas has the XML schemas of Quire's own namespaces in a CRATE, for servers to serve at
// the URLs in the documents.
package schemas

import "embed"

// Files holds crate.xsd and http_header.xsd.
//
//go:embed crate.xsd http_header.xsd
var Files embed.FS
