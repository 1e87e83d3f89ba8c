package main

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"quire/internal/prove"
)

// TestNobodySaidWhoMaySeeIt checks packages without a rights statement: a curator who forgot it
// sees an empty archive. Each command that withholds content for this reason reports it. No command
// does if a statement exists, or if the reader may see everything anyway.
func TestNobodySaidWhoMaySeeIt(t *testing.T) {
	prove.Serial(t)
	workplace(t)
	for name, content := range map[string]string{"open.yaml": "access: open\n", "serve.yaml": "unstated: open\n",
		"onsite.yaml": "unstated: onsite\n"} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range []string{
		"pack formats.warc --out silent --id silent", "init repo", "ingest silent --repo repo",
		"pack formats.warc --out said --id said --rights open.yaml", "init other", "ingest said --repo other",
		"index --repo repo", "index --repo other",
	} {
		if status, _, errs := call(t, strings.Fields(line)...); status != exitGood {
			t.Fatalf("quire %s: %s", line, errs)
		}
	}
	const told = "1 of 1 package without a rights statement"
	for line, want := range map[string]bool{
		"search nothing --repo repo":                                   true,
		"search nothing --repo repo --json":                            true,
		"search nothing --repo repo --for onsite":                      true,
		"search nothing --repo repo --for onsite --config onsite.yaml": false,
		"search nothing --repo repo --for staff":                       false,
		"search nothing --repo repo --config serve.yaml":               false,
		"search nothing --repo other":                                  false,
		"export silent --as warc --out warc --repo repo":               true,
		"export said --as warc --out warc-said --repo other":           false,
		"index --export cdxj --out - --repo repo":                      true,
		"index --export cdxj --out - --repo other":                     false,
	} {
		status, out, errs := call(t, strings.Fields(line)...)
		good := exitGood
		if strings.HasPrefix(line, "export silent") { // there is nothing to export
			good = exitContent
		}
		if status != good || strings.Contains(errs, told) != want || strings.Contains(out, told) {
			t.Errorf("quire %s: status %d, printed\n%s%s\nwant it reported: %v", line, status, out, errs, want)
		}
	}
}

// TestHelpNamesEveryCommand checks quire help, where people look for commands.
func TestHelpNamesEveryCommand(t *testing.T) {
	_, out, _ := call(t, "help")
	of := reflect.TypeFor[commands]()
	for i := range of.NumField() {
		f := of.Field(i)
		if _, hidden := f.Tag.Lookup("hidden"); hidden || f.Anonymous { // flags of all commands
			continue
		}
		words := regexp.MustCompile("([a-z])([A-Z])").ReplaceAllString(f.Name, "$1-$2")
		if name, ok := f.Tag.Lookup("name"); ok { // the name of the command, if it is not that of the field
			words = name
		}
		if name := "quire " + strings.ToLower(words); !strings.Contains(out, name) {
			t.Errorf("quire help does not name %s", name)
		}
	}
}
