package crate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/internal/schematest"
	"quire/internal/testsamples"
	"quire/metadata/mods"
	"quire/oai/plugin"
	"quire/oai/protocol"
	"quire/oai/provider"
	"quire/oai/resource"
)

// collection is a collection of resources in memory.
type collection map[string]*resource.Resource

func (c collection) Earliest(context.Context) (time.Time, error) { return when, nil }
func (c collection) Sets(context.Context, string) iter.Seq2[protocol.Set, error] {
	return func(func(protocol.Set, error) bool) {}
}
func (c collection) Header(_ context.Context, id string) (protocol.Header, error) {
	r, ok := c[id]
	if !ok {
		return protocol.Header{}, provider.ErrNotFound
	}
	return protocol.Header{Identifier: id, Datestamp: when, Deleted: r == nil}, nil
}
func (c collection) List(context.Context, provider.Query) iter.Seq2[protocol.Header, error] {
	return func(func(protocol.Header, error) bool) {}
}
func (c collection) Count(context.Context, provider.Query) (int64, bool, error) { return 0, false, nil }
func (c collection) Resource(_ context.Context, id string) (*resource.Resource, error) {
	if c[id] == nil {
		return nil, provider.ErrNotFound
	}
	return c[id], nil
}

// page returns a resource of a website.
func page(url, mimeType, content string) *resource.Resource {
	return &resource.Resource{
		Identifier: url, URL: url, Datestamp: when, Proto: "HTTP/1.1", Status: 200, MIMEType: mimeType,
		Size: int64(len(content)),
		Header: []resource.Field{{Name: "Content-Type", Value: mimeType + "; charset=utf-8"},
			{Name: "Content-Length", Value: fmt.Sprint(len(content))},
			{Name: "Last-Modified", Value: "Sun, 22 Nov 2026 10:00:00 GMT"}, {Name: "X-Odd", Value: "caf\xe9 \x01"}},
		Open: opens(content),
	}
}

// opens returns an Open function for a content.
func opens(content string) func(context.Context) (io.ReadCloser, error) {
	return func(context.Context) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content)), nil }
}

// tools is an Examiner with a given function.
type tools func(c *plugin.Content) ([]plugin.Result, error)

func (t tools) Run(_ context.Context, c *plugin.Content) ([]plugin.Result, error) { return t(c) }

// record returns a resource in a format.
func record(t testing.TB, d *Disseminator, r *resource.Resource, prefix string) string {
	t.Helper()
	var b bytes.Buffer
	if err := d.Backend(collection{r.Identifier: r}).Write(t.Context(), protocol.Header{Identifier: r.Identifier},
		prefix, &b); err != nil {
		t.Fatalf("%s of %s: %v", prefix, r.URL, err)
	}
	return b.String()
}

// valid fails unless the records are valid inside an OAI-PMH answer.
func valid(t *testing.T, records ...string) {
	t.Helper()
	var b strings.Builder
	b.WriteString(`<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>` +
		`2026-11-22T22:30:00Z</responseDate><request>https://a.example/oai</request><ListRecords>`)
	for _, r := range records {
		b.WriteString("<record><header><identifier>https://a.example/</identifier><datestamp>" +
			"2026-11-22T22:30:00Z</datestamp></header><metadata>" + r + "</metadata></record>\n")
	}
	b.WriteString("</ListRecords></OAI-PMH>")
	schematest.Valid(t, driver(t), []byte(b.String()))
}

// driver returns the path of the schemas of OAI-PMH, its formats, and ours.
func driver(t *testing.T) string {
	t.Helper()
	folder, schemas := t.TempDir(), testsamples.Path(t, "schemas")
	entries, err := os.ReadDir(schemas)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries { // the driver expects them in its folder
		if e.Name() == "drivers" {
			continue
		}
		if err := os.Symlink(filepath.Join(schemas, e.Name()), filepath.Join(folder, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	ourSchemas, err := filepath.Abs("schemas")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(schemas, "drivers", "oai-all.xsd"))
	if err != nil {
		t.Fatal(err)
	}
	ours := fmt.Sprintf(`<xs:import namespace="%s" schemaLocation="%s/crate.xsd"/><xs:import namespace="%s" `+
		`schemaLocation="%s/http_header.xsd"/></xs:schema>`,
		Namespace, ourSchemas, HeadNamespace, ourSchemas)
	file := filepath.Join(folder, "drivers", "oai-all.xsd")
	if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), "</xs:schema>", ours, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

const html = `<html lang="de"><head><title>Über uns &amp; mehr</title><meta name="author" content="A. Müller">` +
	`<meta name="keywords" content="a, b">
<meta name="odd" content="x"><meta name="dcterms.modified" content="2026-01-01"></head><body>…</body></html>`

// kinds returns resources of all kinds.
func kinds() map[string]*resource.Resource {
	described := page("https://a.example/described", "text/html", html)
	described.Description = &mods.Record{Content: mods.Content{
		Titles: []mods.Title{{NonSort: "The", Title: "site", SubTitle: "of A.", Lang: "en"}},
		Names: []mods.Name{{Type: "personal",
			Parts: []mods.NamePart{{Type: "family", Text: "Müller"}, {Type: "given", Text: "A."}},
			Roles: []mods.Role{mods.Marc("creator")}}},
		Notes: []mods.Note{{Text: "seen \x01"}},
	}}
	captured := page("http://a.example/100%", "image/png", "\x89PNG")
	captured.Identifier, captured.Captured = "urn:x-quire:capture:20261122101500:http%3A%2F%2Fa.example%2F100%25", when
	captured.Events = []resource.Event{{Type: "capture", Detail: "Heritrix", Outcome: "success", Time: when},
		{Type: "virus check", Time: when.Add(time.Hour)}}
	withheld := page("https://a.example/secret", "text/html", html)
	withheld.Withheld = "closed until 2030: <statute>"
	headless := page("https://a.example/file", "", "x")
	headless.Header, headless.Status, headless.Proto, headless.Size = nil, 0, "", -1
	broken := page("https://a.example/broken", "text/plain", "x")
	broken.Open = func(context.Context) (io.ReadCloser, error) { return nil, errors.New("500 Internal \x01 Error") }
	return map[string]*resource.Resource{
		"page":  page("https://a.example/", "text/html", html),
		"image": page("https://a.example/a b[1].png", "image/png", "\x89PNG\x00"),
		"empty": page("https://a.example/empty", "text/css", ""), "described": described, "captured": captured,
		"withheld": withheld,
		"headless": headless, "broken": broken,
	}
}

func TestEveryFormatIsValid(t *testing.T) {
	d := &Disseminator{Now: func() time.Time {
		return when
	}, Schemas: "https://a.example/modoai/schemas", Tools: tools(func(c *plugin.Content) ([]plugin.Result, error) {
		return []plugin.Result{{Label: "size", Version: "1",
			Output: plugin.Output{MIMEType: "text/plain", Bytes: fmt.Append(nil, c.Size, "\x00")}},
			{Label: "pronom", Version: "quire-pronom 1; siegfried 1.11.2",
				Output: plugin.Output{MIMEType: "application/json",
					Bytes: []byte(`{"software":"siegfried 1.11.2","formats":[{"puid":"fmt/4","name":"Graphics ` +
						`Interchange Format","version":"89a","basis":"byte match"}]}`)}},
			{Label: "x\x02", Outcome: plugin.TimedOut, Reason: "after 1s"}}, nil
	})}
	for _, bare := range []bool{false, true} {
		var all []string
		for name, r := range kinds() {
			for _, f := range d.Backend(nil).Formats() {
				if f.Prefix == "http_header" && name == "headless" {
					continue
				}
				all = append(all, record(t, d, r, f.Prefix))
			}
		}
		valid(t, all...)
		if bare {
			break
		}
		d = &Disseminator{}
	}
}
