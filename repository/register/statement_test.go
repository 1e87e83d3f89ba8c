package register_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/repository/register"
)

// A statement is valid in one form only: each changed byte is found, and so are a further signature,
// another kind, and a checkpoint.
func TestStatement(t *testing.T) {
	dir := t.TempDir()
	o := register.Options{Folder: filepath.Join(dir, "register"), Key: filepath.Join(dir, "register.key")}
	w, err := register.Create(context.Background(), o, register.Origin("test"), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	text, err := w.SignStatement("report", "sha256 abc", "made now")
	if err != nil {
		t.Fatal(err)
	}
	key, lines, err := register.OpenStatement(text, "report")
	if err != nil || key != w.Keys()[0].Key || strings.Join(lines, "|") != "sha256 abc|made now" {
		t.Fatalf("%s, %q, %v", key, lines, err)
	}
	if len(register.Fingerprint(key)) != 64 || register.Fingerprint(key+"x") != "" {
		t.Errorf("fingerprint %q", register.Fingerprint(key))
	}
	for i := range text {
		for _, other := range []byte{text[i] ^ 1, text[i] ^ 0x20, '\n', '\r'} {
			changed := append([]byte{}, text...)
			if changed[i] = other; changed[i] == text[i] {
				continue
			}
			if _, _, err := register.OpenStatement(changed, "report"); err == nil {
				t.Fatalf("byte %d as %q is not noticed", i, other)
			}
		}
		for _, more := range []string{"\n", "\r", "x"} {
			changed := string(text[:i]) + more + string(text[i:])
			if _, _, err := register.OpenStatement([]byte(changed), "report"); err == nil {
				t.Fatalf("%q before byte %d is not noticed", more, i)
			}
		}
	}
	last := text[strings.LastIndex(string(text), "— "):]
	for name, wrong := range map[string]string{"two signatures": string(text) + string(last),
		"checkpoint": string(w.Head().Text), "empty": ""} {
		if _, _, err := register.OpenStatement([]byte(wrong), "report"); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if _, _, err := register.OpenStatement(text, "rotation"); err == nil {
		t.Error("a statement of another kind is accepted")
	}
	if _, err := register.ParseCheckpoint(text); err == nil {
		t.Error("a statement is accepted as a checkpoint")
	}
}

// After a rotation, the new key signs.
func TestStatementKey(t *testing.T) {
	dir := t.TempDir()
	o := register.Options{Folder: filepath.Join(dir, "register"), Key: filepath.Join(dir, "register.key")}
	w, err := register.Create(context.Background(), o, register.Origin("test"), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Rotate(context.Background(), time.Now()); err != nil {
		t.Fatal(err)
	}
	text, err := w.SignStatement("report", "x")
	if err != nil {
		t.Fatal(err)
	}
	if key, _, err := register.OpenStatement(text, "report"); err != nil || key != w.Keys()[1].Key {
		t.Errorf("after the rotation: %s, %v", key, err)
	}
}
