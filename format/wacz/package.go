package wacz

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// The names in the specification.
const (
	PackageName = "datapackage.json"
	DigestName  = "datapackage-digest.json"
	PagesName   = "pages/pages.jsonl"
)

// The profiles. Since 1.1.1 a WACZ has "data-package", which Browsertrix omits; the draft of 1.2.0
// has "wacz". A package of packages is "multi-wacz" in its specification and "multi-wacz-package"
// in Browsertrix.
const (
	ProfilePackage    = "data-package"
	ProfileWACZ       = "wacz"
	ProfileMulti      = "multi-wacz"
	ProfileMultiWrote = "multi-wacz-package"
)

// Package is the content of datapackage.json. Texts are as found.
type Package struct {
	Profile      string
	Version      string // wacz_version; "" before 1.0.0 and in the draft of 1.2.0
	Title        string
	Description  string
	Software     string
	Organization string
	Creator      string // first contributor: name, and path or mail address
	ID           string
	Created      string
	Modified     string
	HomeURL      string // the page to show first
	HomeTime     string
	Resources    []Resource
	Requires     []Requirement
	Pages        []Page // listed here by older versions
}

// Resource is a file in the package's list.
type Resource struct {
	Name  string
	Path  string
	Hash  Hash
	Bytes int64 // -1 if missing
}

// Requirement is another package that this one depends on: payloads found there are not repeated
// here.
type Requirement struct {
	Name    string // file or URL
	Hash    Hash
	Bytes   int64  // -1 if missing
	CrawlID string // the crawl that made it
}

// Multi reports whether the package holds packages.
func (p *Package) Multi() bool { return p.Profile == ProfileMulti || p.Profile == ProfileMultiWrote }

// maxPackage bounds datapackage.json, in bytes. A hundred thousand resources take twenty million.
const maxPackage = 64 << 20

// errLarge means that a file exceeds the bound of its kind.
var errLarge = errors.New("it exceeds the bound on its size")

// ReadPackage reads a datapackage.json.
func ReadPackage(r io.Reader) (*Package, error) {
	b, err := readAll(r, maxPackage)
	if err != nil {
		return nil, err
	}
	return parsePackage(b)
}

func readAll(r io.Reader, most int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(b)) > most {
		err = errLarge
	}
	return b, err
}

// rawPackage is the JSON. Values of several types are parsed one by one.
type rawPackage struct {
	Profile      text                       `json:"profile"`
	Version      text                       `json:"wacz_version"`
	Title        text                       `json:"title"`
	Description  text                       `json:"description"`
	Software     text                       `json:"software"`
	Organization text                       `json:"organization"`
	ID           text                       `json:"id"`
	Created      text                       `json:"created"`
	Modified     text                       `json:"modified"`
	MainPageURL  text                       `json:"mainPageUrl"`
	MainURL      text                       `json:"mainPageURL"`
	MainPageDate text                       `json:"mainPageDate"`
	MainPageTS   text                       `json:"mainPageTs"`
	Home         json.RawMessage            `json:"home"`
	Metadata     map[string]json.RawMessage `json:"metadata"` // of 1.0.0
	Contributors json.RawMessage            `json:"contributors"`
	Resources    []json.RawMessage          `json:"resources"`
	Pages        []json.RawMessage          `json:"pages"` // before 1.0.0
	Relation     struct {
		Requires json.RawMessage `json:"requires"`
	} `json:"relation"`
}

// text is a string, or a number or list as its JSON. No type is an error.
type text string

// UnmarshalJSON implements json.Unmarshaler.
func (t *text) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*t = text(s)
		return nil
	}
	*t = text(bytes.TrimSpace(b))
	return nil
}

func parsePackage(b []byte) (*Package, error) {
	var raw rawPackage
	if err := json.Unmarshal(trimBOM(b), &raw); err != nil {
		return nil, fmt.Errorf("it is not a JSON package: %w", err)
	}
	p := &Package{
		Profile: string(raw.Profile), Version: string(raw.Version), Title: string(raw.Title),
		Description: string(raw.Description), Software: string(raw.Software),
		Organization: string(raw.Organization), ID: string(raw.ID), Created: string(raw.Created),
		Modified: string(raw.Modified),
		HomeURL:  first(raw.MainPageURL, raw.MainURL), HomeTime: first(raw.MainPageDate, raw.MainPageTS),
	}
	var home struct{ URL, TS text }
	if json.Unmarshal(raw.Home, &home) == nil && home.URL != "" {
		p.HomeURL, p.HomeTime = string(home.URL), string(home.TS)
	}
	for name, field := range map[string]*string{"title": &p.Title, "desc": &p.Description,
		"description": &p.Description} {
		var t text
		if *field == "" && json.Unmarshal(raw.Metadata[name], &t) == nil {
			*field = string(t)
		}
	}
	p.Creator = creator(raw.Contributors)
	for _, r := range raw.Resources {
		p.Resources = append(p.Resources, parseResource(r))
	}
	for _, r := range raw.Pages {
		if page, _ := parsePage(r); page.URL != "" {
			p.Pages = append(p.Pages, page)
		}
	}
	p.Requires = parseRequires(raw.Relation.Requires)
	return p, nil
}

func trimBOM(b []byte) []byte { return bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")) }

func first(all ...text) string {
	for _, t := range all {
		if t != "" {
			return string(t)
		}
	}
	return ""
}

func creator(raw json.RawMessage) string {
	var all []struct{ Title, Path, Email text }
	if json.Unmarshal(raw, &all) != nil || len(all) == 0 {
		return ""
	}
	return strings.TrimSpace(string(all[0].Title) + " " + first(all[0].Email, all[0].Path))
}

// rawResource has hash and size in three forms: as in 1.1.1; in an earlier form, within stats and
// with hashing next to it; and without hash and size.
type rawResource struct {
	Name    text            `json:"name"`
	Path    text            `json:"path"`
	Hash    text            `json:"hash"`
	Hashing text            `json:"hashing"`
	Bytes   json.RawMessage `json:"bytes"`
	Size    json.RawMessage `json:"size"`
	Stats   struct {
		Hash  text            `json:"hash"`
		Bytes json.RawMessage `json:"bytes"`
	} `json:"stats"`
	FileName text `json:"filename"`
	CrawlID  text `json:"crawlId"`
}

func parseResource(raw json.RawMessage) Resource {
	var r rawResource
	if json.Unmarshal(raw, &r) != nil {
		return Resource{Bytes: -1}
	}
	return Resource{Name: string(r.Name), Path: string(r.Path), Hash: r.hash(),
		Bytes: size(r.Bytes, r.Stats.Bytes, r.Size)}
}

func (r *rawResource) hash() Hash { return ParseHash(string(r.Hashing), first(r.Hash, r.Stats.Hash)) }

// size returns the first number among its arguments, or -1.
func size(all ...json.RawMessage) int64 {
	for _, raw := range all {
		var n int64
		if json.Unmarshal(raw, &n) == nil {
			return n
		}
	}
	return -1
}

// parseRequires parses the dependencies of a package: names, or objects with name, hash, size and
// crawl.
func parseRequires(raw json.RawMessage) []Requirement {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	var all []Requirement
	for _, one := range list {
		var name string
		var r rawResource
		switch {
		case json.Unmarshal(one, &name) == nil:
			all = append(all, Requirement{Name: name, Bytes: -1})
		case json.Unmarshal(one, &r) == nil:
			all = append(all, Requirement{Name: first(r.FileName, r.Path, r.Name), Hash: r.hash(),
				Bytes: size(r.Bytes, r.Size), CrawlID: string(r.CrawlID)})
		}
	}
	return all
}

// ParseTime parses a date as the tools write it: RFC 3339, the same without a zone (read as UTC),
// fourteen digits, or milliseconds since 1970.
func ParseTime(s string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", time.DateTime, "2006-01-02 15:04:05Z07:00",
		"20060102150405", time.DateOnly} {
		if t, err := time.Parse(layout, strings.TrimSpace(s)); err == nil {
			return t.UTC(), nil
		}
	}
	var ms int64
	if _, err := fmt.Sscanf(s, "%d", &ms); err == nil && ms > 1e11 && ms < 1e13 && fmt.Sprint(ms) == s {
		return time.UnixMilli(ms).UTC(), nil
	}
	return time.Time{}, fmt.Errorf("%.40q is not a date", s)
}
