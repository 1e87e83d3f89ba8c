package heapgoal

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestLimit(t *testing.T) {
	for live, want := range map[int64]int64{0: Goal, Goal / 4: Goal, Goal: 2*Goal + beside,
		Goal * 5 / 4: 2*Goal + beside, 3 << 40: 4<<40 + beside} {
		if got := limit(live, false); got != want {
			t.Errorf("%d bytes in use: a limit of %d, want %d", live, got, want)
		}
	}
	for live, want := range map[int64]int64{0: Goal, Goal / 4: Goal, Goal: Goal + room + beside,
		3 * Goal / 2: 3*Goal/2 + room + beside, 3 << 40: 4<<40 + beside} {
		if got := limit(live, true); got != want {
			t.Errorf("%d bytes in use in a service: a limit of %d, want %d", live, got, want)
		}
	}
}

// keep restores the settings after a test.
func keep(t *testing.T) {
	percent, bytes := debug.SetGCPercent(100), debug.SetMemoryLimit(math.MaxInt64)
	t.Cleanup(func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(bytes)
	})
}

// TestTheLimitFollowsTheHeap checks that a large heap can grow, and that the limit falls again.
func TestTheLimitFollowsTheHeap(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	keep(t)
	Set()
	large := make([]byte, 2*Goal)
	await(t, func(limit int64) bool { return limit >= 2*Goal*4/3 })
	runtime.KeepAlive(large)
	await(t, func(limit int64) bool { return limit == Goal })
}

// await collects until the limit is as wanted: a finalizer sets it, some time after its collection.
func await(t *testing.T, wanted func(int64) bool) {
	t.Helper()
	for range 2000 {
		runtime.GC()
		if wanted(debug.SetMemoryLimit(-1)) {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("the limit stays at %d", debug.SetMemoryLimit(-1))
}

func TestTheEnvironmentDecides(t *testing.T) {
	t.Setenv("GOGC", "150")
	keep(t)
	Set()
	if got := debug.SetMemoryLimit(-1); got != math.MaxInt64 {
		t.Errorf("a limit of %d, though GOGC is set", got)
	}
}
