package address

import "strings"

// Kind is the kind of a request.
type Kind string

// Kinds of requests to the replay host.
const (
	Capture  Kind = "capture"  // /COLL/TIMESTAMP[MOD]/URL
	TimeGate Kind = "timegate" // /COLL/URL, /COLL/MOD/URL: RFC 7089, 4.1; redirects to a capture
	TimeMap  Kind = "timemap"  // /COLL/timemap/FORMAT/URL: RFC 7089, 5
	CDX      Kind = "cdx"      // /COLL/cdx?url=URL: docs/reference/540_cdx-server.md
	Calendar Kind = "calendar" // /COLL/*/URL, as in other archives: the page of all versions
)

// Modifier selects the form of a capture. The letters are the same as in pywb.
type Modifier string

// The modifiers. Others (fr_, oe_) are accepted, but have no effect of their own.
const (
	Page       Modifier = "mp_" // a page, rewritten
	Identity   Modifier = "id_" // as captured
	Redirected Modifier = "ir_" // as captured, except redirects: for replay engines in the browser
	Image      Modifier = "im_"
	Style      Modifier = "cs_"
	Script     Modifier = "js_"
	Frame      Modifier = "if_" // a page in a frame of another page
	Worker     Modifier = "wk_" // the start script of a worker, which runs the captured script
	Module     Modifier = "wm_" // the same for a worker that is a module
	Parts      Modifier = "pt_" // of Provenance: the parts of a page
	Mixed      Modifier = "pm_" // of Provenance: whether a part is of another time, for the banner
	Statement  Modifier = "st_" // of Provenance: a signed statement
	Engine     Modifier = "wb_" // on the UI host: below the banner, shown by the engine in the browser
)

// Request is a parsed request to the replay host.
type Request struct {
	Kind      Kind
	In        In
	Timestamp string   // 1 to 14 digits; "" if the request has none
	Modifier  Modifier // "" if absent
	URL       string   // the archived URL, repaired by ReadURL; "" for CDX
	Format    string   // of a time map: link, json, cdxj
	// for a long time map: 14-digit timestamp at which this page begins; "" for the first page
	From  string
	Query string // for CDX, as sent
}

// Replay is the base URL of the replay host, without a slash at its end; "" means the requested
// host. If the first label of its host is a wildcard (https://*.replay.example), each archived site
// has its own host (Label).
type Replay string

// Capture returns the address of a capture, or of the capture nearest to that moment.
func (r Replay) Capture(in In, timestamp string, m Modifier, archived string) string {
	return r.For(in, archived).Prefix(in, timestamp, m) + EscapeURL(archived)
}

// Prefix returns the part before the URL in the address of a capture. r must have no wildcard.
func (r Replay) Prefix(in In, timestamp string, m Modifier) string {
	return string(r) + "/" + in.Segment() + "/" + timestamp + string(m) + "/"
}

// TimeGate returns the address that redirects to the capture nearest to a moment (Accept-Datetime);
// a modifier selects its form.
func (r Replay) TimeGate(in In, m Modifier, archived string) string {
	at := string(r.For(in, archived)) + "/" + in.Segment() + "/"
	if m != "" {
		at += string(m) + "/"
	}
	return at + EscapeURL(archived)
}

// TimeMap returns the address of the list of captures; format is link, json or cdxj. From is the
// timestamp at which a page of a long list begins; "" means the first page.
func (r Replay) TimeMap(in In, format, from, archived string) string {
	at := string(r.For(in, archived)) + "/" + in.Segment() + "/timemap/" + format + "/"
	if from != "" {
		at += from + "/"
	}
	return at + EscapeURL(archived)
}

// CDX returns the address of the CDX server, for queries about a collection.
func (r Replay) CDX(in In) string {
	return string(r.labelled(func() string { return anySite })) + "/" + in.Segment() + "/cdx"
}

// ParseReplay parses the target of a request to the replay host. The target is the request line's
// (http.Request.RequestURI), without the path at which the server is mounted.
func ParseReplay(target string) (Request, bool) {
	first, rest, ok := strings.Cut(strings.TrimPrefix(origin(target), "/"), "/")
	in, good := parseIn(first)
	if !ok || !good {
		return Request{}, false
	}
	q := Request{In: in}
	second, behind, more := strings.Cut(rest, "/")
	switch {
	case rest == "cdx" || strings.HasPrefix(rest, "cdx?"):
		q.Kind = CDX
		_, q.Query, _ = strings.Cut(rest, "?")
		return q, true
	case second == "timemap" && more:
		return q.timeMap(behind)
	case second == "*" && more:
		q.Kind, rest = Calendar, behind
	case more && q.moment(second):
		rest = behind
		q.Kind = Capture
		if q.Timestamp == "" {
			q.Kind = TimeGate
		}
	default:
		q.Kind = TimeGate
	}
	q.URL, ok = ReadURL(rest)
	return q, ok
}

// moment parses TIMESTAMP[MOD], or MOD alone.
func (q *Request) moment(segment string) bool {
	n := 0
	for n < len(segment) && '0' <= segment[n] && segment[n] <= '9' {
		n++
	}
	m := segment[n:]
	if n > 14 || segment == "" || m != "" && !modifier(m) {
		return false
	}
	q.Timestamp, q.Modifier = segment[:n], Modifier(m)
	return true
}

// modifier reports whether s has the form of a modifier: two to five letters and an underscore.
func modifier(s string) bool {
	if len(s) < 3 || len(s) > 6 || s[len(s)-1] != '_' {
		return false
	}
	for _, c := range []byte(s[:len(s)-1]) {
		if c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}

// timeMap parses FORMAT[/FROM]/URL.
func (q Request) timeMap(rest string) (_ Request, ok bool) {
	q.Kind = TimeMap
	q.Format, rest, ok = strings.Cut(rest, "/")
	if !ok {
		return q, false
	}
	if from, behind, more := strings.Cut(rest, "/"); more && len(from) == 14 && strings.Trim(from, "0123456789") == "" {
		q.From, rest = from, behind
	}
	q.URL, ok = ReadURL(rest)
	return q, ok
}

// origin cuts scheme and host from a target in absolute form, as proxy clients send it (RFC 9112,
// 3.2.2).
func origin(target string) string {
	if strings.HasPrefix(target, "/") {
		return target
	}
	if _, rest, ok := strings.Cut(target, "://"); ok {
		if i := strings.IndexByte(rest, '/'); i >= 0 {
			return rest[i:]
		}
	}
	return ""
}
