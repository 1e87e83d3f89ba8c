// Package cdxj writes and reads the CDXJ index of one container. A [Maker] observes the pass of
// preserve/inspect and adds a line for each capture. The package keeps these lines in gzip
// (docs/reference/535_capture-index.md, "Lines written by pack"), so that holdings/captures does not
// read a stored container again.
//
// A file belongs to one container: its header states path, size and SHA-512. [Read] returns an
// [UnusableError] for another container.
package cdxj
