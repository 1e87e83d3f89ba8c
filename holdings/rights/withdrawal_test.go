package rights

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestReadWithdrawals: a part that this program cannot read is an error, because it may close more.
func TestReadWithdrawals(t *testing.T) {
	const good = `{"format":1,"withdrawals":[{"id":"W1","named":"a","package":"a","access":"blocked","because":"b",` +
		`"authority":"c","at":"2026-11-01T00:00:00Z","captures":0,"packages":0,"in":[]}]}`
	if w, err := ReadWithdrawals(strings.NewReader(good)); err != nil || len(w.List) != 1 {
		t.Fatal(w, err)
	}
	for old, with := range map[string]string{
		`"format":1`: `"format":2`, `"package":"a"`: `"pakage":"a"`, `"package":"a",`: ``, `"blocked"`: `"open"`,
		`"because":"b"`: `"because":""`, `"2026-11-01T00:00:00Z"`: `"0001-01-01T00:00:00Z"`, `]}]}`: `]}]}{}`,
		`"authority":"c",`: `"authority":"c","until":"2026-02-30",`, `"named":"a",`: `"named":"a","url":"/x",`,
		`"id":"W1"`: `"id":""`,
	} {
		text := strings.Replace(good, old, with, 1)
		if text == good {
			t.Fatalf("%s is not in the document", old)
		}
		if _, err := ReadWithdrawals(strings.NewReader(text)); err == nil {
			t.Errorf("accepted: %s", text)
		}
	}
}

// TestInForce: a withdrawal holds on its last day, and ends with it, or when it is lifted.
func TestInForce(t *testing.T) {
	last := Withdrawal{Until: "2027-01-31"}
	if !last.InForce("2027-01-31") || last.InForce("2027-02-01") {
		t.Error("the last day is another")
	}
	endless, lifted := Withdrawal{}, Withdrawal{Lifted: &Lifting{}}
	if !endless.InForce("2027-01-31") || lifted.InForce("2027-01-31") {
		t.Error("a withdrawal without end ends when it is lifted, and not before")
	}
}

// TestKept: the rules of the repository apply beside those of the file; if either is unreadable,
// everything is closed, and hidden content stays hidden.
func TestKept(t *testing.T) {
	read := func(text string) *Set {
		t.Helper()
		s, err := Read(strings.NewReader(text), "kept")
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	kept, broken := read("rules: [{packages: a, access: blocked, hidden: true}]\n"), error(nil)
	file := filepath.Join(t.TempDir(), "rules.yaml")
	write := func(text string, at int64) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, time.Unix(at, 0), time.Unix(at, 0)); err != nil {
			t.Fatal(err)
		}
	}
	write("rules: [{packages: [a, b], access: open, override: rights}, {packages: c, access: onsite}]\n", 1)
	told := 0
	l, err := Follow(file, Options{Problem: func(error) { told++ }, Kept: func() (*Set, error) { return kept, broken }})
	if err != nil {
		t.Fatal(err)
	}
	check := func(name, id string, verdict Verdict, hidden bool) {
		t.Helper()
		if got := l.Now().Judge(&Question{Package: id}); got.Verdict != verdict || got.Hidden != hidden {
			t.Errorf("%s: %s is %+v, want %s %v", name, id, got, verdict, hidden)
		}
	}
	all := func(name string, a, b, c Verdict, hidden bool) {
		t.Helper()
		check(name, "a", a, hidden)
		check(name, "b", b, false)
		check(name, "c", c, false)
	}
	all("both", Blocked, Open, OnSite, true)
	if first := l.Now(); first != l.Now() {
		t.Error("each call returns another set")
	}
	if l.File() != file {
		t.Errorf("the file is %q", l.File())
	}
	before := l.Now().Fingerprint()
	broken = errors.New("no copy has it")
	all("the repository is unreadable", Blocked, Blocked, Blocked, true)
	if l.Err() == nil || told != 1 {
		t.Errorf("%v, told %d times", l.Err(), told)
	}
	write("rules: [", 2)
	all("both are unreadable", Blocked, Blocked, Blocked, true)
	broken = nil
	all("the file is unreadable", Blocked, Blocked, Blocked, true)
	write("rules: []\n", 3)
	all("no rules in the file", Blocked, "", "", true)
	if l.File() != "" {
		t.Errorf("a file without rules is reported: %s", l.File())
	}
	kept = read("rules: [{packages: b, access: restricted}]\n")
	all("other rules in the repository", "", Restricted, "", false)
	if l.Err() != nil || l.Now().Fingerprint() == before {
		t.Error(l.Err(), before)
	}
	if _, err := Follow("", Options{Kept: func() (*Set, error) { return nil, errors.New("lost") }}); err == nil {
		t.Error("unreadable rules in the repository are no error at the start")
	}
}
