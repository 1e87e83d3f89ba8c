// Package dspace has DSpace's own importers (dspace-api on Maven Central: ItemImportServiceImpl,
// METSManifest) read what quire export makes for DSpace of real crawls. There is no DSpace behind
// them: services that only write down what they are asked for stand in for it.
//
//	bash interop/run dspace
package dspace
