// Package schemas is the folder of XML schemas against which packages are validated: it brings the official ones from their home
// pages, and compiles them (docs/schemas.md).
//
//	report, err := schemas.Fetch(ctx, schemas.Options{To: "schemas"})          // each checked against its SHA-256
//	engine, err := schemas.Compile(ctx, "schemas", schemas.Driver)             // METS and all that it wraps, as one set
//	err = engine.Validate(ctx, mets)
//
// Quire carries no schema of others; it carries their digests. Validating asks nothing of the network.
package schemas
