// Package normalize makes WARC of whatever a source holds: each ARC becomes a WARC, each mirror becomes one, what is a WARC
// already is copied as it is.
package normalize
