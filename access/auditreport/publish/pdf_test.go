package publish

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quire/access/auditreport"
)

// TestPDF: the file has its parts in place, embeds its fonts, and the signature does not move the
// table of objects.
func TestPDF(t *testing.T) {
	sign, _ := keyed(t)
	file := written(t, PDF, sign)
	at := bytes.LastIndex(file, []byte("startxref\n"))
	var offset int
	if _, err := fmt.Sscanf(string(file[at:]), "startxref\n%d\n%%%%EOF", &offset); err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(file, []byte("%PDF-")) || !bytes.HasPrefix(file[offset:], []byte("xref\n")) {
		t.Errorf("at %d is %q", offset, file[offset:offset+10])
	}
	if n := bytes.Count(file, []byte("/FontFile2")); n != 3 {
		t.Errorf("%d fonts are embedded", n)
	}
}

// TestPDFText reads the text of the file with pdftotext, where it is installed.
func TestPDFText(t *testing.T) {
	tool, err := exec.LookPath("pdftotext")
	if err != nil {
		t.Skip("pdftotext is not installed")
	}
	path := filepath.Join(t.TempDir(), "r.pdf")
	if err := os.WriteFile(path, written(t, PDF, nil), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(tool, "-layout", path, "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	text := string(out)
	for _, want := range []string{"Report on the repository", "Národní knihovna · Εθνική · Библиотека",
		"NDSA Levels, edition 2.0 (2019)", "And 50 more.", "attested: not met", "1,234,567", "closed package"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text has no %q", want)
		}
	}
}

// TestPDFLong: a cell that is longer than a page, and characters without a glyph, end in a file.
func TestPDFLong(t *testing.T) {
	r := full()
	r.Frameworks[0].Rows[0].Claims[0].Statement = strings.Repeat("long ", 5000) + strings.Repeat("x", 5000) +
		"\U0001F600漢"
	var out bytes.Buffer
	if err := pdf(&out, r, documentOf(r, false)); err != nil {
		t.Fatal(err)
	}
	if pages := bytes.Count(out.Bytes(), []byte("/Type /Page\n")); pages < 10 || pages > 60 {
		t.Errorf("%d pages", pages)
	}
	if err := pdf(&out, &auditreport.Report{}, documentOf(&auditreport.Report{}, false)); err != nil {
		t.Error("an empty report:", err)
	}
}
