// Package describe has warcio find the descriptions that quire describe puts into WARC files.
// Python's standard readers of JSON, YAML, XML and fields read them.
package describe
