package wget

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"quire/internal/lines"
)

// logReader reads a log. It reports each attempt when the next one begins.
type logReader struct {
	journal *journal
	attempt func(*attempt) bool // returns whether to continue
	// a line about a file with converted links: "Converting x... 16-1"; may be nil
	turned func(line, result string)
	// files of unknown URLs: not fetched again, or saved (Wget2); may be nil
	kept func(names []string)

	l       *lines.Reader
	second  *log2 // if Wget2 wrote the log
	now     *attempt
	last    [2]string         // lines of the attempt with no other recognised content
	words   map[string]string // reasons and media types: a log repeats them
	pending string            // URL of an expected error, in a log that is not verbose
	block   string            // within a head of a debug log: "request", "response"
	head    attempt           // the response with a URL still unknown: -S without -v
	day     int               // since the first, in a log without days
	clock   time.Duration
	summary int  // number of summary lines still expected
	cut     bool // the log ended, possibly within the attempt
	stopped bool
}

// readLog reads a whole log.
func readLog(in io.Reader, r *logReader) error {
	r.l = lines.NewReader(in)
	for !r.stopped {
		err := r.l.Next()
		if errors.Is(err, io.EOF) {
			r.cut = true
			r.flush()
			if r.second != nil {
				r.second.converted()
				r.second.leave(len(r.second.names))
			}
			return nil
		}
		if err != nil {
			return err
		}
		switch raw := string(r.l.Text); {
		case r.l.Long:
		case r.second != nil:
			r.second.line(raw)
		case r.journal.Requests == 0 && r.now == nil && begins2(raw):
			r.second = &log2{logReader: r}
			r.second.line(raw)
		default:
			r.line(string(bytes.ToValidUTF8(r.l.Text, []byte("\ufffd"))), raw)
		}
	}
	return nil
}

// flush reports the finished attempt.
func (r *logReader) flush() {
	a := r.now
	r.now = nil
	if a == nil {
		return
	}
	r.journal.Requests++
	ftp := strings.HasPrefix(a.URL, "ftp")
	a.Kept = !a.Saved && a.Problem == "" && a.Named != "" && (a.Status/100 == 2 || a.Status == 304 || ftp) && !r.cut
	if !a.Saved && !a.Kept && a.Problem == "" && (a.Status == 0 || a.Status/100 == 2) {
		a.Problem = strings.TrimSpace(r.last[0] + " " + r.last[1])
	}
	r.report(a)
}

// report passes an attempt on. It has no parts of lines that repeat in a log.
func (r *logReader) report(a *attempt) {
	a.Reason, a.MIME, a.Try = r.word(a.Reason), r.word(a.MIME), r.word(a.Try)
	r.last = [2]string{}
	r.stopped = !r.attempt(a) || r.stopped
}

// maxRepeated bounds the texts that are kept.
const maxRepeated = 1000

// word returns the one copy of a text.
func (r *logReader) word(s string) string {
	if s == "" {
		return ""
	}
	if w, ok := r.words[s]; ok {
		return w
	}
	w := strings.Clone(s)
	if r.words == nil {
		r.words = map[string]string{}
	}
	if len(r.words) < maxRepeated {
		r.words[w] = w
	}
	return w
}

// line processes a line: text for its pattern, raw for the names in it.
func (r *logReader) line(text, raw string) {
	switch {
	case r.debug(text):
	case r.begins(text, raw), r.ends(text):
	case r.summary > 0 && text != "" && !strings.Contains(text, "...") && !strings.Contains(text, "…"):
		r.summary--
		r.journal.Summary = append(r.journal.Summary, text)
	case r.now != nil:
		r.about(text, raw)
	default:
		r.between(text, raw)
	}
}

// time parses the time of a line. If the line has no day, time counts the days.
func (r *logReader) time(day, clock string) time.Time {
	t := parseStamp(day, clock)
	if day == "" {
		r.journal.Undated = true
		of := t.Sub(t.Truncate(24 * time.Hour))
		if of+time.Hour < r.clock {
			r.day++
		}
		r.clock = of
		t = t.AddDate(0, 0, r.day)
	}
	if r.journal.First.IsZero() {
		r.journal.First = t
	}
	r.journal.Last = t
	return t
}

// begins processes a line that begins an attempt, or contains a whole one.
func (r *logReader) begins(text, raw string) bool {
	if m := lineAsked.FindStringSubmatch(raw); m != nil {
		r.flush()
		r.journal.Verbose = true
		r.now = r.start(m[4], r.time(m[1], m[2]))
		r.now.Try = strings.Trim(m[3], "() ")
		return true
	}
	if m := lineShort.FindStringSubmatch(raw); m != nil {
		r.flush()
		r.now = r.start(m[3], time.Time{})
		r.now.Done, r.now.Got, r.now.Length = r.time(m[1], m[2]), number(m[4]), number(m[5])
		r.now.Named, r.now.Saved, r.now.Short = m[6], true, true
		r.flush()
		return true
	}
	if r.now == nil {
		if m := lineSpider.FindStringSubmatch(raw); m != nil {
			r.now = r.start(m[3], r.time(m[1], m[2]))
			r.now.Status, r.now.Reason, r.now.Short = int(number(m[4])), m[5], true
			r.flush()
			return true
		}
		if m := lineNamed.FindStringSubmatch(raw); m != nil && !strings.ContainsAny(m[1], " \t") {
			r.pending = m[1]
			return true
		}
	}
	if m := lineDebug.FindStringSubmatch(text); m != nil {
		r.journal.Version = m[1]
		return true
	}
	return false
}

func (r *logReader) start(url string, at time.Time) *attempt {
	a := &attempt{URL: url, Asked: at, Length: -1, Got: -1, Line: r.l.Number, Offset: r.l.Offset}
	a.Head, a.Status, a.Reason = r.head.Head, r.head.Status, r.head.Reason
	r.head, r.pending = attempt{}, ""
	return a
}

// ends processes the line at the end of a run.
func (r *logReader) ends(text string) bool {
	m := lineEnd.FindStringSubmatch(text)
	if m == nil || strings.HasPrefix(text, "--") {
		return false
	}
	r.flush()
	r.journal.End, r.journal.Finished = m[1], r.time(m[2], m[3])
	r.journal.Summary, r.summary = nil, 2
	return true
}

// between processes a line outside of attempts: errors of a log that is not verbose, and the lines
// at the end.
func (r *logReader) between(text, raw string) {
	if r.pending != "" {
		if m := lineError.FindStringSubmatch(text); m != nil {
			r.now = r.start(r.pending, time.Time{})
			r.now.Done, r.now.Status, r.now.Reason, r.now.Short = r.time(m[1], m[2]), int(number(m[3])), m[4], true
			r.flush()
			return
		}
		r.now = r.start(r.pending, time.Time{})
		r.now.Problem, r.now.Short = text, true
		r.flush()
		return
	}
	// -S without -v: the head precedes the line with the URL
	if m := lineStatus.FindStringSubmatch(text); m != nil {
		r.head = attempt{Status: int(number(m[1])), Reason: m[2], Head: span{From: r.l.Offset, To: r.l.End}}
		return
	}
	if h := &r.head.Head; h.From < h.To && strings.HasPrefix(text, "  ") && h.To == r.l.Offset {
		h.To = r.l.End
		return
	}
	if i := strings.IndexAny(text, ".…"); i > 0 && r.turned != nil {
		if before, after, ok := cutDots(raw); ok {
			r.turned(before, strings.TrimSpace(after))
			return
		}
	}
	if names := quoted(raw); names != nil && r.kept != nil {
		r.kept(names)
	}
	if !r.journal.Finished.IsZero() && strings.HasSuffix(text, "!") {
		r.journal.Quota = text // "Download quota of 5M EXCEEDED!"
	}
}

// cutDots cuts a line at the dots after the current action: "Converting links in x... nothing to
// do."
func cutDots(line string) (before, after string, ok bool) {
	if before, after, ok = strings.Cut(line, "..."); !ok {
		before, after, ok = strings.Cut(line, "…")
	}
	return before, after, ok && after != ""
}

// debug processes the heads in a debug log, as sent and received.
func (r *logReader) debug(text string) bool {
	switch text {
	case "---request begin---", "---response begin---":
		r.block = text[3 : len(text)-len(" begin---")]
		s := span{From: r.l.End, To: r.l.End, Exact: true}
		if r.now != nil && r.block == "request" {
			r.now.Request = s
		} else if r.now != nil {
			r.now.Head = s
		}
		return true
	case "---request end---", "---response end---":
		r.block = ""
		return true
	}
	if r.block == "" || r.now == nil {
		return r.block != ""
	}
	if r.block == "request" {
		r.now.Request.To = r.l.End
		name, value, _ := strings.Cut(text, ":")
		if strings.EqualFold(name, "User-Agent") && r.journal.Agent == "" {
			r.journal.Agent = strings.TrimSpace(value)
		}
		if revealingHeader.MatchString(text) && len(r.journal.Revealing) < maxFindings {
			r.journal.Revealing = append(r.journal.Revealing, r.l.Offset)
		}
		return true
	}
	r.now.Head.To = r.l.End
	if m := lineStatus.FindStringSubmatch(text); m != nil {
		r.now.Status, r.now.Reason = int(number(m[1])), m[2]
	}
	return true
}

// about processes a line of the current attempt.
func (r *logReader) about(text, raw string) {
	a := r.now
	if m := lineSaved.FindStringSubmatch(raw); m != nil {
		a.Done, a.Got, a.Saved = r.time(m[1], m[2]), number(m[4]), true
		if names := quoted(m[3]); len(names) > 0 && !slices.Contains(names, a.Named) {
			a.Named = names[0]
		}
		return
	}
	if m := lineError.FindStringSubmatch(text); m != nil && a.Status >= 300 {
		a.Done, a.Status, a.Reason = r.time(m[1], m[2]), int(number(m[3])), m[4]
		r.flush()
		return
	}
	if m := lineBroken.FindStringSubmatch(text); m != nil {
		a.Done, a.Problem = r.time(m[1], m[2]), m[3]
		return
	}
	switch {
	case r.answer(text):
	case a.Status/100 == 3 && a.Location == "" && r.moved(raw):
	case a.Status/100 == 2 && a.MIME == "" && a.Length < 0 && r.length(text):
	case r.names(raw):
	case text != "" && text[0] != ' ':
		r.say(text)
	}
}

// answer processes the status, and the head that -S shows.
func (r *logReader) answer(text string) bool {
	a := r.now
	if a.Head.From < a.Head.To && a.Head.To == r.l.Offset && !a.Head.Exact && strings.HasPrefix(text, " ") {
		a.Head.To = r.l.End
		return true
	}
	if m := lineStatus.FindStringSubmatch(text); m != nil && a.Status == 0 {
		a.Status, a.Reason = int(number(m[1])), m[2]
		a.Head = span{From: r.l.Offset, To: r.l.End}
		return true
	}
	for _, pattern := range []bool{true, false} {
		re := lineBare
		if pattern {
			re = lineAnswer
		}
		if m := re.FindStringSubmatch(text); m != nil && a.Status == 0 {
			a.Status, a.Reason = int(number(m[1])), m[2]
			return true
		}
	}
	return false
}

func (r *logReader) moved(raw string) bool {
	m := lineMoved.FindStringSubmatch(raw)
	if m != nil {
		r.now.Location = m[1]
	}
	return m != nil
}

func (r *logReader) length(text string) bool {
	a := r.now
	if m := lineLength.FindStringSubmatch(text); m != nil {
		a.Length, a.MIME = number(m[1]), m[2]
		return true
	}
	if m := lineSize.FindStringSubmatch(text); m != nil {
		a.Length = number(m[1])
		return true
	}
	return false
}

// names processes a line with a file name: the target of saving, or the file in an error. The
// following lines decide.
func (r *logReader) names(raw string) bool {
	a := r.now
	if m := lineArrow.FindStringSubmatch(raw); m != nil {
		a.Named = m[1]
		return true
	}
	found := quoted(raw)
	if found == nil || a.Saved {
		return false
	}
	if a.Status/100 == 2 || a.Status == 304 || strings.HasPrefix(a.URL, "ftp") {
		if a.Named == "" {
			a.Named = found[0]
		}
		if strings.HasSuffix(strings.TrimRight(raw, ".。 "), ")") { // "Cannot write to ‘x’ (Permission denied)."
			a.Problem = raw
		}
	}
	r.say(strings.TrimSpace(raw))
	return true
}

// say keeps the last two lines: the failure, and the reaction to it.
func (r *logReader) say(line string) { r.last[0], r.last[1] = r.last[1], line }
