package crate

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"strings"
	"testing"
	"time"

	"quire/metadata/xmlstream"
	"quire/model"
	"quire/oai/plugin"
	"quire/oai/plugin/builtin"
	"quire/oai/resource"
)

// The smallest picture: the required parts of a JPEG, and one pixel.
const jpeg = "\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00\xff\xd9"

// foo2 returns a remake of the article's picture (Smith and Nelson).
func foo2() *resource.Resource {
	return &resource.Resource{
		Identifier: "http://a.example/foo2.jpg", URL: "http://a.example/foo2.jpg", Datestamp: when, Proto: "HTTP/1.1",
		Status: 200,
		Header: []resource.Field{{Name: "Date", Value: "Sun, 22 Nov 2026 22:30:00 GMT"},
			{Name: "Server", Value: "Apache/2.4"},
			{Name: "Last-Modified", Value: "Mon, 29 Aug 2005 12:01:40 GMT"},
			{Name: "Content-Length", Value: fmt.Sprint(len(jpeg))}, {Name: "Content-Type", Value: "image/jpeg"}},
		MIMEType: "image/jpeg", Size: int64(len(jpeg)), Open: opens(jpeg),
	}
}

// theTools returns the tools of the article's figure 4, with plausible output.
func theTools() []plugin.Result {
	text := func(s string) plugin.Output { return plugin.Output{MIMEType: "text/plain", Bytes: []byte(s)} }
	results := []plugin.Result{
		{Label: "file", Command: "file -b input.jpg",
			Version: "file-5.44\nmagic file from /etc/magic:/usr/share/misc/magic",
			Output:  text("JPEG image data, JFIF standard 1.01\n")},
		{Label: "md5", Command: "md5sum input.jpg", Version: "md5sum (GNU coreutils) 9.1",
			Output: text("57da6f2e0f139e118c7930ae76570491  input.jpg\n")},
		{Label: "jhove", Command: "/opt/jhove/jhove -h xml input.jpg", Version: "Jhove (Rel. 1.34.0, 2025-07-02)",
			Output: plugin.Output{MIMEType: "text/xml",
				Bytes: []byte("<?xml version=\"1.0\"?>\n<jhove><status>Well-Formed and valid</status></jhove>\n")}},
		{Label: "droid", Tool: "quire:pronom", Version: "siegfried 1.11.2",
			Output: text("fmt/43\tJPEG File Interchange Format\t1.01\n")},
		{Label: "exiftool", Command: "exiftool input.jpg", Version: "12.57",
			Output: text("File Type                       : JPEG\nMIME Type                       : image/jpeg\n")},
	}
	for i := range results {
		r := &results[i]
		r.Began = when.Add(-time.Second)
		if program, _, ok := strings.Cut(r.Command, " "); ok {
			r.Tool = path.Base(program)
		}
	}
	return results
}

// shape returns the elements of a document down to the content of DIDL, one a line, with the
// identifier, the labels and the kind of resources.
func shape(t *testing.T, doc string) string {
	t.Helper()
	x := xmlstream.NewReader(strings.NewReader(doc), xmlstream.Limits{})
	if _, err := x.Root(); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	var walk func(e xmlstream.Element) error
	walk = func(e xmlstream.Element) error {
		fmt.Fprintf(&b, "%s%s", strings.Repeat(" ", strings.Count(x.Path(), "/")-1), e.Local)
		switch e.Local {
		case "PluginLabel", "Identifier":
			text, err := x.Text()
			fmt.Fprintf(&b, " %s\n", text)
			return err
		case "Resource":
			fmt.Fprintf(&b, " %s %s%s\n", e.Attr("mimeType"), e.Attr("encoding"), e.Attr("ref"))
			return nil
		case "PluginContent", "PluginVersion", "field", "digest", "notice", "DIDLInfo":
			b.WriteByte('\n')
			return nil
		}
		b.WriteByte('\n')
		return x.Each(walk)
	}
	if err := walk(x.Element()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The document has the structure that the article describes for figure 4. It is a DIDL with one
// item, a descriptor with the identifier, one descriptor for each plugin, and a component with the
// resource in Base64. A plugin's descriptor has its label, version and output. The figure itself is
// unavailable.
func TestTheArticlesExample(t *testing.T) {
	d := &Disseminator{Agent: model.Agent{Name: "Quire", Version: "2.0"}, Now: func() time.Time {
		return when
	}, Tools: tools(func(*plugin.Content) ([]plugin.Result, error) { return theTools(), nil })}
	doc := record(t, d, foo2(), "oai_crate")
	want := `DIDL
 DIDLInfo
 DIDLInfo
 Item
  Descriptor
   Statement
    Identifier http://a.example/foo2.jpg
  Descriptor
   Statement
    header
     field
     field
     field
     field
     field
`
	for _, r := range theTools() {
		want += "  Descriptor\n   Statement\n    plugin\n     PluginLabel " + r.Label +
			"\n     PluginVersion\n     PluginContent\n"
	}
	want += `  Component
   Descriptor
    Statement
     bytes
      digest
      digest
   Resource image/jpeg base64
   Resource image/jpeg http://a.example/foo2.jpg
`
	if got := shape(t, doc); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	read, bytes := read(t, doc)
	if bytes != jpeg || fmt.Sprint(read.Results) != fmt.Sprint(theTools()) {
		t.Errorf("%q\n%s", bytes, show(read))
	}
	valid(t, doc)
	inTheManual(t, "A CRATE", doc)
	inTheManual(t, "http_header", record(t, d, foo2(), "http_header"))
}

// Figure 6: a misconfigured tool. The shell's message replaces its output; the rest is unchanged.
func TestTheArticlesMisconfiguredTool(t *testing.T) {
	whole := theTools()
	broken := theTools()
	broken[2] = plugin.Result{Label: "jhove", Outcome: plugin.Failed, Reason: "ended with status 127",
		Output: plugin.Output{MIMEType: "text/plain", Bytes: []byte("sh: jhove: command not found\n")}}
	d := &Disseminator{Agent: model.Agent{Name: "Quire", Version: "2.0"}, Now: func() time.Time {
		return when
	}, Tools: tools(func(*plugin.Content) ([]plugin.Result, error) { return broken, nil })}
	doc := record(t, d, foo2(), "oai_crate")
	if !strings.Contains(doc,
		"<crate:PluginContent mimeType=\"text/plain\" outcome=\"failed\" reason=\"ended with status 127\">sh: jhove: "+
			"command not found\n</crate:PluginContent>") {
		t.Error(doc)
	}
	d.Tools = tools(func(*plugin.Content) ([]plugin.Result, error) { return whole, nil })
	if got, want := shape(t, doc), shape(t, record(t, d, foo2(), "oai_crate")); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	back, bytes := read(t, doc)
	whole[2] = broken[2]
	if bytes != jpeg || fmt.Sprint(back.Results) != fmt.Sprint(whole) || back.Results[2].Outcome != plugin.Failed {
		t.Errorf("%q\n%s", bytes, show(back))
	}
	valid(t, doc)
}

// The same example with real tools: the built-in tools, the tools installed on this machine, and a
// tool that is missing.
func TestTheArticlesExampleWithRealTools(t *testing.T) {
	o := plugin.Options{Builtin: builtin.New, Configs: []plugin.Config{
		{Label: "md5", Builtin: "md5"}, {Label: "droid", Builtin: "pronom"},
		{Label: "jhove", Command: []string{"jhove-that-is-not-there", "{input}"},
			Version: []string{"jhove-that-is-not-there", "--version"}},
	}}
	for _, c := range []plugin.Config{{Label: "file", Command: []string{"file", "-b", "{input}"},
		Version: []string{"file", "--version"}},
		{Label: "exiftool", Command: []string{"exiftool", "{input}"}, Version: []string{"exiftool", "-ver"}}} {
		if _, err := exec.LookPath(c.Command[0]); err == nil {
			o.Configs = append(o.Configs, c)
		}
	}
	runner, err := plugin.New(o)
	if err != nil {
		t.Fatal(err)
	}
	d := &Disseminator{Tools: runner}
	doc := record(t, d, foo2(), "oai_crate")
	back, bytes := read(t, doc)
	if bytes != jpeg || len(back.Results) != len(o.Configs) {
		t.Fatalf("%q, %s", bytes, show(back))
	}
	want := map[string]string{"md5": "57da6f2e", "droid": "fmt/43", "jhove": "jhove-that-is-not-there",
		"file": "JPEG image data", "exiftool": "JFIF Version"}
	for _, r := range back.Results {
		if (r.Outcome == plugin.Good) != (r.Label != "jhove") || r.Label != "jhove" && r.Version == "" ||
			!strings.Contains(string(r.Bytes)+r.Reason, want[r.Label]) {
			t.Errorf("%s %q: %s %s: %q; want %q", r.Label, r.Version, r.Outcome, r.Reason, r.Bytes, want[r.Label])
		}
	}
	mets := record(t, d, foo2(), "mets")
	if !strings.Contains(mets, "formatRegistryKey>fmt/43<") {
		t.Error(mets)
	}
	valid(t, doc, mets)
}

// inTheManual compares an example of docs/reference/585_crate-format.md with the present output.
// QUIRE_UPDATE_EXAMPLES=1 updates it.
func inTheManual(t *testing.T, heading, doc string) {
	t.Helper()
	const file = "../../docs/reference/585_crate-format.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), "\n## "+heading+"\n")
	head, rest, ok2 := strings.Cut(rest, "\n```xml\n")
	example, after, ok3 := strings.Cut(rest, "```\n")
	if !ok || !ok2 || !ok3 {
		t.Fatalf("%s has no example below %q", file, heading)
	}
	if example == doc {
		return
	}
	if os.Getenv("QUIRE_UPDATE_EXAMPLES") == "" {
		t.Errorf("%s: the example below %q differs from the present output; QUIRE_UPDATE_EXAMPLES=1 "+
			"updates it:\n%s",
			file, heading, doc)
		return
	}
	if err := os.WriteFile(file, []byte(before+"\n## "+heading+"\n"+head+"\n```xml\n"+doc+"```\n"+after),
		0o666); err != nil {
		t.Fatal(err)
	}
}
