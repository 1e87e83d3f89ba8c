// Package ocfl reads, writes and checks the Oxford Common File Layout. Quire stores its packages in
// this layout, so other programs can read them too. The package writes OCFL 1.1; it reads and
// validates 1.0 and 1.1 (https://ocfl.io/1.1/spec/, https://ocfl.io/1.0/spec/).
//
// An OCFL object is a folder. Its inventory.json maps digests to files (the manifest), and the file
// names of each version to digests (the state). A sidecar file beside the inventory holds the
// inventory's own digest. Checks only read, never write, and expect hostile content: every fault
// becomes an [Issue] with its code from the specification.
package ocfl
