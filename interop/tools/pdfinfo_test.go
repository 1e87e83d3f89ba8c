//go:build interop

package tools

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"quire/interop/internal/peers"
)

// facts are the properties that both programs output, with pdfinfo's names.
var facts = []string{"Title", "Subject", "Keywords", "Author", "Creator", "Producer", "CreationDate", "ModDate",
	"Tagged", "Pages", "Page size", "Page rot",
	"Optimized", "PDF version", "Encrypted", "Form"}

// TestPDFInfo compares the facts of each PDF in the samples, of the PDF in the examples, and of
// qpdf's variants. The variants have object streams, are linearized, or are encrypted in each way
// that opens without a password.
func TestPDFInfo(t *testing.T) {
	documents := []payload{{filepath.Join("..", "..", "examples", "site", "www", "doc", "leaflet.pdf"),
		"application/pdf"}}
	documents = append(documents, begins(payloads(t), "%PDF-")...)
	for _, p := range documents[:len(documents):len(documents)] {
		documents = append(documents, variants(t, p)...)
	}
	tool := newTool(t, "pdf", map[string]string{"output": "text"})
	agreed, compared := 0, 0
	for _, p := range documents {
		ours, failed := ask(t, tool, p)
		theirs, status := peers.Try(t, nil, "pdfinfo", "-isodates", p.path)
		if status != 0 || failed {
			t.Logf("%s: pdfinfo ends with status %d, ours: %s", p.path, status, ours)
			if failed && status == 0 {
				t.Errorf("%s: pdfinfo can read it", p.path)
			}
			continue
		}
		a, b := table(string(ours)), table(theirs)
		for _, fact := range facts {
			compared++
			if x, y := same(fact, a[fact]), same(fact, b[fact]); x == y {
				agreed++
			} else {
				t.Errorf("%s: %s is %q, and %q by pdfinfo", filepath.Base(p.path), fact, x, y)
			}
		}
	}
	t.Logf("%d documents, %d of %d facts agree", len(documents), agreed, compared)
}

// variants has qpdf rewrite a document.
func variants(t *testing.T, p payload) (all []payload) {
	t.Helper()
	if _, err := exec.LookPath("qpdf"); err != nil {
		t.Log("qpdf is not there")
		return nil
	}
	dir := t.TempDir()
	for i, args := range []string{
		"--object-streams=generate", "--linearize", "--encrypt  own 40 --",
		"--encrypt  own 128 --use-aes=n -- --object-streams=generate", "--encrypt  own 128 --use-aes=y --",
		"--encrypt  own 256 -- --object-streams=generate",
	} {
		out := filepath.Join(dir, fmt.Sprintf("%s-%d.pdf", filepath.Base(p.path), i))
		command := append([]string{"--warning-exit-0", "--allow-weak-crypto"}, strings.Split(args, " ")...)
		if said, status := peers.Try(t, nil, "qpdf", append(command, p.path, out)...); status != 0 {
			t.Logf("qpdf %v %s: %s", args, p.path, said)
			continue
		}
		all = append(all, payload{out, "application/pdf"})
	}
	return all
}

// table parses lines of "name: value" and keeps the first of each name.
func table(s string) map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(s) {
		if name, value, ok := strings.Cut(line, ":"); ok && m[name] == "" {
			m[name] = strings.Join(strings.Fields(value), " ")
		}
	}
	return m
}

// same normalizes a fact. pdfinfo treats a date without a zone as UTC, and rounds sizes to six
// digits.
func same(fact, value string) string {
	switch fact {
	case "CreationDate", "ModDate":
		value = strings.TrimSuffix(strings.TrimSuffix(value, "Z"), ":00")
		value = strings.TrimSuffix(value, "+00")
		if len(value) > 19 {
			value = strings.TrimSuffix(value, ":00")
		}
		return strings.TrimSuffix(value, ":00")
	case "Encrypted":
		value, _, _ = strings.Cut(value, " ")
	case "Form":
		value = strings.TrimPrefix(value, "none")
	case "Page size":
		var sizes []string
		for i, part := range strings.Fields(value) {
			if f, err := strconv.ParseFloat(part, 64); err == nil && i < 3 {
				sizes = append(sizes, strconv.FormatFloat(f, 'f', 1, 64))
			}
		}
		return strings.Join(sizes, " x ")
	}
	return value
}
