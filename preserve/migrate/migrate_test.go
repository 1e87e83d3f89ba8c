package migrate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/format/warc"
	"quire/internal/schematest"
	"quire/internal/testsamples"
	"quire/metadata/mets"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/cdxj"
	"quire/preserve/pack"
	"quire/source/records"
)

// conversion is the result of a migration for one target URI: the record's fields and its block.
type conversion struct {
	fields map[string]string
	block  string
}

func conversionsIn(t *testing.T, path string) (all []conversion) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := records.NewReader(f, nil)
	for {
		rec, err := r.Next()
		if err != nil {
			return all
		}
		var b strings.Builder
		if _, err := rec.WARC.WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		c := conversion{map[string]string{}, b.String()}
		for _, field := range rec.WARC.Fields() {
			c.fields[string(field.Name)] = string(field.Value)
		}
		all = append(all, c)
	}
}

// valid fails the test unless the folder is a valid package by all checks.
func valid(t *testing.T, dir string) {
	t.Helper()
	o := aip.Options{}
	if _, err := os.Stat(testsamples.Dir()); err == nil {
		o.Schemas = testsamples.Path(t, "schemas")
		doc, err := os.ReadFile(filepath.Join(dir, aip.METSName))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(doc), premis.Namespace2) {
			schematest.Valid(t, filepath.Join(o.Schemas, "drivers", "mets-all.xsd"), doc)
		}
	}
	r, err := aip.Validate(context.Background(), dir, o)
	if err != nil || r.Outcome != string(model.Valid) || len(r.Findings) > 0 {
		t.Errorf("%v, %+v", err, r)
	}
}

// The converted, failed (with reasons) and skipped bytestreams, for each kind of record.
func TestRun(t *testing.T) {
	pkg := packed(t, pack.Options{}, false)
	r, out, err := run(t, pkg, "gif-to-png", Options{Jobs: 3})
	if err != nil {
		t.Fatal(err)
	}
	valid(t, out)
	if r.Selected != 11 || r.Converted != 4 || r.Failed != 5 || r.Outcome != model.Warned ||
		fmt.Sprint(r.Left) != "map[an answer with a part of the bytestream (206):1 empty:1]" {
		t.Errorf("%+v", r)
	}
	reasons := map[string]string{}
	for _, f := range r.Failures {
		reasons[strings.TrimPrefix(f.URI, "http://example.org/")] = f.Reason
	}
	for uri, want := range map[string]string{
		"missing.gif": "it does not begin as a GIF does",
		"cut.gif":     "it breaks off: the block that ends a GIF is missing",
		"long.gif":    "it was cut off when it was captured: length",
		"bad.gif":     "the record is damaged: it breaks off, or a digest does not fit",
		"seg.gif":     "it is one segment of several",
	} {
		if reasons[uri] != want {
			t.Errorf("%s: %q; want %q", uri, reasons[uri], want)
		}
	}
	made := conversionsIn(t, filepath.Join(out, r.Container))
	if len(made) != 5 || made[0].fields[warc.FieldType] != warc.TypeWarcinfo ||
		!strings.Contains(made[0].block, "migration-command: the builtin gif-to-png\r\n") {
		t.Fatalf("%d records: %v", len(made), made)
	}
	for i, uri := range []string{"still.gif", "moving.gif", "named.txt", "still.gif"} { // in the order of the package
		f := made[i+1].fields
		if f[warc.FieldTargetURI] != "http://example.org/"+uri || f[warc.FieldType] != warc.TypeConversion ||
			f[warc.FieldDate] != "2026-11-22T10:20:30Z" ||
			f[warc.FieldContentType] != "image/png" || !strings.HasPrefix(made[i+1].block, "\x89PNG") ||
			f[warc.FieldWarcinfoID] != made[0].fields[warc.FieldRecordID] {
			t.Errorf("%d: %v", i, f)
		}
		if want := []string{"1", "2", "3", "1"}[i]; !strings.HasSuffix(f[warc.FieldRefersTo], "00"+want+">") {
			t.Errorf("%s refers to %s", uri, f[warc.FieldRefersTo])
		}
	}
}

// The original content stays: every file byte for byte, and every line of the METS except its
// header.
func TestNothingIsLost(t *testing.T) {
	for _, o := range []pack.Options{{}, {Profile: pack.Full}, {SchemaVersion: pack.Legacy},
		{METS: pack.Single, Profile: pack.Linked}} {
		pkg := packed(t, o, false)
		r, out, err := run(t, pkg, "gif-to-png", Options{})
		if err != nil {
			t.Fatal(err)
		}
		valid(t, out)
		err = filepath.WalkDir(pkg, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), aip.METSName) {
				return err
			}
			rel, _ := filepath.Rel(pkg, path)
			old, _ := os.ReadFile(path)
			now, err := os.ReadFile(filepath.Join(out, rel))
			if string(old) != string(now) {
				t.Errorf("%s is another file", rel)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
		old, now := linesOf(t, pkg), linesOf(t, out)
		at := 0
		for _, line := range old {
			if strings.Contains(line, "metsHdr CREATEDATE") {
				line = strings.Replace(line, `RECORDSTATUS="NEW"`,
					`LASTMODDATE="2026-11-22T10:20:30Z" RECORDSTATUS="UPDATED"`, 1)
			}
			n := slices.IndexFunc(now[at:], func(s string) bool { return strings.HasPrefix(s, line) })
			if n < 0 {
				t.Fatalf("profile %q: lost, or in another place: %s", o.Profile, line)
			}
			at += n + 1
		}
		if d, err := aip.Describe(os.DirFS(out)); err != nil || d.ID != "crawl-1" || d.Containers != 3 ||
			d.Files[2].Path != r.Container {
			t.Errorf("%+v, %v", d, err)
		}
	}
}

func linesOf(t *testing.T, dir string) []string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, aip.METSName))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(b), "\n")
}

// entities are the objects and events of the METS.
type entities struct {
	objects map[string]premis.Object
	events  map[string]premis.Event
	files   map[string]mets.File
	divs    []string
	status  string

	document []string // divs of the METS of the last container's records
}

// readDocument adds the content of the METS of a container's records.
func (e *entities) readDocument(t *testing.T, dir, name string) {
	t.Helper()
	err := aip.ReadDocument(dir, name, mets.Handler{
		Section: func(s mets.Section, r *xmlstream.Reader) (err error) {
			e.objects[s.ID], err = premis.ReadObject(r, nil)
			return err
		},
		File: func(f mets.File, at mets.FilePlace) error {
			if len(at.Files) > 0 {
				e.files[f.ID] = f
			}
			return nil
		},
		Div: func(d mets.Div, depth int) error {
			if strings.Contains(name, "migration") {
				e.document = append(e.document, strings.Repeat(" ", depth)+d.Type)
			}
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, dir string) entities {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, aip.METSName))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	e := entities{map[string]premis.Object{}, map[string]premis.Event{}, map[string]mets.File{}, nil, "", nil}
	err = mets.Read(f, mets.Handler{
		Header: func(h mets.Header) error {
			e.status = h.RecordStatus + " " + h.Agents[len(h.Agents)-1].Role
			return nil
		},
		Section: func(s mets.Section, r *xmlstream.Reader) (err error) {
			switch s.Wrap.MDType {
			case "PREMIS:OBJECT":
				e.objects[s.ID], err = premis.ReadObject(r, nil)
			case "PREMIS:EVENT":
				e.events[s.ID], err = aip.ReadEvent(r)
			}
			return err
		},
		File: func(f mets.File, _ mets.FilePlace) error { e.files[f.ID] = f; return nil },
		Div: func(d mets.Div, depth int) error {
			e.divs = append(e.divs, strings.Repeat(" ", depth)+d.Type)
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for id, f := range e.files {
		if strings.HasPrefix(id, "FILE-m") {
			e.readDocument(t, dir, f.Locations[0].Href)
		}
	}
	return e
}

// The METS describes each conversion with its location, source and event, and each failure.
func TestMETS(t *testing.T) {
	for _, form := range []pack.Options{{METS: pack.Single}, {METS: pack.Single, Profile: pack.Full}, {},
		{Profile: pack.Full}} {
		pkg := packed(t, form, false)
		_, out, err := run(t, pkg, "gif-to-png", Options{})
		if err != nil {
			t.Fatal(err)
		}
		e := read(t, out)
		if e.status != "UPDATED EDITOR" {
			t.Errorf("status %s", e.status)
		}
		o := e.objects["OBJ-c3-b3"] // of the animation
		derived := o.Relationships[1]
		if o.OriginalName != "http://example.org/moving.gif" ||
			o.Characteristics[0].Formats[0].Registry.Key.Text != "fmt/935" &&
				o.Characteristics[0].Formats[0].Registry.Key.Text != "fmt/11" ||
			derived.SubType.Text != "has source" || derived.Objects[0].Value != "crawl-1#OBJ-c1-b2" ||
			derived.Events[0].Value != "crawl-1#EVT-mig-c3" {
			t.Errorf("%+v", o)
		}
		if source, there := e.objects["OBJ-c1-b2"]; !there || source.OriginalName != o.OriginalName {
			t.Errorf("the source is %+v", source)
		}
		if f := e.files["FILE-c3-b3"]; !slices.Equal(f.AdmID, []string{"OBJ-c3-b3"}) ||
			f.MIMEType != "image/png" {
			t.Errorf("%+v", f)
		}
		if v := e.events["EVT-mig-c3"]; v.Outcomes[0].Outcome.Text != "warning" ||
			v.Outcomes[0].Notes[0] != "11 bytestreams have the format: 4 converted, 5 failed" || len(v.Objects) != 3 {
			t.Errorf("%+v", v)
		}
		failed := e.events["EVT-mig-c3-f1"]
		if failed.Outcomes[0].Outcome.Text != "fail" ||
			failed.Outcomes[0].Notes[0] != "it does not begin as a GIF does" ||
			failed.Objects[0].Value != "crawl-1#OBJ-c1-b4" {
			t.Errorf("%+v", failed)
		}
		if _, there := e.objects["OBJ-c1-b4"]; !there {
			t.Error("the failed conversion is not described")
		}
		if _, more := e.events["EVT-mig-c3-f6"]; more || e.events["EVT-mig-c3-f5"].Identifier.Value == "" {
			t.Error("want five failures")
		}
		want := []string{" manifestation", "  container", "   index", "  associated object", "  associated object",
			"  associated object", "  associated object"}
		if form.METS != pack.Single {
			document := e.document[len(e.document)-5:]
			if !slices.Equal(document, []string{"manifestation", " associated object", " associated object",
				" associated object", " associated object"}) {
				t.Errorf("divs %q", e.document)
			}
			want = []string{" manifestation", "  container", "   index", "   METS"}
		}
		if got := e.divs[len(e.divs)-len(want):]; !slices.Equal(got, want) {
			t.Errorf("divs %q", e.divs)
		}
		checkIndex(t, out, e)
	}
}

// checkIndex checks that the new container has its index, so that finding the conversions needs no
// reading of the container.
func checkIndex(t *testing.T, out string, e entities) {
	t.Helper()
	c, x := e.files["FILE-c3"], e.files["FILE-i3"]
	path, err := mets.Path(x.Locations[0].Href)
	if err != nil || x.GroupID != "FILE-c3" || c.GroupID != "FILE-c3" ||
		!slices.Equal(c.AdmID, []string{"AMD-c3"}) {
		t.Fatalf("%+v, %v", x, err)
	}
	f, err := os.Open(filepath.Join(out, filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	container, err := mets.Path(c.Locations[0].Href)
	if err != nil {
		t.Fatal(err)
	}
	var types []string
	size, _ := c.Size.Get()
	of := cdxj.Container{Path: container, Size: size, SHA512: c.Checksum}
	_, err = cdxj.Read(f, of, func(l *cdxj.Line) error { types = append(types, l.Type); return nil })
	if err != nil || !slices.Equal(types, []string{"conversion", "conversion", "conversion", "conversion"}) {
		t.Errorf("%q, %v", types, err)
	}
}

// The package still conforms to its profile.
func TestProfiles(t *testing.T) {
	var tests []schematest.ProfileTest
	for _, p := range []struct {
		profile pack.Profile
		file    string
	}{{pack.Compact, "compact.xml"}, {pack.Full, "full.xml"},
		{pack.Linked, "linked.xml"}} { // each extends those before it
		tests = append(tests, schematest.ReadProfile(t,
			filepath.Join("..", "..", "docs", "reference", "profiles", p.file)).Tests...)
		for _, version := range []pack.SchemaVersion{pack.Current, pack.Legacy} {
			_, out, err := run(t, packed(t, pack.Options{METS: pack.Single, Profile: p.profile,
				SchemaVersion: version}, false),
				"gif-to-png", Options{})
			if err != nil {
				t.Fatal(err)
			}
			valid(t, out)
			if broken := schematest.Broken(t, tests, filepath.Join(out, aip.METSName)); len(broken) > 0 {
				t.Errorf("%s %s: these do not hold: %v", p.file, version, broken)
			}
		}
	}
}

// Other rules: codings are removed, bytestreams that need no conversion are skipped, and a page
// stays a page.
func TestHTML(t *testing.T) {
	_, out, err := run(t, packed(t, pack.Options{}, false), "html-to-utf8", Options{})
	if err != nil {
		t.Fatal(err)
	}
	valid(t, out)
	e := read(t, out)
	if got := e.events["EVT-mig-c3"].Outcomes[0].Notes; !slices.Equal(got, []string{
		"5 bytestreams have the format: 1 converted, 2 failed", "not tried, already what it should become: 2",
		`converted, from windows-1252, as "iso-8859-1" is read, by its meta element: 1`,
	}) {
		t.Errorf("%q", got)
	}
	if got := e.document[len(e.document)-1]; got != " web page" {
		t.Errorf("%q", got)
	}
	made, _ := filepath.Glob(filepath.Join(out, "containers", "migration-html*"))
	c := conversionsIn(t, made[0])[1]
	if c.block != "<html><head><meta charset=utf-8><title>K\u00e4se</title></head><body>x</body></html>" ||
		c.fields[warc.FieldContentType] != "text/html;charset=utf-8" {
		t.Errorf("%v", c)
	}
	for id, want := range map[string]string{"EVT-mig-c3-f1": "its framing or coding cannot be removed to the end",
		"EVT-mig-c3-f2": "nothing came of it"} {
		if v := e.events[id]; v.Outcomes[0].Notes[0] != want {
			t.Errorf("%+v", v)
		}
	}
}

// A container with records in a shared member is migrated too.
func TestSharedMember(t *testing.T) {
	r, out, err := run(t, packed(t, pack.Options{}, true), "xbm-to-png", Options{})
	if err != nil || r.Converted != 1 || r.Outcome != model.Success {
		t.Fatalf("%+v, %v", r, err)
	}
	valid(t, out)
}

// The same date makes the same bytes, with any number of workers.
func TestDeterministic(t *testing.T) {
	pkg := packed(t, pack.Options{}, false)
	var before string
	for _, jobs := range []int{1, 7} {
		_, out, err := run(t, pkg, "gif-to-png", Options{Jobs: jobs})
		if err != nil {
			t.Fatal(err)
		}
		sum, _ := os.ReadFile(filepath.Join(out, aip.DigestName))
		if before != "" && before != string(sum) {
			t.Error("another METS")
		}
		before = string(sum)
	}
}

// A second migration converts the rest; a third has nothing to do.
func TestAgain(t *testing.T) {
	_, first, err := run(t, packed(t, pack.Options{}, false), "gif-to-png", Options{From: []string{"fmt/4"}})
	if err != nil {
		t.Fatal(err)
	}
	r, second, err := run(t, first, "xbm-to-png", Options{})
	if err != nil || r.Converted != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	valid(t, second)
	if e := read(t, second); e.objects["OBJ-c4-b2"].OriginalName != "http://example.org/a.xbm" ||
		e.status != "UPDATED EDITOR" {
		t.Errorf("%+v", e.objects["OBJ-c4-b2"])
	}
	if _, out, err := run(t, second, "xbm-to-png", Options{}); !errors.Is(err, ErrNothing) ||
		!strings.Contains(err.Error(), "converted already: 1") {
		t.Errorf("%s: %v", out, err)
	}
	r, third, err := run(t, second, "gif-to-png", Options{}) // failed conversions are tried again
	if err != nil || r.Converted != 0 || r.Failed != 5 || r.Left[leftConverted] != 4 || r.Outcome != model.Fail {
		t.Fatalf("%+v, %v", r, err)
	}
	valid(t, third)
}

// An external program converts and its output is checked; its failure is one of the bytestream.
func TestCommand(t *testing.T) {
	png := filepath.Join(t.TempDir(), "dot.png")
	rule := func(script string) *Rule {
		return ofRule(t,
			"name: by-program\nfrom: [image/gif, fmt/4]\nto: {mime: image/png, puid: fmt/11}\nversion: [sh, -c, "+
				"'echo; echo Tool 1.2 >&2']\n"+
				"command: [sh, -c, '"+script+"']\nreads: "+png+"\n")
	}
	if err := os.WriteFile(png, []byte(dot), 0o666); err != nil {
		t.Fatal(err)
	}
	pkg := packed(t, pack.Options{}, false)
	r, out, err := run(t, pkg, "",
		Options{Rule: rule("grep -q NETSCAPE {input} && exit 3; cp " + png + " {output}"), Jobs: 2})
	if err != nil || r.Converted != 4 || r.Tool != (Tool{"sh", "Tool 1.2"}) ||
		!slices.ContainsFunc(r.Failures, func(f Failure) bool { return f.Reason == "sh ended with status 3" }) {
		t.Fatalf("%+v, %v", r, err)
	}
	valid(t, out)
	if v := read(t, out).events["EVT-mig-c3"]; len(v.Agents) != 2 || v.Agents[1].Value != "crawl-1#AGT-c3-tool" {
		t.Errorf("%+v", v.Agents)
	}
	r, _, err = run(t, pkg, "", Options{Rule: rule("cat")})
	if err != nil || r.Converted != 0 ||
		r.Failures[0].Reason != "what came of it is fmt/4 (Graphics Interchange Format 89a), and the rule promises "+
			"fmt/11" {
		t.Errorf("%+v, %v", r, err)
	}
	missing := rule("cat")
	missing.Command = []string{"no-such-program-here"}
	if _, _, err := run(t, pkg, "", Options{Rule: missing}); err == nil || !strings.Contains(err.Error(), "not found") {
		t.Errorf("%v", err)
	}
}

// An error leaves no output: for a damaged package, a cancelled call, or a request for missing
// content.
func TestWhole(t *testing.T) {
	pkg := packed(t, pack.Options{}, false)
	ctx, cancel := context.WithCancel(context.Background())
	path := filepath.Join(pkg, "logs", "notes.txt")
	cases := []struct {
		name string
		do   func(o *Options)
		want error
	}{
		{"another format", func(o *Options) {
			o.Rule = &Rule{Name: "x", From: []string{"fmt/999"}, Builtin: "gif-to-png", MIME: "image/png"}
		}, ErrNothing},
		{"stopped", func(o *Options) { o.Progress = func(int64) { cancel() } }, context.Canceled},
		{"stopped later", func(o *Options) {
			ctx, cancel = context.WithCancel(context.Background())
			o.Start = func(what string, _ int64) {
				if what == "migrating" {
					cancel()
				}
			}
		}, context.Canceled},
		{"damaged", func(*Options) {
			ctx, cancel = context.WithCancel(context.Background())
			if err := os.WriteFile(path, []byte("two cont4iners"), 0o666); err != nil {
				t.Fatal(err)
			}
		}, ErrDamaged},
		{"missing", func(*Options) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}, ErrDamaged},
	}
	for _, c := range cases {
		dir := t.TempDir()
		o := Options{Rule: usual["gif-to-png"], Out: filepath.Join(dir, "new"), Date: migrated,
			Agent: model.Agent{Name: "Quire", Version: "2"}}
		c.do(&o)
		if r, err := Run(ctx, pkg, o); !errors.Is(err, c.want) {
			t.Errorf("%s: %+v, %v; want %v", c.name, r, err, c.want)
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%s: left behind: %v", c.name, left)
		}
	}
	cancel()
}
