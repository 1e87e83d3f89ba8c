package store

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quire/repository/catalogue"
)

// clock is a clock that moves at each look.
type clock struct {
	at   time.Time
	step time.Duration
}

func (c *clock) now() time.Time {
	c.at = c.at.Add(c.step)
	return c.at
}

// manyPackages returns a repository with packages p0 to pN, and its clock.
func manyPackages(t *testing.T, count int) (*Store, *clock) {
	t.Helper()
	s := newRepository(t)
	for n := range count {
		dir := makePackage(t, fmt.Sprintf("p%d", n), content{"a.log": fmt.Sprint("text ", n)})
		mustIngest(t, s, dir, IngestOptions{})
	}
	c := &clock{at: time.Now().UTC().Truncate(time.Second).Add(time.Hour)} // after the ingests
	s.now = c.now
	return s, c
}

// readBy returns the packages that the record of a run names, sorted.
func readBy(t *testing.T, s *Store, run string) []string {
	t.Helper()
	var ids []string
	for _, name := range runNames(s.copies[0]) {
		if got, _ := runOf(name); got == run {
			for line := range strings.Lines(string(read(t, filepath.Join(s.copies[0].audits(), name)))) {
				if id, ok := strings.CutPrefix(line, `{"package":"`); ok {
					ids = append(ids, id[:strings.IndexByte(id, '"')])
				}
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

func auditWith(t *testing.T, s *Store, o AuditOptions) AuditReport {
	t.Helper()
	r, err := s.Audit(context.Background(), nil, o)
	if err != nil || !r.OK() || len(r.Notes) > 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	return r
}

// TestAuditSample checks that a sample depends on the seed alone, is rounded up, and is not shown as
// an audit of all.
func TestAuditSample(t *testing.T) {
	s, _ := manyPackages(t, 9)
	first := auditWith(t, s, AuditOptions{Sample: 0.3, Seed: 7})
	again := auditWith(t, s, AuditOptions{Sample: 0.3, Seed: 7})
	other := auditWith(t, s, AuditOptions{Sample: 0.3, Seed: 8})
	random := auditWith(t, s, AuditOptions{Sample: 0.01})
	ids := readBy(t, s, first.Run)
	if len(ids) != 3 || !slices.Equal(ids, readBy(t, s, again.Run)) {
		t.Errorf("the same seed chose %v and %v", ids, readBy(t, s, again.Run))
	}
	if slices.Equal(ids, readBy(t, s, other.Run)) {
		t.Errorf("two seeds chose %v", ids)
	}
	if want := []string{"p5", "p6", "p7"}; !slices.Equal(ids, want) {
		t.Errorf("seed 7 chose %v; it must choose %v for ever", ids, want)
	}
	if random.Packages != 1 || random.Scope.Seed == 0 {
		t.Errorf("random: %+v", random.Scope)
	}
	if first.Scope.Full || first.Scope.String() != "sample 30% with seed 7, 3 of 9 packages" {
		t.Errorf("scope: %s, %+v", first.Scope, first.Scope)
	}
	audits, err := s.catalogue.Audits(context.Background(), 100)
	if err != nil || slices.ContainsFunc(audits, func(a catalogue.Audit) bool { return a.Scope == "all" }) {
		t.Errorf("recorded: %+v, %v", audits, err)
	}
}

// TestAuditOlderThan checks that each package is read in those copies where its last reading is old.
func TestAuditOlderThan(t *testing.T) {
	s, c := manyPackages(t, 4)
	auditWith(t, s, AuditOptions{})
	c.at = c.at.Add(50 * 24 * time.Hour)
	if _, err := s.Audit(context.Background(), []string{"p1", "p2"},
		AuditOptions{Copies: []string{"copy-2"}}); err != nil {
		t.Fatal(err)
	}
	c.at = c.at.Add(50 * 24 * time.Hour)
	r := auditWith(t, s, AuditOptions{OlderThan: 90 * day})
	for _, k := range r.Copies {
		want := int64(4)
		if k.Name == "copy-2" {
			want = 2
		}
		if k.Objects != want {
			t.Errorf("%s: %d read, want %d", k.Name, k.Objects, want)
		}
	}
	if r.Scope.Full || r.Scope.String() != "older than 90d, 4 of 4 packages" {
		t.Errorf("scope %s", r.Scope)
	}
	if r = auditWith(t, s, AuditOptions{OlderThan: 90 * day}); r.Packages != 0 {
		t.Errorf("read again: %+v", r.Scope)
	}
}

// TestAuditCopy checks that only the named copy is read.
func TestAuditCopy(t *testing.T) {
	s, _ := manyPackages(t, 2)
	card, err := s.card(context.Background(), "p1")
	if err != nil {
		t.Fatal(err)
	}
	edit(t, filepath.Join(s.copies[0].object(card.Path), "v1/content/a.log"), func(b []byte) []byte {
		b[0]++
		return b
	})
	r := auditWith(t, s, AuditOptions{Copies: []string{"copy-2", "copy-3"}})
	if r.Scope.Full || len(r.Copies) != 2 || r.Copies[0].Name != "copy-2" || r.Copies[0].Objects != 2 {
		t.Errorf("%+v", r)
	}
	damaged, err := s.Audit(context.Background(), nil, AuditOptions{Copies: []string{"copy-1"}})
	if err != nil || damaged.Problems != 1 {
		t.Errorf("%+v, %v", damaged, err)
	}
	if _, err := s.Audit(context.Background(), nil, AuditOptions{Copies: []string{"copy-9"}}); err == nil ||
		!strings.Contains(err.Error(), "copy-1, copy-2, copy-3") {
		t.Errorf("unknown copy: %v", err)
	}
}

// TestAuditForAndResume checks that an audit stops when its time is over, and that the runs that go on
// with it read each package once, and together all.
func TestAuditForAndResume(t *testing.T) {
	s, c := manyPackages(t, 6)
	c.step = time.Minute // a look at the clock for each package, and some more
	first := auditWith(t, s, AuditOptions{For: Span(4 * time.Minute)})
	if first.Packages == 0 || first.Packages == 6 || first.Scope.Ended != EndedByTime || first.Scope.Full {
		t.Fatalf("%+v", first.Scope)
	}
	if s.Close() != nil {
		t.Fatal("close")
	}
	s = reopen(t, s.root)
	s.now = c.now
	second := auditWith(t, s, AuditOptions{Resume: first.Run, For: Span(3 * time.Minute)})
	third := auditWith(t, s, AuditOptions{Resume: Newest})
	if third.Scope.Resumes != second.Run || second.Scope.Full || !third.Scope.Full ||
		first.Packages+second.Packages+third.Packages != 6 {
		t.Errorf("%+v\n%+v\n%+v", first.Scope, second.Scope, third.Scope)
	}
	all := slices.Concat(readBy(t, s, first.Run), readBy(t, s, second.Run), readBy(t, s, third.Run))
	if want := []string{"p0", "p1", "p2", "p3", "p4", "p5"}; !slices.Equal(all, want) {
		t.Errorf("read %v, want %v", all, want)
	}
	if _, err := s.Audit(context.Background(), nil, AuditOptions{Resume: Newest}); err == nil {
		t.Error("there was something to resume")
	}
	if _, err := s.Audit(context.Background(), nil, AuditOptions{Resume: third.Run}); err == nil {
		t.Error("a complete run was resumed")
	}
	runs, err := s.catalogue.Runs(context.Background())
	if err != nil || !runs[0].Began.Equal(first.Started) || !runs[0].Whole {
		t.Errorf("%+v, %v", runs, err)
	}
}

// TestResumeCountsProblemsBefore checks that a run that goes on with another one reports its problems.
func TestResumeCountsProblemsBefore(t *testing.T) {
	s, c := manyPackages(t, 4)
	card, err := s.card(context.Background(), "p0")
	if err != nil {
		t.Fatal(err)
	}
	remove(t, filepath.Join(s.copies[0].object(card.Path), "inventory.json"))
	c.step = time.Minute
	first, err := s.Audit(context.Background(), nil, AuditOptions{For: Span(4 * time.Minute)})
	if err != nil || first.Problems != 1 || !first.Scope.Rest {
		t.Fatalf("%+v, %v", first, err)
	}
	second := auditWith(t, s, AuditOptions{Resume: first.Run, For: Span(time.Minute)})
	if third := auditWith(t, s, AuditOptions{Resume: Newest}); second.Scope.Before != 1 || third.Scope.Before != 1 {
		t.Errorf("%+v\n%+v", second.Scope, third.Scope)
	}
}

// TestDamageOfTheNextAudit checks that a collection that was cleared has only the damage found later:
// audits by the schedule follow each other, each with its repair.
func TestDamageOfTheNextAudit(t *testing.T) {
	ctx := context.Background()
	s, _ := manyPackages(t, 3)
	damage := mustDamage(t)
	audit := func(want int64) AuditReport {
		t.Helper()
		r, err := s.Audit(ctx, nil, AuditOptions{Damage: damage})
		if err != nil || damage.Packages() != want || !damage.Mends(r) {
			t.Fatalf("%d packages damaged, want %d; %+v, %v", damage.Packages(), want, r, err)
		}
		return r
	}
	spoil := func(id string) {
		t.Helper()
		card, err := s.card(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		remove(t, filepath.Join(s.copies[0].object(card.Path), "inventory.json"))
	}
	mend := func(want int64) {
		t.Helper()
		sum, err := s.RepairAll(ctx, damage, RepairOptions{}, justErr)
		if err != nil || sum.Repaired != want || sum.Whole != 0 {
			t.Errorf("%+v, %v; want %d repaired", sum, err, want)
		}
	}
	spoil("p0")
	spoil("p1")
	audit(2)
	mend(2)
	if err := damage.Clear(); err != nil || damage.Packages() != 0 {
		t.Fatalf("%d packages after it was cleared, %v", damage.Packages(), err)
	}
	spoil("p2")
	audit(1)
	mend(1)
	mustBeSound(t, s)
}

// TestAuditWithoutCopy checks that an audit without one of the copies is not shown as an audit of all.
func TestAuditWithoutCopy(t *testing.T) {
	s, _ := manyPackages(t, 1)
	remove(t, filepath.Join(s.copies[1].path, copyFile))
	r, err := s.Audit(context.Background(), nil, AuditOptions{})
	if err != nil || r.Scope.Full || r.Scope.String() != "all, without copy-2, 1 of 1 packages" {
		t.Errorf("%s, %v", r.Scope, err)
	}
}

// TestThrottle checks that readers wait until their bytes are due, and that time without reading is
// not made up for.
func TestThrottle(t *testing.T) {
	c := &clock{}
	var waited time.Duration
	slow := throttle{rate: 1000, now: c.now, wait: func(_ context.Context, d time.Duration) {
		waited += d
		c.at = c.at.Add(d)
	}}
	for range 5 {
		slow.add(context.Background(), 200)
	}
	c.at = c.at.Add(time.Hour)
	slow.add(context.Background(), 500)
	if waited != 1500*time.Millisecond {
		t.Errorf("waited %v for 1500 bytes at 1000 in a second", waited)
	}
}

// TestAuditRate checks that an audit counts the bytes of all copies.
func TestAuditRate(t *testing.T) {
	s, c := manyPackages(t, 2)
	begin := c.at
	s.wait = func(context.Context, time.Duration) {}
	r := auditWith(t, s, AuditOptions{})
	var bytes int64
	for _, k := range r.Copies {
		bytes += k.Bytes
	}
	var last time.Duration
	var mu sync.Mutex // the copies are read in parallel
	s.wait = func(_ context.Context, d time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		last = max(last, d)
	}
	auditWith(t, s, AuditOptions{Rate: 100})
	if want := time.Duration(bytes) * time.Second / 100; last.Round(time.Millisecond) != want || !c.at.Equal(begin) {
		t.Errorf("the last byte is due after %v, want %v", last, want)
	}
}

func TestUnits(t *testing.T) {
	for text, want := range map[string]string{"90d": "90d", "2w": "14d", "4h": "4h", "36h": "36h", "24h": "1d",
		"5m": "5m", "0d": "", "-1d": "", "d": "", "9": "", "1y": "", "99999999999999d": "", "1.5d": ""} {
		var s Span
		if err := s.UnmarshalText([]byte(text)); (err == nil) != (want != "") || err == nil && s.String() != want {
			t.Errorf("%s: %s, %v", text, s, err)
		}
	}
	for text, want := range map[string]string{"1%": "1%", "0.5%": "0.5%", "100%": "100%", "0%": "", "101%": "", "1": "",
		"NaN%": "", "-1%": ""} {
		var s Share
		if err := s.UnmarshalText([]byte(text)); (err == nil) != (want != "") || err == nil && s.String() != want {
			t.Errorf("%s: %s, %v", text, s, err)
		}
	}
	for text, want := range map[string]Rate{"50MB/s": 50e6, "1.5GB/s": 15e8, "1kB/s": 1000, "50": 0, "0MB/s": 0,
		"NaNMB/s": 0, "1e300GB/s": 0} {
		var r Rate
		if err := r.UnmarshalText([]byte(text)); (err == nil) != (want != 0) || r != want {
			t.Errorf("%s: %d, %v", text, r, err)
		}
	}
}
