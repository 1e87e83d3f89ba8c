package httrack

import (
	"strings"
	"time"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source/internal/zone"
)

// Mirror combines all sources for each URL. The bodies stay in the cache and on disk.
type Mirror struct {
	// in the order of the cache, then of the logs: the run before, then the last one
	Captures []*Capture
	Files    []model.SourceFile // every file of the mirror, with its role

	tree     *archivefs.Tree
	root     string
	names    map[string]string // current names of renamed files, by HTTrack's names
	output   string            // folder of -O
	zone     zone.Zone
	byKey    map[string]*Capture
	byFile   map[string]*Capture
	moved    map[string]bool     // paths of the pages that HTTrack wrote instead of redirects
	twins    map[string]*Capture // path of a file with the comment of a URL that already has its bytes
	states   map[string]bool     // paths of the states of unfinished downloads
	folded   map[string][]string // paths by their form in lower case
	secrets  map[string]string   // path of a file to the reason for its restriction
	findings findings

	unfinished bool   // the run broke off
	commented  period // times in the comments of pages, if no log has the time of the run
}

// Capture is one URL. Each source may be missing.
type Capture struct {
	URL      string // from the cache, else from the log; with a scheme
	Assumed  bool   // the scheme is assumed: no source has it
	Entry    *Entry // in the cache: the last valid one
	Entries  int    // number of cache entries: redirect loops, and earlier runs
	Row      *Row   // of the log: the last with a server response
	Log      string // path of that log within the Tree
	Time     time.Time
	Request  *Headers // in hts-ioinfo.txt
	Response *Headers
	MovedTo  string // from the message "File has moved", if the cache has no Location
	Recorded string // path of the written file, from the message "Record" of older versions
	Failed   int    // HTTrack's code in hts-log.txt for a URL in no other source; 0 for none
	Whole    int64  // bytes that the server announced for a body of another length; 0 for none
	User     bool   // the sources write a user, and perhaps a password, before the host
	File     string // path within the Tree; "" if never written or missing
	FileSize int64  // bytes
	Partial  bool   // the file may have the beginning of a body only: the run broke off
	Basis    Basis  // evidence that the file belongs to this URL

	placeholder string // path of the page that HTTrack wrote instead of a redirect
	body        int    // state of the body in the cache: unread, whole, damaged
}

// Basis is the evidence that a file belongs to a URL.
type Basis string

// The bases.
const (
	BasisCache Basis = "cache" // X-Save
	BasisLog   Basis = "log"   // the column localfile, or the message "Record"
	BasisName  Basis = "name"  // derived from HTTrack's names for error pages and empty files

	BasisState Basis = "state" // HTTrack's state of the unfinished download, beside the file

	BasisComment Basis = "comment" // "Mirrored from", within the file
	BasisPath    Basis = "path"    // the URL is derived from the file's path
)

// path returns the Tree path of a mirror path.
func (m *Mirror) path(p string) string {
	if own, ok := m.names[p]; ok {
		return own
	}
	if m.root == "." {
		return p
	}
	return m.root + "/" + p
}

// capture returns the capture of a URL, and creates it if new. A URL with an assumed scheme matches
// the one with a scheme, if it exists.
func (m *Mirror) capture(url string, assumed bool) *Capture {
	plain := withoutUser(url)
	k := key(plain)
	if c := m.byKey[k]; c != nil {
		c.Assumed, c.User = c.Assumed && assumed, c.User || plain != url
		return c
	}
	if secure := "https" + strings.TrimPrefix(k, "http"); assumed && m.byKey[secure] != nil {
		return m.byKey[secure]
	}
	c := &Capture{URL: plain, Assumed: assumed, User: plain != url}
	m.byKey[k] = c
	m.Captures = append(m.Captures, c)
	return c
}

// named returns the captures that a name without a scheme can mean, http first.
func (m *Mirror) named(name string) []*Capture {
	full, assumed := withScheme(name)
	k := key(withoutUser(full))
	var found []*Capture
	if c := m.byKey[k]; c != nil {
		found = append(found, c)
	}
	if assumed {
		if c := m.byKey["https"+strings.TrimPrefix(k, "http")]; c != nil {
			found = append(found, c)
		}
	}
	return found
}

// addEntry adds an entry of the cache. The last one prevails, unless it lacks the body of an
// earlier one.
func (m *Mirror) addEntry(e *Entry) {
	c := m.capture(e.URL, e.Assumed)
	if c.Entries++; c.Entry == nil || e.Cache != c.Entry.Cache || e.InCache || !c.Entry.InCache {
		c.Entry = e
	}
	m.watch(e.Cache, e.URL)
}

// addRow adds a row of a log. A row without a server response is used only if no row has a
// response.
func (m *Mirror) addRow(r *Row, log string, at time.Time) {
	url, assumed := withScheme(r.URL)
	c := m.capture(url, assumed)
	if c.Row == nil || r.answered() || !c.Row.answered() {
		kept := *r
		c.Row, c.Log, c.Time = &kept, log, at
	}
	m.watch(log, r.URL)
	m.watch(log, r.Via)
}

// addHeaders adds a header of hts-ioinfo.txt. There, http and https of one path have the same name;
// the first one without its header gets it. The last of several responses prevails, unless only an
// earlier one has the status of the other sources.
func (m *Mirror) addHeaders(name string, response bool, h Headers) {
	found := m.named(name)
	if len(found) == 0 {
		url, assumed := withScheme(name)
		found = append(found, m.capture(url, assumed))
	}
	c := found[len(found)-1]
	for _, one := range found {
		if response && one.Response == nil || !response && one.Request == nil {
			c = one
			break
		}
	}
	switch {
	case !response:
		c.Request = &h
	case c.Response == nil || h.Status == c.Status() || c.Response.Status != c.Status():
		c.Response = &h
	}
}

// addMessage adds a message of hts-log.txt about a URL.
func (m *Mirror) addMessage(msg message) {
	found := m.named(msg.URL)
	if len(found) == 0 {
		url, assumed := withScheme(msg.URL)
		found = append(found, m.capture(url, assumed))
	}
	for _, c := range found {
		if msg.To != "" {
			c.MovedTo = msg.To
		}
		if msg.Saved != "" {
			c.Recorded = msg.Saved
		}
		if msg.Status != 0 && c.Row == nil {
			c.Failed = msg.Status
		}
		if msg.Whole > 0 && (c.Row == nil || c.Row.Status < 0) {
			c.Whole = msg.Whole
		}
	}
}

// Status returns the server's status, or HTTrack's own code below 0, or 0 if unknown.
func (c *Capture) Status() int {
	switch {
	case c.Row != nil:
		return c.Row.Status
	case c.Entry != nil:
		return c.Entry.Status
	case c.Response != nil:
		return c.Response.Status
	}
	return c.Failed
}

// Kept reports whether the content exists, in the cache or as a file. An empty file of a failed URL
// does not count.
func (c *Capture) Kept() bool {
	file := c.File != "" && (c.FileSize > 0 || c.Status() == 200)
	return file || c.Entry != nil && c.Entry.InCache
}

// Zone returns the time by which the logs are ahead of UTC, and the evidence. If why is "", the
// zone is not known.
func (m *Mirror) Zone() (ahead time.Duration, why string) {
	if !m.zone.Known() {
		return 0, ""
	}
	return m.zone.Ahead, m.zone.Why
}
