package address

import "strings"

// Kind is what is asked for.
type Kind string

// What the replay host answers.
const (
	Capture  Kind = "capture"  // /COLL/TIMESTAMP[MOD]/URL
	TimeGate Kind = "timegate" // /COLL/URL, /COLL/MOD/URL: RFC 7089, 4.1; answers with a redirect to a capture
	TimeMap  Kind = "timemap"  // /COLL/timemap/FORMAT/URL: RFC 7089, 5
	CDX      Kind = "cdx"      // /COLL/cdx?url=URL: docs/reference/540_cdx-server.md
	Calendar Kind = "calendar" // /COLL/*/URL, as other archives write it: the page of all versions
)

// Modifier says in which form a capture is wanted; the letters are those of pywb.
type Modifier string

// The modifiers. Of others (fr_, oe_) it is known only that somebody asked for them.
const (
	Page       Modifier = "mp_" // rewritten, a page
	Identity   Modifier = "id_" // as it was captured
	Redirected Modifier = "ir_" // as it was captured, but for where it redirects: for engines in the browser
	Image      Modifier = "im_"
	Style      Modifier = "cs_"
	Script     Modifier = "js_"
	Frame      Modifier = "if_" // a page in a frame of another
	Worker     Modifier = "wk_" // the script with which a worker begins, which runs that of the capture
	Module     Modifier = "wm_" // the same, of a worker that is a module
)

// Request is what a request to the replay host asks for.
type Request struct {
	Kind      Kind
	In        In
	Timestamp string   // 1 to 14 digits; "" for what is not about one moment
	Modifier  Modifier // "" when none was written
	URL       string   // that was archived, as written, but for what ReadURL mends; "" for CDX
	Format    string   // of a time map: link, json, cdxj
	// of a time map that is long: the timestamp, 14 digits, at which this page of it begins; "" for
	// its first
	From  string
	Query string // of CDX, as written
}

// Replay is where archived pages are: "" for the host that was asked, or a URL without a slash at
// its end. With a wildcard for the first label of its host (https://*.replay.example) each archived
// site has a host of its own there (Label).
type Replay string

// Capture is the address of a capture, or of the one next to that moment.
func (r Replay) Capture(in In, timestamp string, m Modifier, archived string) string {
	return r.For(in, archived).Prefix(in, timestamp, m) + EscapeURL(archived)
}

// Prefix is what stands before the URL in the address of a capture. r has no wildcard.
func (r Replay) Prefix(in In, timestamp string, m Modifier) string {
	return string(r) + "/" + in.Segment() + "/" + timestamp + string(m) + "/"
}

// TimeGate is the address that redirects to the capture nearest to a moment (Accept-Datetime); with
// a modifier, in that form.
func (r Replay) TimeGate(in In, m Modifier, archived string) string {
	at := string(r.For(in, archived)) + "/" + in.Segment() + "/"
	if m != "" {
		at += string(m) + "/"
	}
	return at + EscapeURL(archived)
}

// TimeMap is the address of the list of captures: format link, json or cdxj. From is the timestamp
// at which a page of a long one begins; "" for the first page.
func (r Replay) TimeMap(in In, format, from, archived string) string {
	at := string(r.For(in, archived)) + "/" + in.Segment() + "/timemap/" + format + "/"
	if from != "" {
		at += from + "/"
	}
	return at + EscapeURL(archived)
}

// CDX is the address of the CDX server, for queries about a collection.
func (r Replay) CDX(in In) string {
	return string(r.labelled(func() string { return anySite })) + "/" + in.Segment() + "/cdx"
}

// ParseReplay reads the target of a request to the replay host, as it stands in the request line
// (http.Request.RequestURI) behind the path at which we are mounted.
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

// moment reads TIMESTAMP[MOD], or MOD alone.
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

// modifier: two to five letters and a line.
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

// timeMap reads FORMAT[/FROM]/URL.
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

// origin takes the scheme and host from a target in absolute form, which a client of a proxy sends
// (RFC 9112, 3.2.2).
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
