package httrack

import (
	"strings"
	"time"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source/internal/zone"
)

// Mirror is what all witnesses together tell of each URL. The bodies stay in the cache and on the
// disk.
type Mirror struct {
	// in the order in which the cache, then the logs tell of them: the run before, then the last
	// one
	Captures []*Capture
	Files    []model.SourceFile // every file of the mirror, with what it is

	tree     *archivefs.Tree
	root     string
	names    map[string]string // of files that have lost theirs: where each of HTTrack's names is now
	output   string            // folder of -O
	zone     zone.Zone
	byKey    map[string]*Capture
	byFile   map[string]*Capture
	moved    map[string]bool     // paths of the pages that HTTrack wrote in the place of redirects
	twins    map[string]*Capture // path of a file whose comment names a URL that has its bytes already
	secrets  map[string]string   // path of a file to why it is restricted
	findings findings
}

// Capture is one URL. Each witness may be missing.
type Capture struct {
	URL      string // as the cache has it, else as the log has it; with a scheme
	Assumed  bool   // the scheme is: no witness tells it
	Entry    *Entry // in the cache: the last that counts
	Entries  int    // how often it is in the cache: redirects in a circle, and runs before
	Row      *Row   // of the log: the last behind which a server stands
	Log      string // path of that log within the Tree
	Time     time.Time
	Request  *Headers // in hts-ioinfo.txt
	Response *Headers
	MovedTo  string // by the message "File has moved", where the cache has no Location
	Recorded string // where the file was written, by the message "Record" of the older versions
	Failed   int    // HTTrack's code in hts-log.txt, of a URL that is in no other witness; 0 for none
	File     string // path within the Tree; "" when nothing was written, or it is gone
	FileSize int64  // bytes
	Basis    Basis  // who says that the file is of this URL

	placeholder string // path of the page that HTTrack wrote in the place of a redirect
	body        int    // what is known of the body in the cache: unread, whole, damaged
}

// Basis says from what a file is known to be that of a URL.
type Basis string

// The bases.
const (
	BasisCache Basis = "cache" // X-Save
	BasisLog   Basis = "log"   // the column localfile, or the message "Record"
	BasisName  Basis = "name"  // concluded from how HTTrack names the pages of errors, and empty files

	BasisComment Basis = "comment" // "Mirrored from", within the file
	BasisPath    Basis = "path"    // of the file, which is taken for the URL
)

// path gives the path within the Tree of one within the mirror.
func (m *Mirror) path(p string) string {
	if own, ok := m.names[p]; ok {
		return own
	}
	if m.root == "." {
		return p
	}
	return m.root + "/" + p
}

// capture gives the capture of a URL, and makes it when it is new. A URL whose scheme is assumed is
// the one with a scheme, if there is one.
func (m *Mirror) capture(url string, assumed bool) *Capture {
	k := key(url)
	if c := m.byKey[k]; c != nil {
		c.Assumed = c.Assumed && assumed
		return c
	}
	if secure := "https" + strings.TrimPrefix(k, "http"); assumed && m.byKey[secure] != nil {
		return m.byKey[secure]
	}
	c := &Capture{URL: url, Assumed: assumed}
	m.byKey[k] = c
	m.Captures = append(m.Captures, c)
	return c
}

// named gives the captures that a name without a scheme can mean, http first.
func (m *Mirror) named(name string) []*Capture {
	full, assumed := withScheme(name)
	k := key(full)
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

// addEntry takes an entry of the cache into account. Of several the last counts, unless it lacks
// the body that one before has.
func (m *Mirror) addEntry(e *Entry) {
	c := m.capture(e.URL, e.Assumed)
	if c.Entries++; c.Entry == nil || e.Cache != c.Entry.Cache || e.InCache || !c.Entry.InCache {
		c.Entry = e
	}
	m.watch(e.Cache, e.URL)
}

// addRow takes a row of a log into account. One behind which no server stands counts only where
// there is no other.
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

// addHeaders takes a header of hts-ioinfo.txt into account. http and https of one path have one
// name there; whichever still lacks its header gets it. Of several answers the last counts, unless
// only one before has the status that the other witnesses tell.
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

// addMessage takes a message of hts-log.txt about a URL into account.
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
	}
}

// Status is what the server answered, or below 0 HTTrack's own code; 0 when nobody tells.
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

// Kept says whether the content is there, in the cache or as a file. An empty file of a URL that
// failed is none.
func (c *Capture) Kept() bool {
	file := c.File != "" && (c.FileSize > 0 || c.Status() == 200)
	return file || c.Entry != nil && c.Entry.InCache
}

// Zone tells by how much the times that the logs give are ahead of UTC, and why; why is "" when it
// is not known, and the Time of each Capture is then on the crawler's clock.
func (m *Mirror) Zone() (ahead time.Duration, why string) { return m.zone.Ahead, m.zone.Why }
