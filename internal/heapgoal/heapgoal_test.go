package heapgoal

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestPercent(t *testing.T) {
	for live, want := range map[uint64]int{0: 400, 10 << 20: 400, Goal / 4: 300, Goal / 2: 100, Goal: 100, 1 << 40: 100} {
		if got := percent(live); got != want {
			t.Errorf("%d bytes in use: %d percent, want %d", live, got, want)
		}
	}
}

// TestTheGrowthFollowsTheHeap checks that each collection sets the growth anew.
func TestTheGrowthFollowsTheHeap(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	before := debug.SetGCPercent(usual)
	defer debug.SetGCPercent(before)
	Set()
	large := make([]byte, 2*Goal)
	await(t, usual)
	runtime.KeepAlive(large)
	large = nil
	_ = large
	await(t, most)
}

// await collects until the growth is as wanted: a finalizer sets it, some time after its collection.
func await(t *testing.T, want int) {
	t.Helper()
	for range 1000 {
		runtime.GC()
		got := debug.SetGCPercent(want)
		if got == want {
			return
		}
		debug.SetGCPercent(got)
		time.Sleep(time.Millisecond)
	}
	t.Errorf("the growth never becomes %d percent", want)
}

func TestTheEnvironmentDecides(t *testing.T) {
	t.Setenv("GOGC", "150")
	before := debug.SetGCPercent(150)
	defer debug.SetGCPercent(before)
	Set()
	if got := debug.SetGCPercent(150); got != 150 {
		t.Errorf("%d percent, though GOGC says 150", got)
	}
}
