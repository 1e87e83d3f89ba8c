package holdings

import (
	"hash/maphash"
	"slices"

	"quire/holdings/outline"
	"quire/model"
)

// containers are the paths of a package's containers and the outcomes of their virus checks, in eight bytes each: a
// hash, and below it the number of the outcome. They are sorted.
type containers []uint64

// outcomeBits is the room for the number of an outcome.
const outcomeBits = 3

// outcomes are the outcomes of virus checks, by number, as containers without rights of their own.
var outcomes = []outline.Container{{Scan: model.ScanNotDone}, {Scan: model.ScanClean}, {Scan: model.ScanInfected},
	{Scan: model.ScanIncomplete}}

// seed is another one in each process: so no package can have a path with the hash of another path.
var seed = maphash.MakeSeed()

func hashOf(path string) uint64 { return maphash.String(seed, path) &^ (1<<outcomeBits - 1) }

func newContainers(all []outline.Container) containers {
	if len(all) == 0 {
		return nil
	}
	out := make(containers, len(all))
	for i := range all {
		n := slices.IndexFunc(outcomes, func(c outline.Container) bool { return c.Scan == all[i].Scan })
		out[i] = hashOf(all[i].Path) | uint64(max(0, n))
	}
	slices.Sort(out)
	return out
}

// plain returns a container with the outcome of the one with a path; nil if the package has none with this path.
func (c containers) plain(path string) *outline.Container {
	hash := hashOf(path)
	i, _ := slices.BinarySearch(c, hash)
	if i == len(c) || c[i]&^(1<<outcomeBits-1) != hash {
		return nil
	}
	return &outcomes[c[i]&(1<<outcomeBits-1)]
}
