// Package packages lets tools that are not ours judge what the main job makes of real crawls:
// xmllint the METS, sha512sum the sidecar, diff the export, and ocfl-go every stored copy.
//
//	bash interop/run packages
package packages
