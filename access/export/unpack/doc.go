// Package unpack makes of the captures of a website files that open from a disk: each URL has one
// file, whose name is told by the URL alone, links lead from file to file, and what leads nowhere
// any more is marked (docs/reference/570_exports-dspace-eark.md, "Unpacked").
//
// Nothing that opens such a file is asked to fetch anything from the web: what the archive does not
// have is not loaded from elsewhere. Only links that a reader follows on purpose, and that lead to
// what was not captured, still say where they led.
package unpack
