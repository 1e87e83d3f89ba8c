// Package unpack turns the captures of a website into files that open from a disk. Each URL has one
// file, named after the URL alone; links lead from file to file, and dead links are marked
// (docs/reference/570_exports-dspace-eark.md, "Unpacked").
//
// These files load nothing from the web, even if the archive lacks a resource. Only links that a
// reader follows on purpose, to pages that were not captured, keep their original target.
package unpack
