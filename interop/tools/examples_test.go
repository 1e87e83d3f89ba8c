//go:build interop

package tools

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/interop/internal/peers"
	"quire/oai/config"
	"quire/oai/plugin"
	"quire/oai/plugin/builtin"
)

// TestExamples runs each tool of examples/crate/plugins.yaml on a file that it supports, and on one
// that it does not.
func TestExamples(t *testing.T) {
	examples := filepath.Join("..", "..", "examples")
	c, err := config.Load(filepath.Join(examples, "crate", "plugins.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	jhove := installJHOVE(t)
	for i := range c.Plugins {
		for _, list := range [][]string{c.Plugins[i].Command, c.Plugins[i].Version, c.Plugins[i].Reads} {
			for j := range list {
				list[j] = strings.Replace(list[j], "/opt/jhove", jhove, 1)
			}
		}
	}
	problem := func(label string, err error) { t.Errorf("%s: %v", label, err) }
	tools, err := plugin.New(plugin.Options{Configs: c.Plugins, Builtin: builtin.New, Problem: problem,
		TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tools.Close(); err != nil {
			t.Error(err)
		}
	})
	picture, leaflet := file(t, examples, "site/pictures/quay.jpg"), file(t, examples, "site/www/doc/leaflet.pdf")
	text := []byte(strings.Repeat("The harbour museum keeps forty old ships. They can be seen at the quay. Tickets "+
		"are sold at the door. The café has a view. ", 4))
	for _, c := range []struct {
		mime  string
		bytes []byte
		want  map[string]string // output of a tool, by label
	}{
		{"image/jpeg", picture, map[string]string{"md5": "\n", "pronom": "fmt/41", "exif": `"container": "JPEG"`,
			"file": "image/jpeg", "exiftool": `"File:FileType": "JPEG"`, "jhove": "<format>JPEG"}},
		{"application/pdf", leaflet, map[string]string{"pdf": `"pages": 1`, "pdfinfo": "Pages:           1",
			"exiftool": `"PDF:PageCount": 1`, "jhove": "<format>PDF"}},
		{"text/plain", text, map[string]string{"ots": "museum", "summary": "museum", "phrases": "old ships",
			"file": "text/plain"}},
		{"audio/x-wav", wave(), map[string]string{"mediainfo": `"Format": "PCM"`,
			"exiftool": `"RIFF:SampleRate": 8000`}},
		{"text/html", file(t, examples, "site/www/index.html"),
			map[string]string{"html": `"title"`, "file": "text/html"}},
	} {
		held, err := plugin.Hold(context.Background(), bytes.NewReader(c.bytes),
			plugin.HoldOptions{URL: "http://a.example/x", MIMEType: c.mime, TempDir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		results, err := tools.Run(context.Background(), &held.Content)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range results {
			if want, ok := c.want[r.Label]; ok &&
				(r.Outcome != plugin.Good || !strings.Contains(string(r.Bytes), want) || r.Version == "") {
				t.Errorf("%s of %s: %q by %q, %s", r.Label, c.mime, r.Outcome, r.Version, r.Bytes)
			}
			t.Logf("%s of %s: %s, %s %v", r.Label, c.mime, r.Version, r.MIMEType, r.Taken)
			delete(c.want, r.Label)
		}
		for label := range c.want {
			t.Errorf("%s says nothing of %s", label, c.mime)
		}
		if err := held.Close(); err != nil {
			t.Error(err)
		}
	}
}

func file(t *testing.T, elem ...string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(elem...))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// installJHOVE installs JHOVE once in the folder that its script expects, and returns the folder.
func installJHOVE(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join(peers.Tools(t), "jhove-tool"))
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(dir, "jhove")
	for _, name := range []string{"jhove", "jhove.conf", "jhove-pom.xml"} {
		content := file(t, "..", "..", "examples", "crate", name)
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "lib")); err != nil {
		if said, status := peers.Try(t, nil, script, "--version"); status != 69 ||
			!strings.Contains(said, "JHOVE is not installed. Run "+script+" --install") {
			t.Errorf("where JHOVE is not installed: status %d, %s", status, said)
		}
		peers.Call(t, nil, script, "--install")
	}
	return dir
}

// wave returns a second of silence.
func wave() []byte {
	const rate = 8000
	b := binary.LittleEndian.AppendUint32([]byte("RIFF"), 36+rate)
	b = binary.LittleEndian.AppendUint32(append(b, "WAVEfmt "...), 16)
	for _, n := range []uint16{1, 1} {
		b = binary.LittleEndian.AppendUint16(b, n)
	}
	b = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(b, rate), rate)
	b = binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(b, 1), 8)
	b = binary.LittleEndian.AppendUint32(append(b, "data"...), rate)
	return append(b, bytes.Repeat([]byte{128}, rate)...)
}
