package builtin

import (
	"fmt"
	"strings"
	"testing"
)

// report returns a PDF of one page.
func report() []byte {
	var b strings.Builder
	b.WriteString("%PDF-1.4\n")
	var places []int
	for i, o := range []string{
		"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /MediaBox [0 0 200 100] >>",
		"<< /Title (Quay) /CreationDate (D:2026) >>",
	} {
		places = append(places, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	at := b.Len()
	b.WriteString("xref\n0 5\n0000000000 65535 f \n")
	for _, place := range places {
		fmt.Fprintf(&b, "%010d 00000 n \n", place)
	}
	fmt.Fprintf(&b, "trailer\n<< /Root 1 0 R /Info 4 0 R >>\nstartxref\n%d\n%%%%EOF\n", at)
	return []byte(b.String())
}

func TestPDF(t *testing.T) {
	const want = "Title: Quay\nCreationDate: 2026\nTagged: no\nPages: 1\nEncrypted: no\nPage size: 200 x 100 pts\n" +
		"Page rot: 0\nOptimized: no\nPDF version: 1.4\n"
	if got := run(t, "pdf", map[string]string{"output": "text"}, content(report(), "application/pdf")); got != want {
		t.Errorf("%s", got)
	}
	got := run(t, "pdf", nil, content(report(), "application/pdf"))
	for _, part := range []string{`"pages": 1`, `"width_points": 200`, `"title": "Quay"`, `"encryption": null`,
		`"claims": []`} {
		if !strings.Contains(got, part) {
			t.Errorf("%s is not in %s", part, got)
		}
	}
	if got := fails(t, "pdf", content([]byte("<html>"),
		"application/pdf")); got != "not a PDF: begins with \"<html>\"\n" {
		t.Errorf("%q", got)
	}
	if got := fails(t, "pdf", content([]byte("%PDF-1.4\n"), "application/pdf")); !strings.HasPrefix(got,
		"the PDF cannot be read: it begins as PDF 1.4") {
		t.Errorf("%q", got)
	}
}
