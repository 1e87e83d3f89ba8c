// Package points lets readers enter large records in the middle. A range request for the end of a film then inflates a
// few MiB, not the gigabytes before it.
//
// A file of points belongs to one version of a package. For each record with a long body, it has points of entry into
// the gzip member: the place between two deflate blocks, and the 32 KiB of content before it (the method of zlib's
// example zran.c). It also has a digest for each piece of the body. [Make] computes them in one pass over the record,
// and keeps them only if the whole body has its known digest. So each piece that [File.Enter] returns is verified
// before its first byte leaves.
//
// A record that is not compressed needs no points, only the digests. Zstandard frames cannot be entered: a block may
// refer to all of the window before it, which is often 8 MiB, and to tables of earlier blocks.
//
// The file is derived data: it can be removed at any time, and is made again. All numbers in it are big-endian.
package points
