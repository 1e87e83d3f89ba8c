package statement_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/access/statement"
)

// at returns the example, made on a day of December 2025.
func at(day int) *statement.Statement {
	s := example()
	s.Made = time.Date(2025, 12, day, 12, 0, 0, 0, time.UTC).Format(time.RFC3339)
	return s
}

func noon(day int) time.Time { return time.Date(2025, 12, day, 12, 0, 0, 0, time.UTC) }

// publish writes the public keys as the archive publishes them, and reads them.
func publish(t *testing.T, keys *statement.Keys) statement.Published {
	t.Helper()
	all, err := keys.Published()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "published.pem")
	if err := os.WriteFile(file, all.PEM(), 0o600); err != nil {
		t.Fatal(err)
	}
	read, err := statement.ReadPublished(file)
	if err != nil || !slices.Equal(read, all) {
		t.Fatalf("published %+v, read %+v, %v", all, read, err)
	}
	return read
}

// TestRotate: statements by a retired key verify with the published keys, and doubts name their reason.
func TestRotate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	keys, err := statement.OpenKeys(dir)
	if err != nil {
		t.Fatal(err)
	}
	old, err := os.ReadFile(filepath.Join(dir, statement.KeyName))
	if err != nil {
		t.Fatal(err)
	}
	sign := func(day int) []byte {
		t.Helper()
		text, err := keys.Sign(at(day))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	first, late := sign(1), sign(9)
	next, err := keys.Rotate(noon(5), time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	second, early := sign(6), sign(4)
	all := publish(t, keys)
	if len(all) != 2 || all[0] != next || !all[0].From.Equal(noon(5)) || !all[1].Until.Equal(noon(5)) {
		t.Fatalf("%+v", all)
	}
	doubts := func(text []byte) string {
		t.Helper()
		s, v, err := publish(t, keys).Verify(text)
		if err != nil || s.URL != example().URL {
			t.Fatalf("%+v, %v", s, err)
		}
		return strings.Join(v.Doubts, "; ") + "|" + v.Note
	}
	for name, c := range map[string]struct {
		text []byte
		want string
	}{"first": {first, "|"}, "second": {second, "|"}, "late": {late, "after its key was retired, on 2025-12-05"},
		"early": {early, "before its key signed"}} {
		if got := doubts(c.text); !strings.Contains(got, c.want) || c.want == "|" && got != "|" {
			t.Errorf("%s: %q", name, got)
		}
	}
	for _, c := range []struct {
		since int
		want  string
	}{{3, "|the key is compromised since 2025-12-03"}, {1, "another may have signed it"}} {
		if err := keys.Distrust(all[1].ID(), noon(c.since)); err != nil {
			t.Fatal(err)
		}
		if got := doubts(first); !strings.HasPrefix(got, c.want) {
			t.Errorf("compromised since %d: %q", c.since, got)
		}
	}
	if err := keys.Distrust(all[1].ID(), noon(2)); err == nil || !strings.Contains(err.Error(), "earlier") {
		t.Errorf("a later time makes it good again: %v", err)
	}
	for id, want := range map[string]string{next.ID(): "still signs", "none": "no retired key"} {
		if err := keys.Distrust(id, noon(1)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", id, err)
		}
	}
	if err := keys.Distrust(all[1].ID(), time.Now().Add(time.Hour)); err == nil {
		t.Error("compromised in the future")
	}
	// A rotation that was interrupted leaves the retired key in its place.
	if err := os.WriteFile(filepath.Join(dir, statement.KeyName), old, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := keys.Sign(at(7)); !errors.Is(err, statement.ErrUnfinished) {
		t.Errorf("signed by a retired key: %v", err)
	}
	if _, err := keys.Rotate(noon(7), time.Time{}); err != nil {
		t.Fatal(err)
	}
	if all := publish(t, keys); len(all) != 2 || !all[1].Until.Equal(noon(5)) || doubts(sign(8)) != "|" {
		t.Errorf("completed: %+v", all)
	}
}

// TestFirstForm: keys as they were published before rotations had one key without times. Such a file, and
// a statement signed with it, verify for ever.
func TestFirstForm(t *testing.T) {
	t.Parallel()
	all, err := statement.ReadPublished(filepath.Join("testdata", "first.pem"))
	if err != nil || len(all) != 1 || !all[0].From.IsZero() || !all[0].Until.IsZero() {
		t.Fatalf("%+v, %v", all, err)
	}
	text, err := os.ReadFile(filepath.Join("testdata", "first.json"))
	if err != nil {
		t.Fatal(err)
	}
	s, v, err := all.Verify(text)
	if err != nil || s.Digest != "sha1:AAAA" || len(v.Doubts) > 0 {
		t.Errorf("%+v, %+v, %v", s, v, err)
	}
}

// TestDamagedKeys: a damaged file of keys is refused. A key that was passed over would take its times with it.
func TestDamagedKeys(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	keys, err := statement.OpenKeys(dir)
	if err != nil {
		t.Fatal(err)
	}
	for day := 1; day <= 3; day++ {
		if _, err := keys.Rotate(noon(day), noon(day)); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, statement.RetiredName)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	second := strings.LastIndex(string(whole), "key ")
	for name, text := range map[string]string{
		"a letter of the first key": strings.Replace(string(whole), "MCow", "M*ow", 1),
		"the last key cut":          string(whole[:len(whole)-40]),
		"no line above the last":    string(whole[:second]) + strings.SplitAfterN(string(whole[second:]), "\n", 2)[1],
		"a line without a key":      string(whole) + "key " + strings.Fields(string(whole))[1] + "\n",
		"another word":              strings.Replace(string(whole), "key ", "kex ", 1),
		"no time":                   strings.Replace(string(whole), " until 2025", " until x", 1),
		"no end":                    strings.Replace(string(whole), " until ", " till ", 1),
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if all, err := keys.Published(); err == nil {
			t.Errorf("%s: %+v", name, all)
		}
		if _, err := keys.Rotate(noon(9), time.Time{}); err == nil {
			t.Errorf("%s: rotated", name)
		}
	}
}

// TestManyRotations: a file that could not be read again is not written.
func TestManyRotations(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	keys, err := statement.OpenKeys(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := keys.Rotate(noon(1), time.Time{}); err != nil {
		t.Fatal(err)
	}
	one, err := statement.ReadPublished(filepath.Join(dir, statement.RetiredName))
	if err != nil {
		t.Fatal(err)
	}
	many := make(statement.Published, 1<<20/len(one.PEM()))
	for i := range many {
		many[i] = one[0]
		many[i].Public[0], many[i].Public[1] = byte(i), byte(i>>8)
	}
	if err := os.WriteFile(filepath.Join(dir, statement.RetiredName), many.PEM(), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := keys.Rotate(noon(2), time.Time{}); err == nil || !strings.Contains(err.Error(), "too many") {
		t.Errorf("one more: %v", err)
	}
	if _, err := keys.Sign(at(3)); err != nil {
		t.Errorf("signs no more: %v", err)
	}
}
