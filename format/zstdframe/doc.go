// Package zstdframe reads and writes Zstandard files frame by frame (RFC 8878) and reports the
// exact place of each frame. A .warc.zst holds one frame per record. It may begin with a skippable
// frame that holds the dictionary for the others (IIPC, "WARC file compression with Zstandard").
package zstdframe
