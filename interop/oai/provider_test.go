//go:build interop

package oai

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"quire/interop/internal/peers"
)

// provider is a running quire that stores its answers.
type provider struct {
	base    string // its base URL
	answers string // the folder of stored answers
	asked   int
}

// serve starts quire. The command omits --listen and --config; more is added to the configuration.
func serve(t *testing.T, more string, command ...string) *provider {
	t.Helper()
	p := &provider{answers: t.TempDir()}
	address := peers.FreeAddress(t)
	p.base = "http://" + address + "/oai"
	config := filepath.Join(t.TempDir(), "config.yaml")
	text := fmt.Sprintf("name: Interop\nadmin: oai@library.example\nbase: %s\nendpoint: /oai\npages:\n  records: 40\n"+
		"state: %s\n%s", p.base, t.TempDir(), more)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	said := &bytes.Buffer{}
	cmd := exec.Command(peers.Quire(t), append(command, "--listen", address, "--config", config)...)
	cmd.Stdout, cmd.Stderr = said, said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGINT)
		if err := cmd.Wait(); err != nil {
			t.Errorf("quire %v: %v\n%s", command, err, said)
		}
	})
	for begun := time.Now(); !p.up(); time.Sleep(50 * time.Millisecond) {
		if time.Since(begun) > 5*time.Minute {
			t.Fatalf("quire %v does not answer", command)
		}
	}
	return p
}

// up reports whether it lists records, which is after the first scan of a site.
func (p *provider) up() bool {
	r, err := http.Get(p.base + "?verb=ListIdentifiers&metadataPrefix=oai_dc")
	if err != nil {
		return false
	}
	_ = r.Body.Close()
	return r.StatusCode == http.StatusOK
}

// answer is the part of an answer that the tests read.
type answer struct {
	Errors []struct {
		Code string `xml:"code,attr"`
	} `xml:"error"`
	Formats []struct {
		Prefix string `xml:"metadataPrefix"`
	} `xml:"ListMetadataFormats>metadataFormat"`
	Headers []header     `xml:"ListIdentifiers>header"`
	Records []listRecord `xml:"ListRecords>record"`
	Token   []string     `xml:"ListIdentifiers>resumptionToken"`
	Next    []string     `xml:"ListRecords>resumptionToken"`
}

type header struct {
	Status     string `xml:"status,attr"`
	Identifier string `xml:"identifier"`
}

func (h header) status() string {
	if h.Status == "deleted" {
		return h.Status
	}
	return "live"
}

type listRecord struct {
	Header header `xml:"header"`
}

// ask sends one request and stores the answer.
func (p *provider) ask(t *testing.T, query url.Values) *answer {
	t.Helper()
	r, err := http.Get(p.base + "?" + query.Encode())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }()
	text, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v\n%.1000s", query.Encode(), r.Status, err, text)
	}
	p.asked++
	if err := os.WriteFile(filepath.Join(p.answers, fmt.Sprintf("%05d.xml", p.asked)), text, 0o600); err != nil {
		t.Fatal(err)
	}
	a := &answer{}
	if err := xml.Unmarshal(text, a); err != nil {
		t.Fatalf("%s: %v", query.Encode(), err)
	}
	return a
}

// all reads a whole list by a verb. It returns the records, and whether they are deleted.
func (p *provider) all(t *testing.T, verb, prefix string) map[string]string {
	t.Helper()
	found, twice := p.list(t, verb, prefix)
	for _, id := range twice {
		t.Errorf("%s %s: %s is duplicate", verb, prefix, id)
	}
	return found
}

// list is all for a list that changes meanwhile: a record deleted between two pages appears again
// on a later page.
func (p *provider) list(t *testing.T, verb, prefix string) (found map[string]string, twice []string) {
	t.Helper()
	found = map[string]string{}
	for query := (url.Values{"verb": {verb}, "metadataPrefix": {prefix}}); ; {
		a := p.ask(t, query)
		headers, tokens := a.Headers, a.Token
		for _, r := range a.Records {
			headers, tokens = append(headers, r.Header), a.Next
		}
		for _, h := range headers {
			if found[h.Identifier] != "" {
				twice = append(twice, h.Identifier)
			}
			found[h.Identifier] = h.status()
		}
		if len(tokens) == 0 || tokens[0] == "" {
			return found, twice
		}
		query = url.Values{"verb": {verb}, "resumptionToken": tokens[:1]}
	}
}
