// Package warcbuild has the common parts of all writers of WARC files: a block that waits until its
// digests are known, record ids that are made of content, and values that a header can carry.
package warcbuild
