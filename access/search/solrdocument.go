package search

import (
	"cmp"
	"crypto/md5" //nolint:gosec // the ids of webarchive-discovery are made with it
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"math"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/publicsuffix"

	"quire/access/search/extract"
	"quire/holdings"
	"quire/holdings/captures"
	"quire/internal/secret"
)

// access is the access of the classes of readers to a capture, now and later by the clock.
type access struct {
	from, to [3]int64 // by class: the first time of access, in seconds
	forever  bool     // the public has access, and no known moment ends it
	next     int64    // the next moment of a change; 0 for none
}

const endOfTime = math.MaxInt64

// accessTo asks holdings for the access to a capture.
func (s *Solr) accessTo(c *captures.Capture) access {
	var a access
	for i, class := range classes {
		all := s.house.Changes(holdings.Reader{Class: class}, c)
		begun, ended := false, false
		for n, d := range all {
			at := d.From.Unix()
			if n == 0 {
				at = 0
			} else if a.next == 0 || at < a.next {
				a.next = at
			}
			switch {
			case d.Allowed && !begun:
				begun, a.from[i], a.to[i] = true, at, endOfTime
			case !d.Allowed && begun && !ended:
				ended, a.to[i] = true, at
			}
		}
		if !begun {
			a.from[i] = endOfTime
		}
		if class == holdings.Public {
			a.forever = a.from[i] == 0 && a.to[i] == endOfTime
		}
	}
	return a
}

// maxAddress limits the URLs in Solr, in bytes: a term has at most 32 KB.
const maxAddress = 8000

// feedable reports whether a capture is for Solr.
func feedable(c holdings.Judged) bool {
	return indexable(c) && len(c.URL) <= maxAddress && len(c.Key) <= maxAddress && len(c.Timestamp) == len(dateForm)
}

const dateForm = "20060102150405"

// captureID returns the id of a capture in the collection of Quire.
func captureID(c *captures.Capture) string {
	sum := sha256.Sum256([]byte(c.Key + "\n" + c.URL + "\n" + c.Timestamp + "\n" + c.Package + "\n" + digestOf(c)))
	return hex.EncodeToString(sum[:16])
}

// openID returns the id of a capture in the collection of open records, as webarchive-discovery makes it.
func openID(c *captures.Capture) string {
	sum := md5.Sum([]byte(c.URL)) //nolint:gosec // see the import
	return c.Timestamp + "/" + base64.StdEncoding.EncodeToString(sum[:])
}

// ownDocument returns a capture as the collection of Quire has it. Its text is in the form that snippets
// need; its words are in the form of queries.
func ownDocument(c *captures.Capture, f *fresh, page string, a *access, pass int64) (map[string]any, error) {
	text, err := json.Marshal(f.text)
	if err != nil {
		return nil, err
	}
	x := f.words()
	at, err := strconv.ParseInt(c.Timestamp, 10, 64)
	if err != nil {
		return nil, err
	}
	depth, again := urlRank(c.URL), 0
	if f.again {
		again = 1
	}
	host := hostOf(c.URL)
	d := map[string]any{
		"id": captureID(c), "quire_kind": "capture", "url": c.URL, "quire_package": c.Package, "quire_pass": pass,
		"quire_page": page, "quire_payload": digestOf(c), "quire_key": c.Key, "quire_host": host,
		"quire_hosts": parents(host), "quire_type": f.text.Type, "quire_language": cmp.Or(f.text.Language, noLanguage),
		"quire_year": at / 1e10, "quire_time": at, "quire_depth": depth, "quire_boost": boost(depth),
		"quire_size": f.size, "quire_again": again, "quire_text": string(text),
		"quire_title_words": x.title, "quire_url_words": forIndex(wordsOf(c.URL)), "quire_body_words": x.body,
		"quire_title_stems": x.titleStems, "quire_body_stems": x.bodyStems,
	}
	if hosts := otherHosts(f.text, host); len(hosts) > 0 {
		d["links_hosts"] = hosts
	}
	if f.text.Note != "" {
		d["quire_note"] = cut(f.text.Note, maxAddress)
	}
	for i, class := range classes {
		d["quire_"+string(class)+"_from"], d["quire_"+string(class)+"_to"] = a.from[i], a.to[i]
	}
	return d, nil
}

// noLanguage is the language of a text in an unknown one.
const noLanguage = "und"

// parents returns a host and the names above it.
func parents(host string) (all []string) {
	for host != "" {
		all = append(all, host)
		_, host, _ = strings.Cut(host, ".")
	}
	return all
}

// openDocument returns a capture as the collection of open records has it: with the fields of
// webarchive-discovery. Programs that read it expect a status and a length in each document.
func openDocument(c *captures.Capture, f *fresh, files string) map[string]any {
	at, err := time.Parse(dateForm, c.Timestamp)
	if err != nil {
		return nil
	}
	number, _ := strconv.ParseInt(c.Timestamp, 10, 64) // it is a time
	norm, host := normURL(c.URL), hostOf(c.URL)
	suffix, _ := publicsuffix.PublicSuffix(host)
	domain, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil {
		domain = host
	}
	d := map[string]any{
		"id": openID(c), "url": c.URL, "url_norm": norm, "host": host, "domain": domain, "public_suffix": suffix,
		"wayback_date": number, "crawl_date": at.Format(time.RFC3339), "crawl_year": at.Year(),
		"crawl_years": []int{at.Year()}, "record_type": c.Type, "hash": c.Digest, "status_code": status(c),
		"content_length": min(max(f.size, 0), math.MaxInt32), "content_type": c.MIME, "content_type_served": c.MIME,
		"content_type_full": c.MIME, "content_type_norm": normType(f.text.Type, c.MIME),
		"type": typeLabels[f.text.Type], "source_file": path.Base(c.Record.Container),
		"source_file_path": sourceFile(files, c.Package, c.Record.Container), "source_file_offset": c.Record.Offset,
		"content_text_length": len(f.text.Body),
	}
	if u, err := url.Parse(c.URL); err == nil {
		d["url_path"], d["resourcename"] = u.Path, path.Base(u.Path)
		d["url_type"] = "normal"
		if strings.Trim(u.Path, "/") == "" && u.RawQuery == "" {
			d["url_type"] = "slashpage"
		}
	}
	for name, value := range map[string]string{"title": f.text.Title, "description": f.text.Description,
		"content": f.text.Body, "content_language": f.text.Language, "content_encoding": c.Coding} {
		if value != "" {
			d[name] = value
		}
	}
	addLinks(d, f.text, host)
	for _, detail := range f.text.Details {
		if detail.Name == "author" || detail.Name == "keywords" {
			d[detail.Name] = []string{cut(detail.Value, maxAddress)}
		}
		if detail.Name == "position" {
			d["exif_location"] = strings.ReplaceAll(detail.Value, " ", "") // latitude,longitude
		}
	}
	return d
}

// addLinks adds the addresses of the links and pictures of a page, in the form of url_norm, and the hosts and
// domains of the links.
func addLinks(d map[string]any, t *extract.Text, own string) {
	var links, domains []string
	for _, link := range t.Links {
		links = append(links, link.URL)
	}
	for name, all := range map[string][]string{"links": links, "links_images": t.Pictures} {
		if all = normURLs(all); len(all) > 0 {
			d[name] = all
		}
	}
	hosts := otherHosts(t, own)
	for _, h := range hosts {
		if domain, err := publicsuffix.EffectiveTLDPlusOne(h); err == nil && !slices.Contains(domains, domain) {
			domains = append(domains, domain)
		}
	}
	if len(hosts) > 0 {
		d["links_hosts"], d["links_domains"] = hosts, domains
	}
}

// otherHosts returns the hosts that a page links to, without its own.
func otherHosts(t *extract.Text, own string) []string {
	return slices.DeleteFunc(linkedHosts(t), func(h string) bool { return h == own })
}

// status returns the status of a capture; a record without an answer of a server counts as 200.
func status(c *captures.Capture) int { return cmp.Or(c.Status, 200) }

// sourceFile returns the path of a container in the collection of open records.
func sourceFile(files, pkg, container string) string { return files + pkg + "/" + container }

// normURL returns a URL in the form of url_norm: http, in lower case, without www, and without the slash
// at its end, but for a host alone.
func normURL(s string) string {
	s, _, _ = strings.Cut(s, "#")
	scheme, rest, ok := strings.Cut(strings.ToLower(s), "://")
	if !ok {
		return s
	}
	if scheme == "https" {
		scheme = "http"
	}
	rest = strings.TrimPrefix(rest, "www.")
	host, path, below := strings.Cut(rest, "/")
	host = strings.TrimSuffix(strings.TrimSuffix(host, ":80"), ":443")
	if !below || path == "" {
		return scheme + "://" + host + "/"
	}
	return scheme + "://" + host + "/" + strings.TrimRight(path, "/")
}

// normURLs returns URLs in the form of url_norm, each once, without passwords.
func normURLs(all []string) (norm []string) {
	for _, u := range all {
		if u = normURL(secret.Without(u)); len(u) <= maxAddress {
			norm = append(norm, u)
		}
	}
	slices.Sort(norm)
	return slices.Compact(norm)
}

// normType returns the kind of content in the words of content_type_norm.
func normType(kind, mime string) string {
	switch kind {
	case "page":
		return "html"
	case "spreadsheet":
		return "excel"
	case "presentation":
		return "powerpoint"
	case "text", "pdf", "image", "audio", "video":
		return kind
	case "document":
		if strings.Contains(mime, "word") || strings.Contains(mime, "opendocument.text") ||
			strings.Contains(mime, "rtf") {
			return "word"
		}
	}
	return "other"
}
