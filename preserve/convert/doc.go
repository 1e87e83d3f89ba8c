// Package convert makes WARC of whatever a source holds: each ARC becomes a WARC (preserve/convert/arcwarc), each mirror becomes one
// (preserve/convert/mirror), what is a WARC already is copied as it is. docs/convert.md tells what becomes of what.
//
//	s, err := detect.Open(ctx, "delivery/")
//	result, err := convert.Run(ctx, s, convert.Options{Out: "warcs", Agent: agent, Report: account})
//
//	plan, err := convert.Make(ctx, s)       // or step by step, as preserve/pack does
//	c, err := convert.ARC(ctx, file, name, modified, out, convert.FileOptions{Software: "Quire 1"})
//	proof, err := convert.Prove(ctx, path, c) // is the ARC still in the WARC on the disk?
//
// The same source gives the same bytes each time, so that results can be compared.
package convert
