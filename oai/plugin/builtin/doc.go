// Package builtin has the tools that are in Quire itself: digests, and what formats, web pages,
// pictures, documents and texts tell of themselves. Each is a small package that can be used alone,
// or a few lines over one of the house; here they are tools with a label.
//
// What a tool says depends on the bytes, on the media type and charset that are declared of them,
// on the tool's version and on nothing else: so it may be kept. The revision in a version is raised
// whenever the same bytes would get another answer.
//
// Everything is read within bounds. What a tool cannot read is a plugin.Failure that says what the
// bytes begin with; so is whatever a hostile file makes of it. Errors of reading, and those of the
// context, are returned as they are. docs/reference/600_tools-builtin.md describes each tool.
package builtin
