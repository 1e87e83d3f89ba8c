//go:build !purego

package sha1pair

// available reports whether the processor has the instructions.
var available = hasSHA()

func hasSHA() bool

// blocks adds n blocks of 64 bytes at p to a, and n at q to b; n is at least 1.
//
//go:noescape
func blocks(a, b *[5]uint32, p, q *byte, n int)
