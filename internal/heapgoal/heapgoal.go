// Package heapgoal lets the garbage collector run less often while the heap is small.
//
// Go collects when the heap has doubled. Most of Quire's passes hold some twenty megabytes, and make
// as much garbage with every few hundred records: half of the collections are saved at no risk for
// the memory. A heap that is large already still doubles at most.
package heapgoal

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// Goal is the size up to which a heap may grow between two collections, in bytes.
const Goal = 64 << 20

// The limits of the growth between two collections, in percent of what is in use.
const (
	usual = 100 // Go's default
	most  = 400
)

// Set makes the collector follow the Goal, from now on. If the environment has GOGC or GOMEMLIMIT,
// their settings stay.
func Set() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(most)
	watch(&sentinel{})
}

// sentinel is an object without references: each collection finds it. Its pointer keeps Go from
// putting it together with other small objects.
type sentinel struct{ _ *byte }

// watch adapts the growth after each collection.
func watch(s *sentinel) {
	runtime.SetFinalizer(s, func(s *sentinel) {
		debug.SetGCPercent(percent(live()))
		watch(s)
	})
}

// live returns the bytes that the last collection found in use.
func live() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return Goal
	}
	return sample[0].Value.Uint64()
}

// percent returns the growth by which a heap in use reaches the Goal.
func percent(live uint64) int {
	if live >= Goal {
		return usual
	}
	return int(min(most, max(usual, (Goal-live)*100/max(live, 1)))) //nolint:gosec // at most 400
}
