package token

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quire/service/role"
)

func tokens(t *testing.T) (*Tokens, *time.Time) {
	t.Helper()
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	all := In(filepath.Join(t.TempDir(), "service"))
	all.now = func() time.Time { return now }
	return all, &now
}

func add(t *testing.T, all *Tokens, name string, roles ...role.Role) (Token, string) {
	t.Helper()
	made, text, err := all.Add(name, roles, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	return made, text
}

func TestPerson(t *testing.T) {
	t.Parallel()
	all, now := tokens(t)
	made, text := add(t, all, "Ada", role.Operator, role.Curator, role.Curator)
	_, other := add(t, all, "Bo", role.Auditor)
	p, err := all.Person(t.Context(), text)
	if err != nil || p.Name != "Ada" || !slices.Equal(p.Roles, []role.Role{role.Curator, role.Operator}) {
		t.Fatalf("%+v, %v", p, err)
	}
	process := In(filepath.Dir(all.path))
	process.now = all.now
	if p, err := process.Person(t.Context(), other); err != nil || p.Name != "Bo" {
		t.Errorf("another process: %+v, %v", p, err)
	}
	last := byte('A')
	if text[len(text)-1] == last {
		last = 'B'
	}
	secret := strings.TrimPrefix(text, Prefix+made.ID+"_")
	for name, wrong := range map[string]string{
		"nothing": "", "a prefix": Prefix, "an id": Prefix + "T1", "an id and no secret": Prefix + "T1_",
		"another end": text[:len(text)-1] + string(last), "the secret of T1 for T2": Prefix + "T2_" + secret,
		"an unknown id": Prefix + "T9_" + secret, "no prefix": strings.TrimPrefix(text, Prefix), "more": text + "A",
		"a blank": " " + text, "the digest": Prefix + "T1_" + string(made.Digest),
	} {
		if p, err := all.Person(t.Context(), wrong); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
	*now = now.Add(time.Hour - time.Second)
	if _, err := all.Person(t.Context(), text); err != nil {
		t.Errorf("before its end: %v", err)
	}
	*now = now.Add(time.Second)
	if _, err := all.Person(t.Context(), text); !errors.Is(err, ErrInvalid) {
		t.Errorf("after its end: %v", err)
	}
}

// TestRevoke revokes a token in another process: it is refused at once.
func TestRevoke(t *testing.T) {
	t.Parallel()
	all, now := tokens(t)
	_, text := add(t, all, "Ada", role.Operator)
	if _, err := all.Person(t.Context(), text); err != nil {
		t.Fatal(err)
	}
	if k, err := In(filepath.Dir(all.path)).Revoke("T1"); err != nil || k.Revoked.IsZero() {
		t.Fatalf("%+v, %v", k, err)
	}
	if _, err := all.Person(t.Context(), text); !errors.Is(err, ErrInvalid) {
		t.Errorf("a revoked token: %v", err)
	}
	if _, err := all.Revoke("T2"); !errors.Is(err, ErrNone) {
		t.Errorf("no token: %v", err)
	}
	before, err := all.List()
	*now = now.Add(time.Minute)
	again, err2 := all.Revoke("T1")
	if err != nil || err2 != nil || !again.Revoked.Equal(before[0].Revoked) {
		t.Errorf("revoked again: %v, not %v; %v, %v", again.Revoked, before[0].Revoked, err, err2)
	}
}

// TestFile tests that the file has no token, and that only its owner may read it.
func TestFile(t *testing.T) {
	t.Parallel()
	all, _ := tokens(t)
	if list, err := all.List(); err != nil || len(list) != 0 {
		t.Fatalf("%v, %v", list, err)
	}
	_, text := add(t, all, "Ada", role.Operator)
	content, err := os.ReadFile(all.path)
	if err != nil || bytes.Contains(content, []byte(text[len(text)-20:])) {
		t.Fatalf("the file has the token: %v\n%s", err, content)
	}
	if info, err := os.Stat(all.path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if err := os.WriteFile(all.path, []byte(`{"format": 2}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := all.Person(t.Context(), text); err == nil || errors.Is(err, ErrInvalid) {
		t.Errorf("an unknown format: %v", err)
	}
	if err := os.WriteFile(all.path, []byte(`{"format"`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := all.List(); err == nil {
		t.Error("a damaged file has a list")
	}
}

func TestAddRefuses(t *testing.T) {
	t.Parallel()
	all, _ := tokens(t)
	for name, call := range map[string]func() (Token, string, error){
		"no name": func() (Token, string, error) { return all.Add(" ", []role.Role{role.Reader}, time.Hour) },
		"lines":   func() (Token, string, error) { return all.Add("a\nb", []role.Role{role.Reader}, time.Hour) },
		"long":    func() (Token, string, error) { return all.Add(strings.Repeat("a", 201), role.All(), time.Hour) },
		"no role": func() (Token, string, error) { return all.Add("a", nil, time.Hour) },
		"unknown": func() (Token, string, error) { return all.Add("a", []role.Role{"admin"}, time.Hour) },
		"no time": func() (Token, string, error) { return all.Add("a", []role.Role{role.Reader}, 0) },
	} {
		if made, text, err := call(); err == nil || text != "" {
			t.Errorf("%s: %+v", name, made)
		}
	}
	if list, err := all.List(); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
}

func TestAddTogether(t *testing.T) {
	t.Parallel()
	all, _ := tokens(t)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if _, _, err := In(filepath.Dir(all.path)).Add("a", []role.Role{role.Reader}, time.Hour); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	list, err := all.List()
	if err != nil || len(list) != 8 || list[7].ID != "T8" {
		t.Errorf("%d tokens, %v", len(list), err)
	}
}
