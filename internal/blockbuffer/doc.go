// Package blockbuffer keeps the block of a record, in memory and then on disk, until its length and its
// digests are known: both precede the block in the file.
package blockbuffer
