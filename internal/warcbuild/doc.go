// Package warcbuild has the common parts of all WARC writers: record ids derived from
// content, valid header values, and WARC files of conversion records.
package warcbuild
