// Package ocfl reads, writes and checks the Oxford Common File Layout: the arrangement of files in
// which Quire keeps its packages, so that they can be understood without Quire. It writes OCFL 1.1
// and reads and validates 1.0 and 1.1 (https://ocfl.io/1.1/spec/, https://ocfl.io/1.0/spec/).
//
// An OCFL object is a folder. Its inventory.json says which file holds which bytes (the manifest,
// by digest), and which names those bytes had in each version (the state). A sidecar file beside
// the inventory holds the inventory's own digest. The package only reads what it checks, never
// writes into it, and survives meeting anything at all there: whatever is wrong ends in an [Issue]
// with the code that the specification gives it.
package ocfl
