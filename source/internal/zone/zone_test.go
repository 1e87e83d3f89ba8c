package zone

import (
	"testing"
	"time"
)

var local = time.Date(2018, 2, 2, 15, 27, 21, 0, time.UTC)

// TestVotes checks that the majority of the pairs determines the zone, and that only pairs near a
// quarter of an hour count.
func TestVotes(t *testing.T) {
	var v Votes
	for _, d := range []time.Duration{5*time.Hour + 30*time.Minute, 5*time.Hour + 30*time.Minute + 20*time.Second,
		9 * time.Hour, 7 * time.Minute, 20 * time.Hour} {
		v.Add(local, local.Add(-d))
	}
	v.Add(time.Time{}, local)
	if z := v.Zone("pairs"); z.Ahead != 5*time.Hour+30*time.Minute || z.Why != "pairs" {
		t.Errorf("two of three say %v by %q", z.Ahead, z.Why)
	}
	v.Add(local, local.Add(-9*time.Hour))
	if z := v.Zone("pairs"); z.Why != "" {
		t.Errorf("half against half say %v", z.Ahead)
	}
}

func TestBetween(t *testing.T) {
	if z := Between(local, local.Add(10*time.Hour+3*time.Second), "file"); z.Ahead != -10*time.Hour || z.Why != "file" {
		t.Errorf("%v by %q", z.Ahead, z.Why)
	}
	if z := Between(local, local.Add(7*time.Minute), "file"); z.Why != "" {
		t.Errorf("copied seven minutes later, it says %v", z.Ahead)
	}
}
