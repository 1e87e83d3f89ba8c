package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v3"
)

// deployed returns the commands of Quire in the files of deploy/: the command of each container, and ExecStart of
// each unit.
func deployed(t *testing.T, dir string) map[string][][]string {
	t.Helper()
	all := map[string][][]string{}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		switch filepath.Ext(file) {
		case ".service":
			for _, line := range regexp.MustCompile(`(?m)^ExecStart=/usr/bin/quire (.*)$`).FindAllSubmatch(text, -1) {
				all[file] = append(all[file], strings.Fields(string(line[1])))
			}
		case ".yaml":
			d := yaml.NewDecoder(bytes.NewReader(text))
			for {
				var node any
				if err := d.Decode(&node); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatalf("%s: %v", file, err)
				}
				all[file] = append(all[file], containers(node)...)
			}
		}
	}
	return all
}

// containers returns the commands of the containers with Quire's image, at any depth of a document.
func containers(node any) (all [][]string) {
	switch node := node.(type) {
	case []any:
		for _, child := range node {
			all = append(all, containers(child)...)
		}
	case map[string]any:
		image, _ := node["image"].(string)
		for _, key := range []string{"args", "command"} {
			words, _ := node[key].([]any)
			if !strings.Contains(strings.ToLower(image), "quire") || words == nil {
				continue
			}
			var command []string
			for _, word := range words {
				text, _ := word.(string)
				command = append(command, text)
			}
			all = append(all, command)
		}
		for _, child := range node {
			all = append(all, containers(child)...)
		}
	}
	return all
}

// TestDeploy: each command in the units, the compose file and the manifests is one that Quire takes. A job that they
// submit is one, too.
func TestDeploy(t *testing.T) {
	t.Setenv("QUIRE_REPO", t.TempDir())
	settings := filepath.Join(t.TempDir(), "settings.yaml")
	if err := os.WriteFile(settings, []byte("unstated: restricted\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	number := map[string]int{}
	for file, calls := range deployed(t, filepath.Join("..", "..", "deploy")) {
		for _, words := range calls {
			number[filepath.Base(filepath.Dir(file))]++
			for i, word := range words {
				if strings.HasPrefix(word, "/etc/quire/") {
					words[i] = settings
				}
			}
			parser, err := grammar(&commands{}, kong.Writers(io.Discard, io.Discard))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := parser.Parse(words); err != nil {
				t.Errorf("%s: quire %s: %v", file, strings.Join(words, " "), err)
			}
			if i := slices.Index(words, "submit"); i == 0 {
				if _, err := parsed(words[1:]); err != nil {
					t.Errorf("%s: quire %s: %v", file, strings.Join(words, " "), err)
				}
			}
		}
	}
	if number["systemd"] != 4 || number["compose"] != 3 || number["kubernetes"] != 3 {
		t.Errorf("commands found: %v", number)
	}
}

var metric = regexp.MustCompile("quire_[a-z_]+")

// TestAlerts: the alarms ask for metrics that the service has, by its reference.
func TestAlerts(t *testing.T) {
	alerts, err := os.ReadFile(filepath.Join("..", "..", "deploy", "compose", "alerts.yml"))
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "reference", "377_service.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := metric.FindAllString(string(alerts), -1)
	for _, name := range found {
		if !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("the service has no metric %s", name)
		}
	}
	if len(found) < 6 {
		t.Errorf("alarms on %v", found)
	}
}
