// Package tools compares the output of the built-in tools with the output of ExifTool, pdfinfo,
// siegfried's own program and the checksum tools of coreutils, for the same bytes. It also runs the
// external tools that examples/crate/plugins.yaml configures.
package tools
