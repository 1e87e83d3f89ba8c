// Package register keeps a signed, append-only record of the objects, versions and events of a
// repository: a Merkle log. A copy that lost an event, went back to an older state, or holds a
// forged version differs from the register. The files follow c2sp.org/tlog-tiles and
// c2sp.org/tlog-checkpoint, so other programs can read them; docs/reference/370_register.md
// describes each byte.
//
// The register holds salted digests only: no identifiers, URLs or titles. [Create] and [Open]
// return its [Writer], [CatchUp] brings a copy of the register up to date, [Verify] reads one copy
// in full, and [Compare] compares copies. [CheckObject] compares one object with its leaves.
//
// The package takes no locks: the caller lets only one process write at a time.
package register
