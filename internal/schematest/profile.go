package schematest

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Profile is a METS profile (METS Profile 2.1), as far as tests can check it.
type Profile struct {
	Name  string // value of mets/@PROFILE
	Tests []ProfileTest
}

// ProfileTest is an XPath 1.0 expression that is true for every document of a profile.
type ProfileTest struct{ ID, XPath string }

// ReadProfile reads a profile. Its tests are the tests of its requirements, in order.
func ReadProfile(t *testing.T, file string) Profile {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	type requirement struct {
		ID    string `xml:"ID,attr"`
		Tests []struct {
			Language string `xml:"TESTLANGUAGE,attr"`
			String   string `xml:"testString"`
		} `xml:"tests>test"`
	}
	var doc struct {
		URI      string `xml:"URI"`
		Sections struct {
			Each []struct {
				Requirements []requirement `xml:"requirement"`
			} `xml:",any"`
		} `xml:"structural_requirements"`
	}
	if err := xml.Unmarshal(text, &doc); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	p := Profile{Name: strings.ReplaceAll(doc.URI, "%20", " ")}
	for _, s := range doc.Sections.Each {
		for _, r := range s.Requirements {
			for _, test := range r.Tests {
				if test.Language != "XPath" {
					t.Errorf("%s: the test of %s is in %q", file, r.ID, test.Language)
				}
				p.Tests = append(p.Tests, ProfileTest{r.ID, strings.Join(strings.Fields(test.String), " ")})
			}
		}
	}
	return p
}

// prefixes are the prefixes in the tests of profiles. PREMIS has another namespace in each
// generation.
var prefixes = map[string]string{
	"mets": "http://www.loc.gov/METS/", "xlink": "http://www.w3.org/1999/xlink",
	"xsi":  "http://www.w3.org/2001/XMLSchema-instance",
	"mods": "http://www.loc.gov/mods/v3", "cmd": "http://bibnum.bnf.fr/ns/containerMD-v1",
}

var premisDeclared = regexp.MustCompile(`xmlns:premis="([^"]*)"`)

// Broken returns, by ID, the tests that are false for a METS, according to libxml2: the tests
// become a Schematron schema. Without xmllint the test is skipped.
func Broken(t *testing.T, tests []ProfileTest, mets string) map[string]bool {
	t.Helper()
	tool, err := exec.LookPath("xmllint")
	if err != nil {
		t.Skip("xmllint is not installed: the XPath tests of the profiles are skipped")
	}
	schema := filepath.Join(t.TempDir(), "profile.sch")
	if err := os.WriteFile(schema, []byte(schematron(t, tests, mets)), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(tool, "--nonet", "--noout", "--huge", "--schematron", schema, mets).CombinedOutput()
	broken := map[string]bool{}
	for _, test := range tests {
		if strings.Contains(string(out), "does not hold: "+test.ID+"\n") {
			broken[test.ID] = true
		}
	}
	if said := strings.Contains(string(out), mets+" validates") || len(broken) > 0 &&
		strings.Contains(string(out), mets+" fails to validate"); !said || (err == nil) != (len(broken) == 0) {
		t.Fatalf("xmllint: %v\n%s", err, excerpt(out))
	}
	return broken
}

// schematron writes the tests as a Schematron schema for the METS.
func schematron(t *testing.T, tests []ProfileTest, mets string) string {
	t.Helper()
	head := make([]byte, 8<<10)
	f, err := os.Open(mets)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // opened for reading only
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Fatal(err)
	}
	premis := premisDeclared.FindSubmatch(head[:n])
	if premis == nil {
		t.Fatalf("%s declares no prefix premis", mets)
	}
	var b strings.Builder
	b.WriteString(`<schema xmlns="http://purl.oclc.org/dsdl/schematron">`)
	for prefix, uri := range prefixes {
		fmt.Fprintf(&b, "<ns prefix=%q uri=%q/>", prefix, uri)
	}
	fmt.Fprintf(&b, "<ns prefix=\"premis\" uri=%q/>\n<pattern name=\"profile\"><rule context=\"/mets:mets\">\n",
		premis[1])
	for _, test := range tests {
		var x strings.Builder
		_ = xml.EscapeText(&x, []byte(test.XPath)) // a strings.Builder never fails
		fmt.Fprintf(&b, "<assert test=\"%s\">does not hold: %s</assert>\n", x.String(), test.ID)
	}
	b.WriteString("</rule></pattern></schema>\n")
	return b.String()
}
