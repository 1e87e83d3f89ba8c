package store

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestParseSchedule(t *testing.T) {
	for text, want := range map[string]string{
		"full every 365d":                       "full every 365d",
		" full  every 52w , sample 1% every 7d": "full every 364d, sample 1% every 7d",
		"none":                                  "none",
		"":                                      "",
		"full":                                  "",
		"full every":                            "",
		"full every 1y":                         "",
		"sample every 7d":                       "",
		"sample 0% every 7d":                    "",
		"full each 365d":                        "",
		"full every 365d,":                      "",
		"full every 365d; sample 1% every 7d":   "",
		"sample 1% every 7d, sample 10% every 30d": "sample 1% every 7d, sample 10% every 30d",
	} {
		var s Schedule
		err := s.UnmarshalText([]byte(text))
		if (err == nil) != (want != "") || err == nil && s.String() != want {
			t.Errorf("%q: %s, %v", text, s, err)
		}
	}
}

func mustSchedule(t *testing.T, text string) (s Schedule) {
	t.Helper()
	if err := s.UnmarshalText([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestScheduleIsKept checks that a schedule is in the repository and in each copy, and that a rebuild
// from the copies alone keeps it.
func TestScheduleIsKept(t *testing.T) {
	s, _ := manyPackages(t, 1)
	want := "full every 365d, sample 1% every 7d"
	if err := s.SetSchedule(context.Background(), mustSchedule(t, want)); err != nil {
		t.Fatal(err)
	}
	copies := s.copyPaths()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if again := reopen(t, s.root); again.Schedule().String() != want || again.Close() != nil {
		t.Errorf("reopened: %s", again.Schedule())
	}
	remove(t, filepath.Join(s.root, repositoryFile))
	built := mustRebuild(t, s.root, copies...)
	if built.Schedule().String() != want {
		t.Errorf("rebuilt: %s", built.Schedule())
	}
	if err := built.SetSchedule(context.Background(), mustSchedule(t, "none")); err != nil {
		t.Fatal(err)
	}
	for _, path := range append(copies, s.root) {
		for _, name := range []string{copyFile, repositoryFile} {
			file := filepath.Join(path, name)
			if exists(file) && strings.Contains(string(read(t, file)), "auditSchedule") {
				t.Errorf("%s still has a schedule", file)
			}
		}
	}
	remove(t, filepath.Join(copies[0], copyFile))
	if err := built.SetSchedule(context.Background(), mustSchedule(t, want)); err == nil || len(built.Schedule()) > 0 {
		t.Errorf("without a copy: %v", err)
	}
}

// TestDueAudits follows a schedule over two years.
func TestDueAudits(t *testing.T) {
	ctx := context.Background()
	s, c := manyPackages(t, 10)
	if err := s.SetSchedule(context.Background(), mustSchedule(t, "sample 20% every 7d, full every 365d")); err != nil {
		t.Fatal(err)
	}
	created := s.created
	due := func() (text string) {
		all, err := s.DueAudits(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range all {
			if d.Is {
				text += d.Entry + " " + d.Over.String() + " " + d.Resume + ";"
			}
		}
		return text
	}
	at := func(days int) { c.at = created.Add(time.Duration(days) * 24 * time.Hour) }
	did := func(o AuditOptions) (text string) {
		err := s.AuditDue(ctx, o, func(d DueAudit, r AuditReport) error {
			text += d.Entry + ": " + r.Scope.String() + ";"
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	at(6)
	if got := due() + did(AuditOptions{}); got != "" {
		t.Errorf("day 6: %s", got)
	}
	at(8)
	if got := due(); got != "sample 20% every 7d 1d ;" {
		t.Errorf("day 8: %s", got)
	}
	did5 := "sample 20% every 7d: sample 20% with seed 5, 2 of 10 packages;"
	if got := did(AuditOptions{Seed: 5}); got != did5 || due() != "" {
		t.Errorf("day 8: %s, then %s", got, due())
	}
	auditWith(t, s, AuditOptions{Sample: 0.1}) // too small
	auditWith(t, s, AuditOptions{OlderThan: 5 * day})
	at(16)
	if got := due(); got != "sample 20% every 7d 1d ;" {
		t.Errorf("day 16: %s", got)
	}
	at(370)
	if got := did(AuditOptions{}); got != "full every 365d: all;" { // counts as a sample, too
		t.Errorf("day 370: %s", got)
	}
	if got := due(); got != "" {
		t.Errorf("after the full audit: %s", got)
	}
	at(370 + 366)
	c.step = time.Minute
	first := did(AuditOptions{For: Span(5 * time.Minute)})
	if !strings.HasSuffix(first, "of 10 packages, ended by time;") {
		t.Errorf("in part: %s", first)
	}
	c.step = 0
	at(370 + 367)
	runs, err := s.catalogue.Runs(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if got := due(); !strings.Contains(got, "full every 365d 2d "+runs[0].Run+";") {
		t.Errorf("the rest: %s, not of %s", got, runs[0].Run)
	}
	if rest := did(AuditOptions{}); !strings.Contains(rest, "the rest of run "+runs[0].Run) || due() != "" {
		t.Errorf("the rest: %s, then %s", rest, due())
	}
}
