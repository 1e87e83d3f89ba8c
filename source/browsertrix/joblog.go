package browsertrix

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"

	"quire/format/wacz"
	"quire/internal/archivefs"
	"quire/internal/lines"
	"quire/internal/secret"
	"quire/model"
)

// jobLog has the facts of the run from the logs.
type jobLog struct {
	path        string // of the last log
	first, last time.Time
	software    string
	ended       string
	lines       int64
	errors      int64
	counts      string // the last statistics
	bad         int64
}

// logLine is a line of a log: JSON.
type logLine struct {
	Timestamp string          `json:"timestamp"`
	Level     string          `json:"logLevel"`
	Context   string          `json:"context"`
	Message   string          `json:"message"`
	Details   json.RawMessage `json:"details"`

	Line, Offset int64     `json:"-"`
	Time         time.Time `json:"-"`
}

// maxLogLine bounds a line, in bytes: a stack trace can be in it.
const maxLogLine = 1 << 20

// readJobLog calls line for each line, and bad for each line in another form.
func readJobLog(in io.Reader, line func(*logLine, []byte) bool, bad func(l *lines.Reader, problem string)) error {
	l := lines.NewReader(in)
	l.Max = maxLogLine
	for l.Scan() {
		if len(bytes.TrimSpace(l.Text)) == 0 {
			continue
		}
		var g logLine
		switch err := json.Unmarshal(l.Text, &g); {
		case l.Long:
			bad(l, "it exceeds the maximum line length")
			continue
		case err != nil || g.Message == "" && g.Level == "":
			bad(l, "it is not a JSON log line")
			continue
		}
		g.Line, g.Offset = l.Number, l.Offset
		g.Time, _ = wacz.ParseTime(g.Timestamp) // zero if unreadable
		if !line(&g, l.Text) {
			return nil
		}
	}
	return l.Err()
}

// isJobLog reports whether a text begins like a log of Browsertrix.
func isJobLog(head []byte) bool {
	is := false
	_ = readJobLog(bytes.NewReader(head), func(g *logLine, _ []byte) bool {
		is = g.Level != "" && g.Context != "" && !g.Time.IsZero()
		return false
	}, func(l *lines.Reader, _ string) { // earlier lines may come from a shell
		if l.Number > 5 {
			l.Max = 1
		}
	})
	return is
}

// logs reads all logs in the order of their names, which is chronological.
func (r *reading) logs(ctx context.Context) error {
	for _, p := range r.logFiles() {
		r.log.path = p
		err := r.with(p, func(c archivefs.Content) error {
			return readJobLog(c, func(g *logLine, raw []byte) bool {
				r.logLine(g, raw, p)
				return ctx.Err() == nil
			}, func(*lines.Reader, string) { r.log.bad++ }) // reported when the Fetches are read
		})
		if err != nil {
			return err
		}
	}
	if r.log.errors > 0 {
		r.facts.Note("errors in the logs", strconv.FormatInt(r.log.errors, 10), "lines of level error or fatal")
	}
	r.statistics()
	return ctx.Err()
}

// logFiles returns the logs in the folder logs, or the one log of a Loose harvest.
func (h *Harvest) logFiles() []string {
	logs := h.in("logs", ".log", ".jsonl", ".json", ".txt")
	if len(logs) == 0 {
		logs = h.in("", ".log")
	}
	return logs
}

func (r *reading) logLine(g *logLine, raw []byte, p string) {
	j := &r.log
	j.lines++
	if !g.Time.IsZero() {
		if j.first.IsZero() || g.Time.Before(j.first) {
			j.first = g.Time
		}
		if g.Time.After(j.last) {
			j.last = g.Time
		}
	}
	if secret.InURL(raw) {
		r.facts.Restrict(p, g.Offset, "holds a password in a URL")
	}
	switch {
	case g.Level == "error":
		j.errors++
	case g.Level == "fatal":
		j.errors++
		j.ended = g.Message
	}
	r.message(g, p)
}

var (
	logVersion = regexp.MustCompile(`^Browsertrix-Crawler \S+.*$`)
	logEnd     = regexp.MustCompile(`^(?:Exiting, Crawl status: (.*)|(Crawl(?:ing)? ` +
		`(?:done|interrupted|failed|stopped).*)|(.*(?:limit|threshold) (?:reached|exceeded|hit).*)|(Graceful ` +
		`exit.*|Crawl (?:gracefully )?interrupted.*|Crawler interrupted.*|.*SIG(?:INT|TERM) received.*))$`)
)

// message reads the lines with facts about the run.
func (r *reading) message(g *logLine, p string) {
	j := &r.log
	if logVersion.MatchString(g.Message) {
		r.facts.Set(&j.software, "software", g.Message, p)
		return
	}
	if m := logEnd.FindStringSubmatch(g.Message); m != nil && g.Level != "debug" {
		text := strings.Join(m[1:], "")
		if m[1] == "" || j.ended == "" || strings.HasPrefix(j.ended, "Crawl") {
			j.ended = text
		}
		r.facts.Note("end", text, p)
		return
	}
	switch g.Message {
	case "Seeds":
		r.logSeeds(g, p)
	case "Crawl statistics":
		j.counts = string(g.Details)
	}
}

// logSeeds reads the seeds in the logs, with the scope of each.
func (r *reading) logSeeds(g *logLine, p string) {
	var seeds []struct {
		URL       string            `json:"url"`
		ScopeType string            `json:"scopeType"`
		Include   []json.RawMessage `json:"include"`
		Exclude   []json.RawMessage `json:"exclude"`
		Auth      json.RawMessage   `json:"auth"`
		Encoded   json.RawMessage   `json:"_authEncoded"`
	}
	if json.Unmarshal(g.Details, &seeds) != nil {
		return
	}
	r.told = true
	for _, s := range seeds {
		url := secret.Conceal(s.URL)
		if url == "" || !r.facts.Spend(len(url), p) {
			continue
		}
		r.facts.AddSeedOf(url, "the line Seeds of "+p)
		if isSet(s.Auth) || isSet(s.Encoded) {
			r.facts.Restrict(p, g.Offset, "holds the password for a seed")
		}
		if s.ScopeType != "" {
			r.facts.Rule(url+": scopeType: "+s.ScopeType, p)
		}
		for _, rules := range []struct {
			name string
			list []json.RawMessage
		}{{"include", s.Include}, {"exclude", s.Exclude}} {
			for _, rule := range rules.list {
				if text := ruleText(rule); text != "" {
					r.facts.Rule(url+": "+rules.name+": "+text, p)
				}
			}
		}
	}
}

func isSet(raw json.RawMessage) bool {
	return len(raw) > 0 && string(raw) != "null" && string(raw) != `""`
}

// ruleText returns a rule as text; older versions wrote {} for each, which has no information.
func ruleText(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// statistics reads the last count of pages.
func (r *reading) statistics() {
	var s struct {
		Crawled, Total, Pending, Failed json.Number
		Limit                           struct {
			Max json.Number
			Hit bool
		}
	}
	if r.log.counts == "" || json.Unmarshal([]byte(r.log.counts), &s) != nil {
		return
	}
	for _, c := range []struct {
		name  string
		value json.Number
	}{{"pages crawled", s.Crawled}, {"pages found", s.Total}, {"pages under way", s.Pending},
		{"pages failed", s.Failed}} {
		if c.value != "" {
			r.about.Counted = append(r.about.Counted, model.Field{Name: c.name, Value: c.value.String()})
		}
	}
	if s.Limit.Max != "" && s.Limit.Max != "0" {
		r.facts.Limit("limit", s.Limit.Max.String(), "the last statistics of "+r.log.path)
		if s.Limit.Hit {
			r.facts.Note("end", "the limit of "+s.Limit.Max.String()+" pages was reached",
				"the last statistics of "+r.log.path)
		}
	}
}
