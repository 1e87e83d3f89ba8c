package plugin

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"quire/internal/yamlfile"
)

func readAll(doc string) (all []Config, err error) {
	n, err := yamlfile.Read(strings.NewReader(doc), "the configuration")
	if err != nil {
		return nil, err
	}
	n.Fields(map[string]func(*yamlfile.Node){"plugins": func(n *yamlfile.Node) { all = ReadConfigs(n) }})
	return all, n.Err()
}

const example = `plugins:
- {label: md5, builtin: md5, mime: "*/*"}
- {label: summary, builtin: summary, mime: [text/html, text/plain], with: {sentences: 5}}
- label: file
  command: [file, -b, "{input}"]
  version: [file, --version]
  timeout: 10s
  output: 64 KiB
  memory: 512 MiB
  prints: text/plain
`

func TestReadConfigs(t *testing.T) {
	got, err := readAll(example)
	want := []Config{
		{Label: "md5", Builtin: "md5", MIME: []string{"*/*"}},
		{Label: "summary", Builtin: "summary", MIME: []string{"text/html", "text/plain"},
			With: map[string]string{"sentences": "5"}},
		{
			Label: "file", Command: []string{"file", "-b", "{input}"}, Version: []string{"file", "--version"},
			Prints:  "text/plain",
			Timeout: Duration(10 * time.Second), Output: 64 << 10, Memory: 512 << 20,
		},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	// The same through JSON.
	told, err := json.Marshal(got)
	var again []Config
	if err != nil || json.Unmarshal(told, &again) != nil || !reflect.DeepEqual(again, want) {
		t.Errorf("%s: %+v, %v", told, again, err)
	}
	if !strings.Contains(string(told), `"timeout":"10s"`) {
		t.Errorf("%s", told)
	}
}

func TestReadConfigsRefuses(t *testing.T) {
	for item, want := range map[string]string{
		"{label: a b, builtin: md5}": `line 2, plugins, no. 1: the label "a b"`,
		"{builtin: md5}":             `the label ""`,
		"{label: a}":                 "a: set either builtin or command",
		"{label: a, builtin: md5, command: [x], version: [x]}": "a: set either builtin " +
			"or command",
		"{label: a, command: [x]}":                           "a: version is missing",
		"{label: a, command: x -b, version: [x]}":            "with separate arguments",
		"{label: a, command: [x, '{output}'], version: [x]}": "{output} is invalid for tools",
		"{label: a, command: [x, '{input'], version: [x]}":   "want {input}",
		"{label: a, builtin: md5, mime: image}": `"image" is not a ` +
			`pattern of media types`,
		"{label: a, builtin: md5, mime: 'image/.*'}": `is not a pattern of media types`,
		"{label: a, builtin: md5, version: [x]}": "version, kept-open, " +
			"memory, reads and prints apply only to a command",
		"{label: a, builtin: md5, timeout: soon}":              "line 2, plugins, no. 1, timeout",
		"{label: a, command: [x], version: [x], with: {a: b}}": "with applies only to a builtin",
		"{label: a, command: [x], version: [x], prints: text}": `prints: "text" is not ` +
			`a media type`,
		"{label: a, builtin: md5}\n- {label: a, builtin: sha1}": `line 3, plugins, no. ` +
			`2: duplicate label "a"`,
		"{label: a, command: [x], version: [x], kept-open: jhove}":               "the only value is exiftool",
		"{label: a, command: [x, '{input}'], version: [x], kept-open: exiftool}": "without {input}",
		"{label: a, builtin: md5, shell: 'true'}":                                "unknown key",
		"{label: a, command: ['{input}'], version: [x]}": `"{input}": the ` +
			`program cannot be the bytestream`,
		"{label: a, command: [x, '{input.a}', '{input.b}'], version: [x], mime: a/b}": "{input.b} is a second file",
	} {
		if _, err := readAll("plugins:\n- " + item + "\n"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", item, err, want)
		}
	}
}

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		pattern, media string
		want           bool
	}{
		{"*/*", "text/html", true}, {"*/*", "", true}, {"*/*", "nonsense", true},
		{"image/*", "image/svg+xml", true}, {"image/*", "IMAGE/PNG", true}, {"image/*", "text/plain", false},
		{"image/*", "image", false},
		{"*/zip", "application/zip", true}, {"*/zip", "application/x-zip", false},
		{"text/html", "text/html", true}, {"text/html", "text/html5", false}, {"application/octet-stream", "", true},
		{"*/zip", "a/b/zip", false},
	} {
		if got := matches([]string{"x/y", c.pattern}, c.media); got != c.want {
			t.Errorf("%s of %s: %v", c.media, c.pattern, got)
		}
	}
}
