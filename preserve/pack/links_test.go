package pack

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/internal/testsamples"
	"quire/metadata/containermd"
	"quire/metadata/mets"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
	"quire/model"
	"quire/preserve/aip"
)

// described is the content of a METS.
type described struct {
	objects    map[string]premis.Object // by identifier
	events     map[string]premis.Event
	agents     map[string]premis.Agent
	containers []containermd.ContainerMD
}

func readBack(t *testing.T, dir string) described {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, aip.METSName))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d := described{map[string]premis.Object{}, map[string]premis.Event{}, map[string]premis.Agent{}, nil}
	err = mets.Read(f, mets.Handler{Section: func(_ mets.Section, payload *xmlstream.Reader) error {
		e := payload.Element()
		switch {
		case premis.IsEntity(e, "object"):
			o, err := premis.ReadObject(payload, nil)
			d.objects[o.Identifiers[0].Value] = o
			return err
		case premis.IsEntity(e, "event"):
			v, err := aip.ReadEvent(payload)
			d.events[v.Identifier.Value] = v
			return err
		case premis.IsEntity(e, "agent"):
			a, err := premis.ReadAgent(payload)
			d.agents[a.Identifiers[0].Value] = a
			return err
		case e.Is(containermd.Namespace, "containerMD"):
			c, err := containermd.Read(payload, containermd.ReadOptions{})
			d.containers = append(d.containers, c)
			return err
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Every linked entity is in the document, and events and the objects of files refer to each other.
func TestEveryLinkFindsItsEntity(t *testing.T) {
	o := options(t)
	o.ID = "x"
	mustPack(t, o, crawlOf(t, map[string]string{"a.warc": good, "b.warc": broken, "c.arc": arcFile("1 0 Quay", ""),
		"d.log": "x"}))
	d := readBack(t, o.Out)
	linked(t, d)
	if len(d.events) != 9 || len(d.objects) != 10 || len(d.agents) != 3 {
		t.Errorf("%d events, %d objects, %d agents", len(d.events), len(d.objects), len(d.agents))
	}
}

// linked checks that all linked entities exist.
func linked(t *testing.T, d described) {
	t.Helper()
	for id, e := range d.events {
		// an ARC without metadata has no agent
		if len(e.Objects) == 0 || len(e.Agents) == 0 && e.Type.Text != "capture" {
			t.Errorf("event %s has %d objects and %d agents", id, len(e.Objects), len(e.Agents))
		}
		for _, l := range e.Agents {
			if _, ok := d.agents[l.Value]; !ok {
				t.Errorf("event %s links to agent %s, which is not there", id, l.Value)
			}
		}
		for _, l := range e.Objects {
			object, ok := d.objects[l.Value]
			if !ok || !slices.ContainsFunc(object.Events, func(back premis.Link) bool { return back.Value == id }) {
				t.Errorf("event %s links to object %s, which is not there or does not link back", id, l.Value)
			}
		}
	}
	for id, object := range d.objects {
		for _, l := range object.Events {
			if _, ok := d.events[l.Value]; !ok {
				t.Errorf("object %s links to event %s, which is not there", id, l.Value)
			}
		}
		for _, r := range object.Relationships {
			if _, ok := d.objects[r.Objects[0].Value]; !ok {
				t.Errorf("object %s is related to %s, which is not there", id, r.Objects[0].Value)
			}
		}
	}
}

// An event states the time when it happened, not the time when the METS was written.
func TestEventsHaveTheirOwnTime(t *testing.T) {
	o := options(t)
	o.ID = "x"
	clock := time.Date(2025, 1, 1, 0, 0, 0, 999, time.UTC)
	o.Now = func() time.Time { clock = clock.Add(time.Minute); return clock }
	mustPack(t, o, crawlOf(t, map[string]string{"a.warc": good, "b.warc": good}))
	events := readBack(t, o.Out).events
	for id, want := range map[string]string{
		"x#EVT-capture": "2024-01-02T03:04:05Z",
		"x#EVT-val-c1":  "2025-01-01T00:02:00Z",
		"x#EVT-val-c2":  "2025-01-01T00:03:00Z",
		"x#EVT-digest":  "2025-01-01T00:01:00Z/2025-01-01T00:04:00Z",
	} {
		if got := events[id].DateTime; got != want {
			t.Errorf("%s is dated %s, want %s", id, got, want)
		}
	}
	if o := events["x#EVT-capture"].Outcomes[0]; o.Outcome.Text != "" || len(o.Notes) == 0 {
		t.Errorf("no container says that a crawl succeeded, but the METS does: %+v", o)
	}
}

func TestCharacteristics(t *testing.T) {
	b := &builder{}
	for _, c := range []struct {
		name      string
		container model.Container
		want      string // level, format, version, PRONOM key, size of each block
	}{
		{"not compressed", model.Container{Format: "WARC", Versions: []string{"1.1"}, Compression: "none",
			Outcome: model.Valid}, "0 WARC 1.1 fmt/1281 7"},
		{"gzip", model.Container{Format: "WARC", Versions: []string{"1.0"}, Compression: "gzip", InflatedBytes: 20,
			Outcome: model.Valid}, "1 GZIP  x-fmt/266 7, 0 WARC 1.0 fmt/1355 20"},
		{"one member", model.Container{Format: "ARC", Versions: []string{"1.1"}, Compression: "gzip-whole",
			InflatedBytes: 20, Outcome: model.Valid}, "1 GZIP  x-fmt/266 7, 0 ARC 1.1 fmt/410 20"},
		{"zstd", model.Container{Format: "WARC", Versions: []string{"0.18"}, Compression: "zstd", InflatedBytes: 20,
			Outcome: model.Valid}, "1 Zstandard   7, 0 WARC 0.18 fmt/289 20"},
		{"damaged: unknown content",
			model.Container{Format: "WARC", Versions: []string{"1.0"}, Compression: "gzip", InflatedBytes: 20,
				Outcome: model.Invalid}, "1 GZIP  x-fmt/266 7, 0 WARC 1.0 fmt/1355 "},
		{"two versions", model.Container{Format: "WARC", Versions: []string{"1.0", "1.1"}, Compression: "none"},
			"0 WARC 1.0 fmt/1355 WARC 1.1 fmt/1281 7"},
		{"neither", model.Container{Compression: "none"}, "0 unknown   7"},
	} {
		var blocks []string
		for _, ch := range b.characteristics(packed{Size: 7, Container: &c.container}) {
			words := []string{ch.CompositionLevel.String()}
			for _, f := range ch.Formats {
				words = append(words, f.Name.Text, f.Version, f.Registry.Key.Text)
			}
			blocks = append(blocks, strings.Join(append(words, ch.Size.String()), " "))
		}
		if got := strings.Join(blocks, ", "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// The package keeps the ARC's description of its crawl, although the ARC is not in it, and
// distinguishes it from the conversion's.
func TestWhatAnARCSaysIsKept(t *testing.T) {
	o := options(t)
	o.ID = "x"
	mustPack(t, o, crawlOf(t, map[string]string{"h.arc": arcFile("1 1 Quay",
		"<arcmetadata><software>Boat</software><operator>Ada</operator></arcmetadata>")}))
	if got := list(t, o.Out); got != "containers/h.warc.gz indexes/h.warc.gz.cdxj.gz mets.xml mets.xml.sha512" {
		t.Errorf("the package holds %s", got)
	}
	d := readBack(t, o.Out)
	notes := strings.Join(d.events["x#EVT-capture"].Outcomes[0].Notes, "\n")
	if !strings.Contains(notes, "software: Boat (from ") || !strings.Contains(notes, "operator: Ada (from ") ||
		strings.Contains(notes, "software: Quire") {
		t.Errorf("the capture says %s", notes)
	}
	source, made := d.objects["x#OBJ-src-c1"], d.objects["x#OBJ-c1"]
	if source.OriginalName != "h.arc" || len(source.Characteristics) != 1 ||
		source.Characteristics[0].Formats[0].Name.Text != "ARC" ||
		made.Relationships[1].SubType.Text != "has source" || made.Relationships[1].Objects[0].Value != "x#OBJ-src-c1" {
		t.Errorf("the source is %+v, the result %+v", source, made)
	}
	notes = strings.Join(d.events["x#EVT-mig-c1"].Outcomes[0].Notes, "\n")
	if !strings.Contains(notes, "proved: ") || !strings.Contains(notes, "the ARC is not kept") {
		t.Errorf("the migration says %s", notes)
	}
	check(t, o.Out, aip.Options{})
	t.Run("schemas", func(t *testing.T) { check(t, o.Out, aip.Options{Schemas: testsamples.Path(t, "schemas")}) })
}

func TestMediaTypes(t *testing.T) {
	for name, want := range map[string]string{
		"logs/crawl.log": "text/plain", "logs/order.CXML": "application/xml", "logs/a.cdx.gz": "application/gzip",
		"logs/none": "application/octet-stream",
	} {
		if got := mimeType(packed{Dest: name}); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	for format, want := range map[string]string{"WARC": "application/warc", "ARC": "application/x-ia-arc",
		"": "application/octet-stream"} {
		if got := mimeType(packed{Container: &model.Container{Format: format}}); got != want {
			t.Errorf("%q is %s, want %s", format, got, want)
		}
	}
}
