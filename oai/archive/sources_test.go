package archive

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/internal/repotest"
	"quire/metadata/xmlstream"
	"quire/model"
	"quire/oai/crate"
	"quire/oai/harvest"
	"quire/oai/plugin"
	"quire/oai/protocol"
	"quire/oai/provider"
	"quire/oai/provider/providertest"
	"quire/oai/resource"
)

// sourceSite is a website that archives harvest.
type sourceSite struct{ *providertest.Records }

func (s sourceSite) Resource(_ context.Context, id string) (*resource.Resource, error) {
	body := "body of " + id
	return &resource.Resource{Identifier: id, URL: id, Proto: "HTTP/1.1", Status: 200, MIMEType: "text/plain",
		Size: int64(len(body)),
		Header: []resource.Field{{Name: "X-Second", Value: "1"}, {Name: "content-TYPE", Value: "text/plain"},
			{Name: "ETag", Value: `"x"`}},
		Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(body)), nil }}, nil
}

// sourceTool is a tool of the website.
type sourceTool struct{}

func (sourceTool) Run(_ context.Context, c *plugin.Content) ([]plugin.Result, error) {
	return []plugin.Result{{Label: "file", Version: "5.30 é", Tool: "file", Command: "file -b input.txt",
		Began:  time.Date(2015, 1, 2, 3, 4, 5, 0, time.UTC),
		Output: plugin.Output{MIMEType: "text/plain", Bytes: []byte("SOURCE TOOL on " + c.URL + "\x00")}},
		{Label: "gone", Outcome: plugin.Failed, Reason: "ended with status 1", Jail: "no network"}}, nil
}

// nowTool is a tool of the archive.
type nowTool struct{}

func (nowTool) Run(context.Context, *plugin.Content) ([]plugin.Result, error) {
	return []plugin.Result{{Label: "file", Version: "5.44",
		Output: plugin.Output{MIMEType: "text/plain", Bytes: []byte("NOW")}}}, nil
}

// harvestOf harvests a collection, and returns the container.
func harvestOf(t *testing.T, d crate.Disseminator, c resource.Collection) string {
	t.Helper()
	server := httptest.NewServer(providertest.Provider(t, d.Backend(c), provider.Options{}))
	defer server.Close()
	out := filepath.Join(t.TempDir(), "out")
	if _, err := harvest.Run(t.Context(), harvest.Options{BaseURL: server.URL + "/oai", Out: out, Documents: true,
		Agent: model.Agent{Name: "Quire", Version: "test"}}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(out, "data-00001.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// crateOf returns the CRATE of a record.
func crateOf(t *testing.T, c resource.Collection, identifier string) (*crate.Document, string) {
	t.Helper()
	d := crate.Disseminator{Tools: nowTool{}}
	var out bytes.Buffer
	if err := d.Backend(c).Write(t.Context(), protocol.Header{Identifier: identifier}, "oai_crate", &out); err != nil {
		t.Fatal(err)
	}
	x := xmlstream.NewReader(bytes.NewReader(out.Bytes()), xmlstream.Limits{})
	if _, err := x.Root(); err != nil {
		t.Fatal(err)
	}
	doc, err := crate.Read(x, crate.ReadOptions{})
	if err != nil || len(doc.Problems) > 0 {
		t.Fatal(err, doc.Problems)
	}
	return doc, out.String()
}

// The CRATE of a harvested resource has the output of its source's tools, apart from that of the
// tools run now, with all facts of their runs. Its head is that of the source. An archive that
// harvests the archive hands on both.
func TestSourcesAreHandedOn(t *testing.T) {
	site := sourceSite{providertest.New()}
	const url = "http://a.example/1.txt"
	when := time.Date(2015, 1, 2, 3, 4, 5, 0, time.UTC)
	site.Put(protocol.Header{Identifier: url, Datestamp: when})
	site.Put(protocol.Header{Identifier: "http://a.example/2.txt", Datestamp: when})

	first := newRepo(t)
	first.Ingest(repotest.Package{ID: "first", Rights: "access: open\n",
		Containers: map[string]string{"data.warc.gz": harvestOf(t, crate.Disseminator{Tools: sourceTool{}}, site)}})
	a := first.open("oai", settings{})
	headers := list(t, a, provider.Query{})
	if len(headers) != 2 {
		t.Fatal(headers)
	}
	doc, text := crateOf(t, a, headers[0].Identifier)
	if len(doc.Results) != 1 || string(doc.Results[0].Bytes) != "NOW" || len(doc.Sources) != 1 ||
		strings.Contains(text, "SOURCE TOOL") ||
		strings.Contains(text, "2.txt") != strings.Contains(doc.Identifier, "2.txt") {
		t.Fatalf("%+v\n%s", doc, text)
	}
	s := doc.Sources[0]
	c, err := ParseIdentifier(headers[0].Identifier)
	if err != nil {
		t.Fatal(err)
	}
	said, _ := sourceTool{}.Run(t.Context(), &plugin.Content{URL: c.URL})
	if fmt.Sprintf("%+v", s.Results) != fmt.Sprintf("%+v", said) || !strings.HasPrefix(s.Document, "urn:uuid:") ||
		s.Generator != "Quire" || !strings.Contains(s.From, "/oai?") || s.Created.IsZero() || s.Harvested.IsZero() {
		t.Errorf("%+v\nwant %+v", s, said)
	}
	if fmt.Sprint(doc.Head.Fields) != `[{X-Second 1} {content-TYPE text/plain} {ETag "x"}]` || doc.Head.Status != 200 {
		t.Errorf("%+v", doc.Head)
	}

	second := newRepo(t)
	second.Ingest(repotest.Package{ID: "second", Rights: "access: open\n",
		Containers: map[string]string{"data.warc.gz": harvestOf(t, crate.Disseminator{Tools: nowTool{}}, a)}})
	b := second.open("oai", settings{})
	again, _ := crateOf(t, b, list(t, b, provider.Query{})[0].Identifier)
	of := "http://a.example/" + again.Identifier[len(again.Identifier)-len("1.txt"):]
	said, _ = sourceTool{}.Run(t.Context(), &plugin.Content{URL: of})
	if len(again.Sources) != 2 || fmt.Sprintf("%+v", again.Sources[0].Results) != fmt.Sprintf("%+v", said) ||
		string(again.Sources[1].Results[0].Bytes) != "NOW" || len(again.Results) != 1 {
		t.Errorf("%+v", again.Sources)
	}
}

// Harvests of older versions have less facts of a run. Records about several resources, and
// statements of others, are not handed on.
func TestSourcesOfOtherRecords(t *testing.T) {
	r := newRepo(t)
	meta := func(id, of, part, block string, more ...string) string {
		return repotest.Record("metadata", id, "http://a.example/", date1, "text/plain", block,
			append(more, "OAI-Part: "+part, "WARC-Concurrent-To: <urn:x:"+of+">")...)
	}
	resourceRecord := func(id, url string) string {
		return repotest.Record("resource", id, url, date1, "text/plain", "body of "+id)
	}
	text := resourceRecord("1", "http://a.example/old") +
		meta("2", "1", "facts", "via: http://b.example/oai?verb=ListRecords\r\n") +
		meta("3", "1", "tool-output", "OLD", "Tool-Label: md5", "Tool-Version: 1 100%25") +
		meta("4", "1", "statement", "<x/>") + meta("5", "1", "document", "DOCUMENT") +
		resourceRecord("6", "http://a.example/several") + resourceRecord("7", "http://a.example/several-2") +
		meta("8", "6", "tool-output", "OF BOTH", "OAI-Resources: http://a.example/several http://a.example/several-2") +
		resourceRecord("9", "http://a.example/alone") + meta("10", "9", "tool-output", "OF BOTH",
		"OAI-Resources: http://a.example/alone http://a.example/x") +
		response("11", "http://a.example/crawled", date1, "text/plain", "crawled") +
		repotest.Record("metadata", "12", "http://a.example/crawled", date1, "application/warc-fields",
			"via: CRAWLER\r\n", "WARC-Concurrent-To: <urn:x:11>")
	r.Ingest(repotest.Package{ID: "a", Rights: "access: open\n", Containers: map[string]string{"a.warc": text}})
	a := r.open("oai", settings{})
	for _, h := range list(t, a, provider.Query{}) {
		doc, text := crateOf(t, a, h.Identifier)
		if strings.Contains(text, "OF BOTH") || strings.Contains(text, "DOCUMENT") ||
			strings.Contains(text, "CRAWLER") {
			t.Errorf("%s", text)
		}
		if old := strings.HasSuffix(h.Identifier, "/old"); old != (len(doc.Sources) == 1) || old &&
			(string(doc.Sources[0].Results[0].Bytes) != "OLD" || doc.Sources[0].Results[0].Version != "1 100%" ||
				doc.Sources[0].From != "http://b.example/oai?verb=ListRecords") {
			t.Errorf("%s: %+v", h.Identifier, doc.Sources)
		}
	}
}
