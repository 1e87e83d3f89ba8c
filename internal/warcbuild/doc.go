// Package warcbuild holds what all have in common that write WARC files: a block that waits until its digests are known, record ids
// that are made of content, and values that a header can carry.
package warcbuild
