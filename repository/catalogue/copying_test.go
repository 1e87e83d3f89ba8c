package catalogue

import (
	"context"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"
)

// lineOf returns an event that is a line of the record of a run.
func lineOf(run, file, copyName string) Event {
	return Event{File: file, ID: "id-" + file, Type: "recovery", Time: noon.Add(time.Hour), Outcome: "success",
		Detail: "written", Copy: copyName, Run: run}
}

func TestCopying(t *testing.T) { everyEngine(t, testCopying) }

// testCopying: the events of a run of copying stay when their package is written again, with files or with none, and go
// with the package.
func testCopying(t *testing.T, again func() *Catalogue) {
	ctx := context.Background()
	c := again()
	for _, id := range []string{"x", "y"} {
		if err := c.Put(ctx, record(id)); err != nil {
			t.Fatal(err)
		}
	}
	first := lineOf("run-1", "f1", "copy-2")
	var states []State
	for _, id := range []string{"x", "y"} {
		states = append(states, State{Package: id, Copy: "copy-2", Status: Good, Event: first})
	}
	if err := c.PutCopying(ctx, "run-1", states); err != nil {
		t.Fatal(err)
	}
	staged := lineOf("run-2", "f2", "copy-3")
	late := Line{Package: "x", Event: staged, Leaf: 7}
	for range 2 { // a second reading changes nothing
		if err := c.StageLines(ctx, []Line{late, {Package: "gone", Event: staged, Leaf: 7}}); err != nil {
			t.Fatal(err)
		}
	}
	lines, err := c.Lines(ctx, "x")
	if want := []Line{{Package: "x", Event: first}, late}; err != nil || !reflect.DeepEqual(lines, want) {
		t.Errorf("lines: %+v, %v; want %+v", lines, err, want)
	}
	newest, err := c.NewestLines(ctx, []string{"x", "y", "z"})
	if want := map[string]string{"x": "f2", "y": "f1"}; err != nil || !reflect.DeepEqual(newest, want) {
		t.Errorf("newest: %v, %v", newest, err)
	}
	r := record("x")
	r.Events = append(r.Events, first, staged)
	if err := c.Put(ctx, r); err != nil { // as a package that is recorded again
		t.Fatal(err)
	}
	if err := c.EndCopying(ctx, "run-2", "run-3"); err != nil {
		t.Fatal(err)
	}
	lines, err = c.Lines(ctx, "x")
	if want := []Line{{Package: "x", Event: first}, {Package: "x", Event: staged}}; err != nil ||
		!reflect.DeepEqual(lines, want) {
		t.Errorf("lines afterwards: %+v, %v", lines, err)
	}
	if err := c.Put(ctx, record("x")); err != nil { // without the lines: they stay
		t.Fatal(err)
	}
	got, err := c.Get(ctx, "x")
	if want := append(record("x").Events, first, staged); err != nil || !reflect.DeepEqual(got.Events, want) {
		t.Errorf("events: %+v, %v", got.Events, err)
	}
	known, err := c.Copyings(ctx)
	if want := map[string]bool{"run-1": true, "run-2": true, "run-3": true}; err != nil ||
		!reflect.DeepEqual(known, want) {
		t.Errorf("runs: %v, %v", known, err)
	}
	moved := open(t, filepath.Join(t.TempDir(), "moved.db"))
	if _, err := Transfer(ctx, c, moved, nil); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"x", "y"} {
		a, _ := c.Get(ctx, id)
		b, err := moved.Get(ctx, id)
		isLine := func(e Event) bool { return e.Run != "" }
		if err != nil || !reflect.DeepEqual(a, b) || !slices.ContainsFunc(b.Events, isLine) {
			t.Errorf("moved: %+v, %v; want %+v", b, err, a)
		}
	}
	if has, err := moved.HasCopying(ctx, "run-3"); err != nil || !has {
		t.Errorf("moved runs: %v, %v", has, err)
	}
	if err := c.StageLines(ctx, []Line{late}); err != nil {
		t.Fatal(err)
	}
	if err := c.Remove(ctx, "x"); err != nil {
		t.Fatal(err)
	}
	if lines, err := c.Lines(ctx, "x"); err != nil || len(lines) > 0 {
		t.Errorf("of a removed package: %+v, %v", lines, err)
	}
}
