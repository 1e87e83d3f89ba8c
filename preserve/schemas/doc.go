// Package schemas manages the folder of XML schemas for validating packages. It downloads the
// official schemas from their home pages, and compiles them (docs/reference/355_schemas.md).
//
// This package has only the digests of these schemas, not the schemas themselves. Validation does not
// use the network.
package schemas
