package catalogue

import (
	"context"
	"testing"
	"time"
)

// TestSetStates: a list of states is recorded as one state after another is, all or none.
func TestSetStates(t *testing.T) { everyEngine(t, testSetStates) }

func testSetStates(t *testing.T, again func() *Catalogue) {
	ctx := context.Background()
	c := again()
	state := func(id string, s Status, days int) State {
		at := noon.Add(time.Duration(days) * 24 * time.Hour)
		return State{Package: id, Copy: "copy-1", Status: s, Event: Event{File: "of-" + string(s) + ".xml",
			ID: string(s), Type: "recovery", Time: at, Outcome: "success", Copy: "copy-1"}}
	}
	for _, id := range []string{"a", "b"} {
		if err := c.Put(ctx, record(id)); err != nil {
			t.Fatal(err)
		}
	}
	all := []State{state("a", Good, 1), state("b", Good, 1), state("b", Missing, 2)}
	if err := c.SetStates(ctx, append(all[:3:3], state("absent", Good, 1))); err == nil {
		t.Error("a package that is absent got a state")
	}
	if r, err := c.Get(ctx, "a"); err != nil || len(r.Events) != 1 {
		t.Errorf("a list that failed was recorded in part: %+v, %v", r.Events, err)
	}
	if err := c.SetStates(ctx, all); err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct {
		id     string
		last   State
		read   time.Time
		events int
	}{
		{"a", all[0], all[0].Event.Time, 2},
		{"b", all[2], all[1].Event.Time, 3}, // a missing package was not read
	} {
		r, err := c.Get(ctx, want.id)
		if err != nil || len(r.Events) != want.events {
			t.Fatalf("%s: %+v, %v", want.id, r.Events, err)
		}
		for _, k := range r.Copies {
			if k.Name == "copy-1" && (k.Status != want.last.Status || !k.Since.Equal(want.last.Event.Time) ||
				!k.Checked.Equal(want.read)) {
				t.Errorf("%s: %+v, want %+v, read %s", want.id, k, want.last, want.read)
			}
		}
	}
}
