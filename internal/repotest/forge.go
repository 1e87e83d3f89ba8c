package repotest

import (
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/preserve/aip"
)

// Gunzip returns the inflated content of a file.
func Gunzip(t testing.TB, file []byte) string {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Gzip returns a file of one member.
func Gzip(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(text))
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Forge replaces a file in a package's folder and states its new digest in the METS, as any maker
// of packages can.
func Forge(t testing.TB, dir, name string, change func(old []byte) []byte) {
	t.Helper()
	path, metsPath := filepath.Join(dir, filepath.FromSlash(name)), filepath.Join(dir, aip.METSName)
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	mets, err := os.ReadFile(metsPath)
	if err != nil {
		t.Fatal(err)
	}
	said := func(b []byte) string { return fmt.Sprintf(`SIZE="%d" CHECKSUM="%x"`, len(b), sha512.Sum512(b)) }
	if !strings.Contains(string(mets), said(old)) {
		t.Fatalf("the METS has no entry for %s", name)
	}
	file := change(old)
	mets = []byte(strings.Replace(string(mets), said(old), said(file), 1))
	for _, f := range []struct {
		path    string
		content []byte
	}{{path, file}, {metsPath, mets},
		{filepath.Join(dir, aip.DigestName), aip.DigestLine(fmt.Sprintf("%x", sha512.Sum512(mets)))}} {
		if err := os.WriteFile(f.path, f.content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
