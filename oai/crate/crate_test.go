package crate

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"quire/metadata/xmlstream"
	"quire/oai/crate/schemas"
	"quire/oai/plugin"
	"quire/oai/resource"
)

var when = time.Date(2026, 11, 22, 22, 30, 0, 0, time.UTC)

// written returns a CRATE as a document.
func written(t testing.TB, c *Crate) string {
	t.Helper()
	var b bytes.Buffer
	x := xmlstream.NewWriter(&b, xmlstream.Options{Indent: true})
	if err := Write(x, c); err != nil {
		t.Fatal(err)
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// read reads a document and returns the bytes of its resources, concatenated.
func read(t testing.TB, doc string) (*Document, string) {
	t.Helper()
	x := xmlstream.NewReader(strings.NewReader(doc), xmlstream.Limits{})
	if _, err := x.Root(); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	d, err := Read(x, ReadOptions{Bytes: func(*Document, *Resource) (io.Writer, error) { return &b, nil }})
	if err == nil {
		err = x.Finish()
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, doc)
	}
	return d, b.String()
}

func TestRoundTrip(t *testing.T) {
	const content = "\xff\xd8\xff\xe0 a picture"
	s := newSum(io.Discard, true)
	_, _ = io.WriteString(s, content)
	c := &Crate{
		Identifier: "https://a.example/foo2.jpg", Created: when,
		Head: &Head{Proto: "HTTP/1.1", Status: 200, Fields: []resource.Field{
			{Name: "Server", Value: "odd \x01\xff bytes"}, {Name: "content-type", Value: "image/jpeg"},
			{Name: "X-Empty", Value: ""}, {Name: "Server", Value: " twice"}}},
		Results: []plugin.Result{
			{Label: "file", Version: "5.44", Jail: "no network; not held: <signals>", Tool: "file",
				Command: "file -b 'a\nb' \"x\"\tinput.jpg", Began: when.Add(-time.Hour),
				Output: plugin.Output{MIMEType: "text/plain", Bytes: []byte("data")}},
			{Label: "md5", Version: "1", Output: plugin.Output{MIMEType: "text/plain", Bytes: []byte("d41d8\n")}},
			{Label: "xml", Version: "2 \x00",
				Output: plugin.Output{MIMEType: "text/xml", Bytes: []byte("<a>&amp;\r\n</a>")}},
			{Label: "raw", Outcome: plugin.Truncated,
				Output: plugin.Output{MIMEType: "image/png", Bytes: []byte("\x89PNG\x00")}},
			{Label: "gone", Outcome: plugin.Failed, Reason: "ended with status 127",
				Output: plugin.Output{MIMEType: "text/plain", Bytes: []byte("sh: jhove: command not found")}},
		},
		Generator: Generator{Name: "Quire", Version: "1.2"},
		Name:      "foo 2 <&\".jpg", Modified: when.Add(-48 * time.Hour),
		Sources: []resource.Source{{Document: "urn:uuid:1", Created: when, Generator: "Quire 1.0",
			From: "https://b.example/oai?verb=ListRecords&x=y", Harvested: when, Results: []plugin.Result{
				{Label: "file", Version: "5.30", Tool: "file", Command: "file -b input",
					Output: plugin.Output{MIMEType: "text/plain", Bytes: []byte("older & other\x00")}}}}},
		Notices:  []Notice{{NoTools, "one tool <was> not asked"}},
		MIMEType: "image/jpeg", Coding: "gzip", Fixity: s.fixity(), Bytes: strings.NewReader(content),
		Ref: "https://a.example/foo2.jpg",
	}
	d, got := read(t, written(t, c))
	if got != content {
		t.Errorf("bytes %q", got)
	}
	want := &Document{ID: d.ID, Created: when, Identifier: c.Identifier, Head: c.Head, Results: c.Results,
		Generator: &Generator{Name: "Quire", Version: "1.2"}, Sources: c.Sources,
		Notices: c.Notices, Resources: []Resource{
			{Component: 1, MIMEType: "image/jpeg", Coding: []string{"gzip"}, ByValue: true, Stated: c.Fixity,
				Found: c.Fixity, Name: c.Name, Modified: c.Modified},
			{Component: 1, MIMEType: "image/jpeg", Coding: []string{"gzip"}, Ref: c.Ref, Stated: c.Fixity,
				Found: Fixity{Size: -1}, Name: c.Name, Modified: c.Modified},
		}}
	for _, s := range schemas.All {
		want.Generator.Schemas = append(want.Generator.Schemas, SchemaName{s.Namespace, s.SWHID, s.SHA256})
	}
	for i := range d.Sources {
		if !IsSource(d.Sources[i].XML) {
			t.Errorf("source %q", d.Sources[i].XML)
		}
		d.Sources[i].XML = ""
	}
	if !reflect.DeepEqual(d, want) {
		t.Errorf("read   %s\nwant %s", show(d), show(want))
	}
	if !strings.HasPrefix(d.ID, "urn:uuid:") {
		t.Errorf("document ID %q", d.ID)
	}
}

func show(d *Document) string { return strings.ReplaceAll(fmt.Sprintf("%+v", *d), " ", "\n ") }
