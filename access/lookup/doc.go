// Package lookup finds captures for pages about them, within the rights of a reader: the capture of a
// URL at a moment, those before and after it, and the beginning of its content.
//
// Each search examines a bounded number of captures, so its cost does not depend on the archive.
package lookup
