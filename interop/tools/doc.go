// Package tools compares what the built-in tools say with what ExifTool, pdfinfo, siegfried's own
// program and the sums of coreutils say of the same bytes; and it runs the tools of others that
// examples/crate/plugins.yaml configures.
package tools
