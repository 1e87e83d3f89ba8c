// Package pack makes a package folder (docs/reference/310_package-format.md) of what a crawler left
// behind: it copies the containers and the logs beside them, inspects each container in the pass
// that copies it, and describes the whole in METS.
//
// The folder appears at Options.Out whole or not at all.
package pack
