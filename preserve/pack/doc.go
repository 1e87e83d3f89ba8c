// Package pack makes a package folder (docs/reference/310_package-format.md) from the files of a
// crawl. It copies the containers and their logs, inspects each container in the pass that copies
// it, and describes everything in METS.
//
// The folder appears at Options.Out only when it is complete.
package pack
