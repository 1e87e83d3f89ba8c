package harvest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"quire/format/warc"
	"quire/metadata/xmlstream"
	"quire/oai/crate"
	"quire/oai/crate/schemas"
	"quire/oai/plugin"
	"quire/oai/provider"
	"quire/oai/resource"
)

// documentIn reads a kept document, and returns it with its bytes.
func documentIn(t *testing.T, text string) (*crate.Document, string) {
	t.Helper()
	x := xmlstream.NewReader(strings.NewReader(text), xmlstream.Limits{})
	if _, err := x.Root(); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	d, err := crate.Read(x, crate.ReadOptions{Bytes: func(*crate.Document, *crate.Resource) (io.Writer, error) {
		return &b, nil
	}})
	if err == nil {
		err = x.Finish()
	}
	if err != nil || len(d.Problems) > 0 {
		t.Fatal(err, d.Problems)
	}
	return d, b.String()
}

// The document of each CRATE is kept as received behind its parts, if asked for, and in later
// harvests of the folder.
func TestDocuments(t *testing.T) {
	s := newSite()
	s.put("http://a.example/1.txt", "first", noon)
	var sent string
	url := s.serve(t, crate.Disseminator{}, provider.Options{}, nil)
	get := func() {
		answer, err := http.Get(url + "?verb=GetRecord&metadataPrefix=oai_crate&identifier=http://a.example/1.txt")
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		sent = regexp.MustCompile(`(?s)<didl:DIDL.*</didl:DIDL>`).FindString(string(text))
		if err != nil || sent == "" {
			t.Fatal(string(text), err)
		}
	}
	get()
	out := filepath.Join(t.TempDir(), "out")
	o := options(url, out)
	o.Documents = true
	mustRun(t, o)
	all := containersOf(t, out)
	var parts []string
	for _, w := range all {
		parts = append(parts, w.kind+" "+w.part)
	}
	want := "[warcinfo  resource  metadata facts metadata http-header metadata tool-output metadata tool-output " +
		"metadata document metadata schema metadata schema]"
	if fmt.Sprint(parts) != want {
		t.Fatalf("%v\nwant %s", parts, want)
	}
	kept := all[len(all)-3]
	doc, body := documentIn(t, kept.block)
	if body != "first" || doc.Identifier != "http://a.example/1.txt" || len(doc.Results) != 2 ||
		kept.concurrent != all[1].id || kept.uri != all[1].uri || kept.contentType != "text/xml" {
		t.Errorf("%+v", kept)
	}
	// All that differs from the bytes on the way is the time of the document, and its id.
	normal := func(s string) string {
		return regexp.MustCompile(`urn:uuid:[0-9a-f-]*|20[0-9T:-]*Z`).ReplaceAllString(s, "")
	}
	if _, got, _ := strings.Cut(normal(kept.block), ">"); !strings.HasSuffix(normal(sent), got) || len(got) < 1000 {
		t.Errorf("kept\n%s\nsent\n%s", kept.block, sent)
	}
	s.put("http://a.example/2.txt", "second", time.Now().UTC().Truncate(time.Second))
	o.Documents = false
	mustRun(t, o)
	documents := 0
	for _, w := range containersOf(t, out) {
		if w.part == "document" {
			documents++
		}
	}
	if documents != 2 {
		t.Errorf("%d documents", documents)
	}
}

// As plain files, the document and the schemas are files, too.
func TestDocumentFiles(t *testing.T) {
	s := newSite()
	s.put("http://a.example/1.txt", "first", noon)
	out := filepath.Join(t.TempDir(), "out")
	o := options(s.serve(t, crate.Disseminator{}, provider.Options{}, nil), out)
	o.As, o.Documents = Files, true
	mustRun(t, o)
	text, err := os.ReadFile(filepath.Join(out, "files", "a.example", "1.txt=document.xml"))
	if err != nil {
		t.Fatal(err)
	}
	if doc, body := documentIn(t, string(text)); body != "first" || doc.Generator == nil {
		t.Errorf("%q, %+v", body, doc)
	}
	listing, err := os.Open(filepath.Join(out, "files.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer listing.Close()
	parts := map[string]int{}
	for lines := bufio.NewScanner(listing); lines.Scan(); {
		var l listed
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		parts[l.Part]++
		if l.Part == "schema" {
			content, err := os.ReadFile(filepath.Join(out, filepath.FromSlash(l.Path)))
			known, ok := schemas.Named(l.URI)
			if err != nil || !ok || string(content) != string(known.Text) {
				t.Errorf("%+v: %v", l, err)
			}
		}
	}
	if fmt.Sprint(parts) != "map[content:1 document:1 facts:1 http-header:1 schema:2 tool-output:2]" {
		t.Error(parts)
	}
}

// statingTool states all facts of a run.
type statingTool struct{}

var stated1 = plugin.Result{Label: "file", Version: "5.44", Tool: "file", Command: "file -b 'in put.jpg'",
	Began: noon, Outcome: plugin.Failed, Reason: "ended with status 1", Jail: "no network",
	Output: plugin.Output{MIMEType: "text/plain", Bytes: []byte("now")}}

func (statingTool) Run(context.Context, *plugin.Content) ([]plugin.Result, error) {
	return []plugin.Result{stated1}, nil
}

// sourced is a site with the output of earlier tools, and two resources in one record.
type sourced struct{ *site }

func (s sourced) Resource(ctx context.Context, id string) (*resource.Resource, error) {
	r, err := s.site.Resource(ctx, id)
	r.Sources = func(context.Context) ([]resource.Source, error) {
		return []resource.Source{{Document: "urn:uuid:2", From: "https://b.example/oai", Results: []plugin.Result{
			{Label: "old", Output: plugin.Output{MIMEType: "text/plain", Bytes: []byte("before")}}}}}, nil
	}
	return r, err
}

// All that a CRATE states of a run of a tool is in the record with its output. The output of earlier
// tools is a record of its own.
func TestFactsOfRuns(t *testing.T) {
	s := newSite()
	s.put("http://a.example/1.txt", "first", noon)
	out := filepath.Join(t.TempDir(), "out")
	url := s.serveOf(t, sourced{s}, crate.Disseminator{Tools: statingTool{}}, provider.Options{}, nil)
	mustRun(t, options(url, out))
	f, err := os.Open(filepath.Join(out, "data-00001.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	seen := map[string]bool{}
	for r := warc.NewReader(f); ; {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		block, err := io.ReadAll(rec)
		if err != nil {
			t.Fatal(err)
		}
		part := rec.Get(FieldPart)
		seen[part] = true
		switch part {
		case "tool-output":
			for name, want := range map[string]string{FieldLabel: "file", FieldVersion: "5.44", FieldTool: "file",
				FieldCommand: "file -b 'in put.jpg'", FieldBegan: "2026-11-22T12:00:00Z", FieldOutcome: "failed",
				FieldReason: "ended with status 1", FieldJail: "no network", FieldResources: ""} {
				if got := rec.Get(name); got != want {
					t.Errorf("%s: %q, want %q", name, got, want)
				}
			}
			if string(block) != "now" {
				t.Errorf("%q", block)
			}
		case "source":
			source, problems := crate.ReadSource(block)
			if len(problems) > 0 || source.From != "https://b.example/oai" || len(source.Results) != 1 ||
				string(source.Results[0].Bytes) != "before" {
				t.Errorf("%s: %v, %+v", block, problems, source)
			}
		case "facts":
			for _, want := range []string{"resource-name: 1.txt\r\n", "document-generator: Quire\r\n",
				"document-schema: urn:x-quire:crate:1 swh:1:cnt:"} {
				if !strings.Contains(string(block), want) {
					t.Errorf("%q lacks %q", block, want)
				}
			}
		}
	}
	if !seen["tool-output"] || !seen["source"] || !seen["facts"] {
		t.Error(seen)
	}
}
