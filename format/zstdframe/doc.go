// Package zstdframe reads and writes Zstandard files frame by frame (RFC 8878), knowing the exact
// place of each frame in the file. A .warc.zst holds one frame per record, and may begin with a
// skippable frame that holds the dictionary the others need (IIPC, "WARC file compression with
// Zstandard").
package zstdframe
