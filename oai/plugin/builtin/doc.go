// Package builtin has Quire's built-in tools. They compute digests and extract the declarations of
// formats, web pages, pictures, documents and texts. Each is a small independent package, or a few
// lines over one; here they become tools with a label.
//
// The output of a tool depends only on the bytes, their declared media type and charset, and the
// tool's version; so it may be cached. The revision in a version rises whenever the output for the
// same bytes changes.
//
// All reading has limits. If a tool cannot read the bytes, even a hostile file, its output is a
// plugin.Failure with the first bytes. Read errors and errors of the context are returned
// unchanged. docs/reference/600_tools-builtin.md describes each tool.
package builtin
