// Package schemas is the folder of XML schemas against which packages are validated: it brings the
// official ones from their home pages, and compiles them (docs/reference/355_schemas.md).
//
// Quire carries no schema of others; it carries their digests. Validating asks nothing of the
// network.
package schemas
