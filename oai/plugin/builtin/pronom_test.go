package builtin

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// onePixel is a GIF.
const onePixel = "GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff\x2c\x00\x00\x00\x00\x01\x00\x01" +
	"\x00\x00\x02\x02\x44\x01\x00\x3b"

func pronomOf(t *testing.T, b []byte, mime string) (said identified) {
	t.Helper()
	if err := json.Unmarshal([]byte(run(t, "pronom", nil, content(b, mime))), &said); err != nil {
		t.Fatal(err)
	}
	return said
}

func TestPronom(t *testing.T) {
	said := pronomOf(t, []byte(onePixel), "image/gif")
	if len(said.Formats) != 1 || said.Formats[0].PUID != "fmt/4" ||
		!strings.Contains(said.Formats[0].Basis, "byte match") || said.Warning != "" ||
		!strings.HasPrefix(said.Software, "siegfried ") {
		t.Errorf("%+v", said)
	}
	if said := pronomOf(t, []byte(onePixel), "text/html"); said.Warning != "it was declared as text/html" ||
		len(said.Formats) != 1 {
		t.Errorf("%+v", said)
	}
	if said := pronomOf(t, nil, "image/gif"); said.Warning != "the payload is empty" || len(said.Formats) != 0 {
		t.Errorf("%+v", said)
	}
	if got := run(t, "pronom", map[string]string{"output": "text"},
		content([]byte(onePixel), "image/gif")); !strings.HasPrefix(got, "fmt/4\tGraphics Interchange "+
		"Format\t89a\timage/gif\t") {
		t.Errorf("%q", got)
	}
	if got := run(t, "pronom", map[string]string{"output": "text"},
		content(nil, "image/gif")); got != "UNKNOWN\t\t\t\t\tthe payload is empty\n" {
		t.Errorf("%q", got)
	}
}

// Of bytes larger than the window, the tool also reads the end.
func TestPronomOfManyBytes(t *testing.T) {
	b := fmt.Appendf(nil,
		"%%PDF-1.4\n%s1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>\nstartxref\n9\n%%%%EOF\n",
		strings.Repeat("% nothing\n", 300_000))
	said := pronomOf(t, b, "application/pdf")
	if len(said.Formats) != 1 || said.Formats[0].PUID != "fmt/18" ||
		!strings.Contains(said.Formats[0].Basis, fmt.Sprintf("the last 131072 of %d bytes", len(b))) {
		t.Errorf("%+v", said)
	}
}

func TestPronomRefusesASignatureFileThatIsNone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.sig")
	if err := os.WriteFile(path, []byte("siegfried?"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := New("pronom", "pronom", map[string]string{"signature": path}); err == nil ||
		!strings.Contains(err.Error(), path) {
		t.Error(err)
	}
}

func BenchmarkPronom(b *testing.B) {
	tool, err := New("pronom", "pronom", nil)
	if err != nil {
		b.Fatal(err)
	}
	page := strings.Repeat("<p>A page of some kilobytes, as there are many.</p>\n", 200)
	for i := range b.N {
		c := content(fmt.Appendf(nil, "<!DOCTYPE html><html><head><title>%d</title></head><body>%s</body></html>", i,
			page), "text/html")
		if _, err := tool.Run(b.Context(), c); err != nil {
			b.Fatal(err)
		}
	}
}
