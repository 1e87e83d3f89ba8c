// Package tools compares the output of the built-in tools with the output of ExifTool, pdfinfo,
// siegfried's own program and the checksum tools of coreutils, for the same bytes. It also runs the
// external tools that examples/crate/plugins.yaml configures, and judges files by those of
// examples/policy/producers.yaml.
package tools
