package wget

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"quire/internal/archivefs"
	"quire/internal/lines"
	"quire/internal/secret"
	"quire/model"
	"quire/source/internal/facts"
)

// runFacts collects the facts about a run.
type runFacts struct {
	*facts.Facts
	tree *archivefs.Tree
}

// command adds the facts in the arguments. A password in a seed stays in its restricted file.
func (f *runFacts) command(c *command, source string) {
	for _, u := range c.URLs {
		f.seed(u, source)
	}
	for _, o := range c.Options {
		switch {
		case scopeOptions[o.Name]:
			f.Rule(o.redacted(), source)
		case limitOptions[o.Name]:
			f.Limit(strings.TrimSpace(strings.TrimSuffix(o.Words, o.Value)), o.Value, source)
		}
		if what := o.reveals(); what != "" {
			f.Note("argument", o.redacted(), source)
		}
	}
	f.Set(&f.About.UserAgent, "user agent", c.last("useragent"), "option --user-agent in "+source)
	f.Set(&f.About.Robots, "robots policy", c.last("robots"), "robots= in "+source)
	f.Set(&f.About.Contact, "contact", contactOf(c), "a From header in "+source)
}

func (f *runFacts) seed(u, source string) {
	if f.Spend(len(u), source) {
		f.AddSeed(secret.Conceal(u))
		if len(f.About.Seeds) <= maxNoted {
			f.Note("seeds", secret.Conceal(u), source)
		}
	}
}

// maxNoted is the number of seeds with separate evidence.
const maxNoted = 100

func contactOf(c *command) string {
	for _, o := range c.Options {
		if name, value, ok := strings.Cut(o.Value, ":"); ok && o.Name == "header" &&
			strings.EqualFold(strings.TrimSpace(name), "From") {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// inputFile adds the seeds in a file (-i). Seeds in a page (-F) are not read.
func (f *runFacts) inputFile(file model.SourceFile, html bool) error {
	if html {
		return nil
	}
	c, err := f.tree.Open(file.Path)
	if err != nil {
		return err
	}
	l := lines.NewReader(c)
	for l.Scan() {
		u := string(bytes.TrimSpace(l.Text))
		if u == "" || strings.HasPrefix(u, "#") || l.Long {
			continue
		}
		if secret.InURL(l.Text) {
			f.Restrict(file.Path, l.Offset, "holds a password in a URL")
		}
		f.seed(u, file.Path)
	}
	return errors.Join(l.Err(), c.Close())
}

// cookies looks for cookies in a file.
func (f *runFacts) cookies(p string) error {
	c, err := f.tree.Open(p)
	if err != nil {
		return err
	}
	at, found, err := secret.Cookies(c)
	if found {
		f.Restrict(p, at, "holds cookies")
	}
	return errors.Join(err, c.Close())
}

// log adds a log's facts about the run: begin, end, and outcome.
func (f *runFacts) log(l *loggedRun) {
	j := &l.journal
	about := f.About
	where := l.String()
	f.Set(&about.Software, "software", j.Version, where+", first line of debug output")
	f.Set(&about.Software, "software", j.Software, "the form of the lines in "+where)
	for _, l := range j.Loose {
		f.Find(findLine, model.Warning, where, 0, "line %d: %q is about a response that the log does not name", l.line,
			l.text)
	}
	f.Set(&about.UserAgent, "user agent", j.Agent, "a request in "+where)
	f.moment(&about.Start, "start", j.First, l, where+", first time")
	end := j.Finished
	source := where + ", line " + j.End
	if !j.ended() {
		end, source = j.Last, where+", last time: no line says that it ended"
	}
	about.End = time.Time{} // if a folder has several runs, the last is used
	f.moment(&about.End, "end", end, l, source)
	if j.ended() {
		f.Set(&about.EndReason, "end reason", j.End, where)
	}
	if j.Quota != "" {
		about.EndReason = j.Quota
		f.Note("end reason", j.Quota, where)
	}
	for _, s := range j.Summary {
		f.Note("summary", s, where)
	}
	if !j.ended() && j.Requests > 1 {
		f.Find(findUnfinished, model.Info, l.Path, l.Offset,
			"the log has no line about the end of the run: the run or the log was interrupted")
	}
}

// moment records a time of the log. Without a zone, the time is only evidence.
func (f *runFacts) moment(field *time.Time, fact string, at time.Time, l *loggedRun, source string) {
	if at.IsZero() {
		return
	}
	if utc, ok := l.clock.utc(at); ok {
		f.TellTime(field, fact, utc, source+"; the zone from "+l.clock.zone.Why)
		return
	}
	local := l.clock.local(at)
	if local.IsZero() {
		f.Note(fact, at.Format(time.TimeOnly)+" on the crawler's clock, on a day that is not known", source)
		return
	}
	f.Note(fact, local.Format(time.DateTime)+" on the crawler's clock, whose zone is not known", source)
}

// watch looks for a password in a line of a log.
func (f *runFacts) watch(p place, a *attempt) {
	if secret.InURL([]byte(a.URL)) && !strings.Contains(a.URL, ":*password*@") {
		f.Restrict(p.Path, max(p.Offset, 0), "holds a password in a URL of the log")
	}
}

// revealing restricts a log with login data in its requests. It names the first one and their
// number.
func (f *runFacts) revealing(p string, at []int64) {
	if len(at) > 0 {
		f.Restrict(p, at[0], fmt.Sprintf("holds %d requests with cookies or authorization", len(at)))
	}
}

// maxHead is the maximum size of a message head in bytes.
const maxHead = 64 << 10

// headerOf returns the value of a header, or "".
func headerOf(head []byte, name string) string {
	for line := range bytes.SplitSeq(head, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			return ""
		}
		n, v, ok := bytes.Cut(line, []byte(":"))
		if ok && strings.EqualFold(string(bytes.TrimSpace(n)), name) {
			return string(bytes.TrimSpace(v))
		}
	}
	return ""
}
