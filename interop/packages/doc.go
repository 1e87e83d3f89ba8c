// Package packages checks packages of real crawls, made by the main job, with independent tools:
// the METS with xmllint, the sidecar with sha512sum, the export with diff, and every stored copy
// with ocfl-go.
//
//	bash interop/run packages
package packages
