package store

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/model"
	"quire/repository/catalogue"
)

// withdrawnAway records an event while the last copy is away, and brings the copy back.
func withdrawnAway(t *testing.T, s *Store) catalogue.Event {
	t.Helper()
	back := takeAway(t, s.copies[2])
	e, err := s.Record(context.Background(), damagedID, Action{Type: model.Withdrawing, Detail: "by order"})
	if err != nil {
		t.Fatal(err)
	}
	back()
	return e
}

// eventOf returns a file in the log of the package in a copy, or "".
func eventOf(t *testing.T, s *Store, c *copyFolder, file string) string {
	t.Helper()
	card, err := s.card(context.Background(), damagedID)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(c.object(card.Path), "logs", file))
	if err != nil && !notThere(err) {
		t.Fatal(err)
	}
	return string(text)
}

// TestEventsReachCopy: an event that was recorded while a copy was away reaches it with the next audit,
// or when it is brought up to date. A dry run writes nothing, and garbage is not copied.
func TestEventsReachCopy(t *testing.T) {
	ctx := context.Background()
	for _, way := range []string{"audit", "refill"} {
		s := requiring(t)
		r := mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
		e := withdrawnAway(t, s)
		put(t, filepath.Join(r.Copies[1].Path, "logs", "garbage.xml"), "<no event")
		_, err := s.Audit(ctx, nil, AuditOptions{DryRun: true})
		if err != nil || eventOf(t, s, s.copies[2], e.File) != "" {
			t.Errorf("a dry run wrote the event (%v)", err)
		}
		if way == "audit" {
			_, err = s.Audit(ctx, []string{damagedID}, AuditOptions{})
		} else {
			_, err = s.Refill(ctx, "", RepairOptions{}, justErr)
		}
		got, want := eventOf(t, s, s.copies[2], e.File), eventOf(t, s, s.copies[0], e.File)
		if err != nil || got != want || want == "" {
			t.Errorf("%s: the copy has the event %q, want %q (%v)", way, got, want, err)
		}
		if eventOf(t, s, s.copies[2], "garbage.xml") != "" {
			t.Errorf("%s copied garbage", way)
		}
	}
}

// TestEventsWait: events are not shared while another process writes the object.
func TestEventsWait(t *testing.T) {
	ctx := context.Background()
	s := requiring(t)
	mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
	e := withdrawnAway(t, s)
	l, err := s.tryWriter(ctx, objectKey(objectID(damagedID)), damagedID, "test")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Audit(ctx, nil, AuditOptions{}); err != nil || eventOf(t, s, s.copies[2], e.File) != "" {
		t.Errorf("the event was written (%v)", err)
	}
	l.release()
	if _, err := s.Audit(ctx, nil, AuditOptions{}); err != nil || eventOf(t, s, s.copies[2], e.File) == "" {
		t.Errorf("the next audit did not write it (%v)", err)
	}
}

// TestBroughtUpToDate: the event of a copy that was only behind does not say that it was damaged.
func TestBroughtUpToDate(t *testing.T) {
	ctx := context.Background()
	s := requiring(t)
	mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
	back := takeAway(t, s.copies[2])
	r := mustIngest(t, s, makePackage(t, damagedID, content{"a": "second"}), IngestOptions{NewVersion: true})
	back()
	if _, err := s.Refill(ctx, "", RepairOptions{}, justErr); err != nil {
		t.Fatal(err)
	}
	want := "copy-3 had an earlier version; the newest was written there from copy-1"
	for _, e := range readEvents(s.copies, r.Object) {
		if strings.HasPrefix(e.Detail, want) {
			return
		}
	}
	t.Errorf("no event says: %s", want)
}
