// Package cdxj writes and reads the CDXJ index of one container. A [Maker] observes the pass of
// preserve/inspect and adds a line for each capture. The package keeps these lines in gzip
// (docs/reference/535_capture-index.md, "What pack writes down"), so that holdings/captures does
// not read a stored container again.
package cdxj
