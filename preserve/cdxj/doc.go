// Package cdxj makes a line of each capture in a container, in the one pass that copies and inspects it, and reads such lines
// again: who has to know what a stored container holds (holdings/captures) need not read the container for it (docs/capture-index.md,
// "What pack writes down").
//
//	m, err := cdxj.NewMaker(dir)
//	m.Begin()
//	c, err := inspect.Reader(ctx, f, m.Options(inspect.Options{}))
//	header, err := m.Write(out, cdxj.Container{Path: path, Size: c.Bytes, SHA512: c.SHA512}) // CDXJ, in gzip
//
// A file of lines is of exactly one container: its first line names path, size and SHA-512 of that, and [Read] gives no line for another.
package cdxj
