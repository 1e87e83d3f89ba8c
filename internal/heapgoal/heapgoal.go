// Package heapgoal lets the garbage collector run less often while memory is small.
//
// Go collects when the heap has doubled. Most of Quire's passes hold some twenty megabytes, and make
// as much garbage with every few hundred records. Half of the collections are saved at no risk for
// the memory. A heap that is large already grows by less, because its memory counts for more than the
// time of the collections. A service gets a fixed room, or a third if that is more: it makes
// garbage with each request, for months.
package heapgoal

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// Goal is the memory of the process up to which collections can wait, in bytes.
const Goal = 80 << 20

// growth is how far the heap may grow between two collections below the Goal, in percent.
const growth = 400

// beside is the memory of the runtime beside the heap, in bytes.
const beside = 10 << 20

// Set makes the collector follow the Goal, from now on. If the environment has GOGC or GOMEMLIMIT,
// their settings stay.
func Set() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetMemoryLimit(Goal)
	debug.SetGCPercent(growth)
	watch(&sentinel{})
}

// service is set for a process that serves requests.
var service atomic.Bool

// room is how far the heap of a service may grow at least between two collections, in bytes. It does not grow with
// the heap: each further package in memory would otherwise count twice.
const room = Goal / 2

// Service gives a large heap the room of a service between two collections, from the next one on.
func Service() { service.Store(true) }

// sentinel is an object without references: each collection finds it. Its pointer keeps Go from
// putting it together with other small objects.
type sentinel struct{ _ *byte }

// watch adapts the limit after each collection.
func watch(s *sentinel) {
	runtime.SetFinalizer(s, func(s *sentinel) {
		debug.SetMemoryLimit(limit(live(), service.Load()))
		watch(s)
	})
}

// live returns the bytes that the last collection found in use.
func live() int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return Goal
	}
	return int64(sample[0].Value.Uint64()) //nolint:gosec // less than the memory of any machine
}

// limit returns the limit for a heap in use. It can reach the Goal, or double up to twice the Goal, or grow
// by a third. That of a service can reach the Goal, or grow by its room or a third.
func limit(live int64, service bool) int64 {
	if service {
		return max(Goal, live+max(room, live/3)+beside)
	}
	return max(Goal, min(2*live, max(2*Goal, live+live/3))+beside)
}
