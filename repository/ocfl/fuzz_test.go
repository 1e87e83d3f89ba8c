package ocfl

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// FuzzParseInventory checks that an accepted inventory can be written and read again without
// changes, and has no path to the outside.
func FuzzParseInventory(f *testing.F) {
	s := newSample(f)
	f.Add([]byte(s.v1))
	f.Add([]byte(s.v2))
	for _, c := range objectCases {
		if c.edit != nil {
			s := newSample(f)
			c.edit(s)
			if len(s.v2) < 16<<10 {
				f.Add([]byte(s.v2))
			}
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		inv, err := ParseInventory(b)
		if err != nil {
			return
		}
		for _, file := range inv.ContentFiles() {
			if !isSafePath(file.Path) || !strings.Contains(file.Path, "/"+inv.ContentDir()+"/") {
				t.Errorf("accepted the content path %q", file.Path)
			}
		}
		if _, err := inv.Files(""); err != nil {
			t.Errorf("accepted a head that cannot be listed: %v", err)
		}
		first, err := inv.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		back, err := ParseInventory(first)
		if err != nil {
			t.Fatalf("does not accept what it wrote: %v\n%s", err, first)
		}
		second, err := back.Marshal()
		if err != nil || !bytes.Equal(first, second) {
			t.Errorf("%v: wrote\n%s\nthen\n%s", err, first, second)
		}
	})
}

func FuzzParseSidecar(f *testing.F) {
	_, good := Sidecar(SHA512, sum(SHA512, "x"))
	for _, seed := range []string{string(good), "ab inventory.json", "ab\tinventory.json\r\n", "", "ab",
		"zz inventory.json\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		digest, err := ParseSidecar(b)
		if err != nil {
			return
		}
		_, again := Sidecar(SHA512, digest)
		if back, err := ParseSidecar(again); err != nil || back != digest {
			t.Errorf("%q: %q, %v", digest, back, err)
		}
	})
}

// FuzzValidateObject combines a changed inventory and a correct sidecar with a good object. The
// validator must finish with a result, and must not accept content that differs from the stored
// content.
func FuzzValidateObject(f *testing.F) {
	f.Add([]byte(newSample(f).v2), []byte(newSample(f).v1), "v2")
	for _, c := range objectCases {
		if c.edit != nil {
			s := newSample(f)
			c.edit(s)
			if len(s.v2) < 16<<10 {
				f.Add([]byte(s.v2), []byte(s.v1), s.folders["v1"])
			}
		}
	}
	f.Fuzz(func(t *testing.T, root, prior []byte, folder string) {
		s := newSample(t)
		s.v2, s.v1 = string(root), string(prior)
		if strings.ContainsAny(folder, "/\x00") || folder == "" || folder == "." || folder == ".." {
			folder = "v1"
		}
		s.folder("v1", folder)
		m := s.seal()
		first := ValidateObject(context.Background(), m, sampleDir, Options{})
		if first.Err != nil {
			t.Fatal(first.Err)
		}
		for _, i := range append(first.Errors, first.Warnings...) {
			if Explain(i.Code) == "" {
				t.Errorf("no such code: %v", i)
			}
		}
		if !first.Valid() {
			return
		}
		put(m, "v1/content/index.html", "damaged")
		if r := ValidateObject(context.Background(), m, sampleDir, Options{}); r.Valid() && first.Files == r.Files {
			t.Errorf("damage in a file passes with\n%s\n%s", root, prior)
		}
	})
}
