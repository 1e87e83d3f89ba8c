// Package describe lets warcio find the descriptions that quire describe puts into WARC files, and
// Python's own readers of JSON, YAML, XML and fields read them.
package describe
