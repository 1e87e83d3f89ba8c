package register

import (
	"testing"
)

// TestObject compares an object with its leaves, after each kind of forgery.
func TestObject(t *testing.T) {
	salt := NewSalt()
	id := salt.Object("urn:x:1")
	inventories := [][64]byte{{1}, {2}}
	files := []string{"one", "two", "three"}
	history := func(more ...Leaf) *History {
		h := &History{}
		for i, sum := range inventories {
			h.Add(int64(i), Version{Object: id, Number: uint32(i + 1), Inventory: salt.Inventory(sum)})
		}
		for i, file := range files {
			h.Add(int64(10+i), Event{Object: id, File: salt.Event([]byte(file)), Type: "ingestion"})
		}
		for i, l := range more {
			h.Add(int64(20+i), l)
		}
		return h
	}
	found := func(edit func(f *Found)) Found {
		f := Found{Versions: map[uint32]Digest{}, Events: map[Digest]string{}}
		for i, sum := range inventories {
			f.Versions[uint32(i+1)] = salt.Inventory(sum)
		}
		for _, file := range files {
			f.Events[salt.Event([]byte(file))] = file + ".xml"
		}
		edit(&f)
		return f
	}
	for _, c := range []struct {
		name  string
		edit  func(f *Found)
		codes []Code
	}{
		{"unchanged", func(*Found) {}, nil},
		{"forged newer version", func(f *Found) { f.Versions[3] = Digest{3} }, []Code{VersionUnknown}},
		{"forged version", func(f *Found) { f.Versions[2] = Digest{3} }, []Code{VersionForged}},
		{"rolled back", func(f *Found) { delete(f.Versions, 2) }, []Code{VersionRolledBack}},
		{"event removed", func(f *Found) { delete(f.Events, salt.Event([]byte("two"))) }, []Code{EventRemoved}},
		{"event added", func(f *Found) { f.Events[Digest{9}] = "nine.xml" }, []Code{EventForged}},
		{"event changed", func(f *Found) {
			delete(f.Events, salt.Event([]byte("two")))
			f.Events[salt.Event([]byte("Two"))] = "two.xml"
		}, []Code{EventRemoved, EventForged}},
		{"another salt", func(f *Found) {
			*f = Found{Versions: map[uint32]Digest{1: NewSalt().Inventory(inventories[0])}}
		},
			[]Code{VersionForged, VersionRolledBack, EventRemoved, EventRemoved, EventRemoved}},
	} {
		got := CheckObject(history(), found(c.edit))
		if len(got) != len(c.codes) {
			t.Errorf("%s: %v", c.name, got)
			continue
		}
		for i, f := range got {
			if f.Code != c.codes[i] || f.String() == "" {
				t.Errorf("%s: %v", c.name, f)
			}
		}
	}
	gone := history(Tombstone{Object: id})
	if got := CheckObject(gone, Found{}); len(got) > 0 {
		t.Error(got)
	}
	if got := CheckObject(gone, found(func(*Found) {})); len(got) != 1 || got[0].Code != ObjectReturned {
		t.Error(got)
	}
	if got := CheckObject(&History{}, found(func(*Found) {})); len(got) != 5 {
		t.Errorf("an object without leaves: %v", got)
	}
}
