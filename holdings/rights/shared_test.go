package rights

import (
	"runtime"
	"testing"
	"time"

	"quire/model"
	"quire/preserve/statements"
)

func opened(zone model.Zone) []statements.Statement {
	return []statements.Statement{{ID: "RGT-1", Grants: []statements.Grant{{Act: statements.Show, Zone: zone}}}}
}

// TestShared: equal statements, and equal combinations of them, have one result; others have another one.
func TestShared(t *testing.T) {
	s := NewShared(Restricted)
	own := func(zone model.Zone) *Own {
		o, err := s.Own(opened(zone))
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	a, b, c := own(model.Open), own(model.Open), own(model.Onsite)
	if a != b || a == c {
		t.Error("statements are not shared by content")
	}
	z := s.Weigh(a)
	if z != s.Weigh(b) || z == s.Weigh(c) || z == s.Weigh(a, Member{c, "coll", 1}) ||
		s.Weigh(a, Member{c, "coll", 1}) != s.Weigh(b, Member{c, "coll", 1}) ||
		s.Weigh(a, Member{c, "coll", 1}) == s.Weigh(a, Member{c, "coll", 2}) ||
		s.Weigh(a, Member{c, "coll", 1}) == s.Weigh(a, Member{c, "other", 1}) {
		t.Error("zones are not shared by content")
	}
	for _, want := range []struct {
		zones   *Zones
		verdict Verdict
	}{{z, Open}, {s.Weigh(c), OnSite}, {s.Weigh(a, Member{c, "coll", 0}), OnSite}, {s.Weigh(own("")), Restricted}} {
		if got := want.zones.Whole("2026-01-01"); got.Verdict != want.verdict {
			t.Errorf("%+v, want %s", got, want.verdict)
		}
	}
	if _, err := s.Parsed(Sum{1}, func() ([]byte, error) { return []byte("[]"), nil }); err == nil {
		t.Error("statements with another digest are used")
	}
	runtime.KeepAlive(a)
	runtime.KeepAlive(b)
}

// TestSharedForgets: entries without a holder are not kept.
func TestSharedForgets(t *testing.T) {
	s := NewShared(Restricted)
	for i := range 100 {
		o, err := s.Own([]statements.Statement{{ID: "RGT-1", Agent: time.Unix(int64(i), 0).String()}})
		if err != nil {
			t.Fatal(err)
		}
		s.Weigh(o)
	}
	left := func() int {
		s.mu.Lock()
		defer s.mu.Unlock()
		return len(s.sets) + len(s.zones)
	}
	for range 1000 {
		runtime.GC()
		if left() == 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d are left", left())
}
