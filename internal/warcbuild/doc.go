// Package warcbuild has the common parts of all WARC writers: a block held until its digests are
// known, record ids derived from content, and valid header values.
package warcbuild
