// Package sha1pair computes two SHA-1 digests over the same bytes at once.
//
// A record of a WARC has two digests, of its block and of its payload (ISO 28500:2017, 5.8 and 5.9),
// and most bytes belong to both. The processor's instructions for SHA-1 wait for one another, so two
// digests at once take little more time than one. The digests start at different bytes, so each has
// its own state.
//
// crypto/sha1 does the rest. Without these instructions (other processors, the build tag purego) it
// does everything.
package sha1pair
