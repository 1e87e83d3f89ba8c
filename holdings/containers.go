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

// outcomes are the outcomes of virus checks, by number.
var outcomes = []model.ScanOutcome{model.ScanNotDone, model.ScanClean, model.ScanInfected, model.ScanIncomplete}

// seed is another one in each process: so no package can have a path with the hash of another path.
var seed = maphash.MakeSeed()

func hashOf(path string) uint64 { return maphash.String(seed, path) &^ (1<<outcomeBits - 1) }

func newContainers(all []outline.Container) containers {
	if len(all) == 0 {
		return nil
	}
	out := make(containers, len(all))
	for i := range all {
		out[i] = hashOf(all[i].Path) | uint64(max(0, slices.Index(outcomes, all[i].Scan)))
	}
	slices.Sort(out)
	return out
}

// scan returns the outcome for a container; ok is false if the package has none with this path.
func (c containers) scan(path string) (_ model.ScanOutcome, ok bool) {
	hash := hashOf(path)
	i, _ := slices.BinarySearch(c, hash)
	if i == len(c) || c[i]&^(1<<outcomeBits-1) != hash {
		return "", false
	}
	return outcomes[c[i]&(1<<outcomeBits-1)], true
}
