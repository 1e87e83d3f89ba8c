//go:build interop

package tools

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/interop/internal/peers"
	"quire/model"
	"quire/preserve/inspect"
	"quire/preserve/policy"
)

// TestValidators judges documents and pictures by examples/policy/producers.yaml: with veraPDF,
// JHOVE, ExifTool and jpylyzer, in the jail.
func TestValidators(t *testing.T) {
	venv := filepath.Join(peers.Tools(t), "venv")
	doc := string(file(t, "..", "..", "examples", "policy", "producers.yaml"))
	doc = strings.ReplaceAll(doc, "/opt/verapdf", installVeraPDF(t))
	doc = strings.ReplaceAll(doc, "/opt/jhove", installJHOVE(t))
	doc = strings.ReplaceAll(doc, "[jpylyzer, ", fmt.Sprintf("[%s/bin/python, %s/bin/jpylyzer, ", venv, venv))
	doc = strings.Replace(doc, "x-fmt/392]", "x-fmt/392]\n    reads: ["+venv+", "+pythonOf(t, venv)+"]", 1)
	p, err := policy.Read(strings.NewReader(doc))
	if err != nil {
		t.Fatal(err)
	}
	jp2 := jpeg2000(t, venv)
	path := filepath.Join(t.TempDir(), "producers.warc")
	if err := os.WriteFile(path, warcOf(
		"good.pdf", pdfa(""), "colour.pdf", pdfa("1 0 0 rg 0 0 50 50 re f"), "copy.pdf",
		pdfa("1 0 0 rg 0 0 50 50 re f"),
		"broken.pdf", bytes.Replace(pdfa(""), []byte("/Kids [3 0 R]"), []byte("/Kids (3 0 R)"), 1),
		"encrypted.pdf", bytes.Replace(pdfa(""), []byte("trailer\n<<"),
			[]byte("trailer\n<< /Encrypt << /Filter /Standard "+
				"/V 1 /R 2 /P -44 /O (................................) /U (................................) >>"), 1),
		"good.jp2", jp2, "short.jp2", jp2[:len(jp2)-20], "page.html", []byte("<html>no document</html>"),
	), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	j, err := policy.JudgeFiles(ctx, []string{path}, p, nil, func(path string,
		o inspect.Options) (*model.Container, error) {
		return inspect.File(ctx, path, o)
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range j.Tools {
		t.Log(&tool)
		failed := int64(0)
		if tool.Label == "verapdf" { // it cannot parse the broken one, nor the encrypted one
			failed = 2
		}
		if tool.Run == 0 || tool.Failed != failed || tool.NotRun > 0 ||
			!strings.ContainsAny(tool.Version, "0123456789") {
			t.Errorf("%s, %v", &tool, tool.WhyWhere)
		}
	}
	for id, want := range map[string][]string{
		"pdfa-conforms": {"colour.pdf", "copy.pdf"},
		"pdf-valid":     {"broken.pdf"}, "pdf-encrypted": {"encrypted.pdf"}, "jp2-valid": {"short.jp2"},
	} {
		r := j.Rules[slices.IndexFunc(j.Rules, func(r policy.Result) bool { return r.ID == id })]
		var got []string
		for _, place := range r.First {
			url, _, _ := strings.Cut(place.What, "; ")
			got = append(got, strings.TrimPrefix(url, "http://x.example/"))
		}
		for _, name := range want {
			if !slices.Contains(got, name) {
				t.Errorf("%s: broken by %v, want %s", id, got, name)
			}
		}
		if slices.Contains(got, "good.pdf") || slices.Contains(got, "good.jp2") ||
			(r.NotJudged > 0) != (id == "pdfa-conforms") {
			t.Errorf("%s: broken by %v; not judged %d: %s", id, got, r.NotJudged, r.Why)
		}
	}
}

// installVeraPDF installs veraPDF once in the folder that its script expects, and returns the
// folder.
func installVeraPDF(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join(peers.Tools(t), "verapdf-tool"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"verapdf", "verapdf-pom.xml"} {
		content := file(t, "..", "..", "examples", "policy", name)
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "lib")); err != nil {
		peers.Call(t, nil, filepath.Join(dir, "verapdf"), "--install")
	}
	return dir
}

// pythonOf returns the folder of the Python that a virtual environment uses.
func pythonOf(t *testing.T, venv string) string {
	t.Helper()
	return strings.TrimSpace(peers.Call(t, nil, filepath.Join(venv, "bin", "python"), "-c",
		"import sys; print(sys.base_prefix)"))
}

// jpeg2000 returns a small picture, written by OpenJPEG.
func jpeg2000(t *testing.T, venv string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.jp2")
	peers.Call(t, nil, filepath.Join(venv, "bin", "python"), "-c",
		"import sys; from PIL import Image; Image.new('RGB', (32, 32), (200, 10, 10)).save(sys.argv[1])", path)
	return file(t, path)
}

// warcOf returns a WARC of files, by name and content.
func warcOf(files ...any) []byte {
	var b bytes.Buffer
	for i := 0; i < len(files); i += 2 {
		content := files[i+1].([]byte)
		fmt.Fprintf(&b, "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:x:%d>\r\nWARC-Date: "+
			"2024-01-02T03:04:05Z\r\nWARC-Target-URI: http://x.example/%s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
			i, files[i], len(content), content)
	}
	return b.Bytes()
}

// pdfa returns a PDF/A-1b of one page with that content. Colours break the standard: there is no
// output intent.
func pdfa(content string) []byte {
	const xmp = `<?xpacket begin="` + "\ufeff" +
		`" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">` +
		`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" ` +
		`xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"><pdfaid:part>1</pdfaid:part><pdfaid:conformance>B` +
		`</pdfaid:conformance></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R /Metadata 4 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Resources << >> /Contents 5 0 R >>",
		fmt.Sprintf("<< /Type /Metadata /Subtype /XML /Length %d >>\nstream\n%s\nendstream", len(xmp), xmp),
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(content), content),
	}
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
	places := make([]int, len(objects))
	for i, o := range objects {
		places[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, at := range places {
		fmt.Fprintf(&b, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R /ID [<00112233445566778899aabbccddeeff> "+
		"<00112233445566778899aabbccddeeff>] >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, start)
	return b.Bytes()
}
