// Package dspace has DSpace's own importers read the exports that quire export makes for DSpace
// from real crawls. The importers are in dspace-api on Maven Central: ItemImportServiceImpl,
// METSManifest. No DSpace runs behind them: stub services record their calls.
//
//	bash interop/run dspace
package dspace
