// Package held keeps the block of a record, in memory and then on disk, until its length and its
// digests are known: they stand before it in the file.
package held
