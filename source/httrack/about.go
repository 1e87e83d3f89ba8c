package httrack

import (
	"strings"
	"time"

	"quire/internal/secret"
	"quire/model"
)

// about records the known facts of the run, with their sources. A password in a seed stays in its
// restricted file.
func (w *runFacts) about() *model.Harvest {
	h := &model.Harvest{System: model.HTTrack, ID: w.tree.NameOf(w.root), Files: w.Files}
	log, doit := w.path("hts-log.txt"), w.path("hts-cache/doit.log")
	fact := func(to *string, name, value, source string) {
		if value != "" {
			h.Evidence = append(h.Evidence, model.Evidence{Fact: name, Value: value, Source: source})
			if *to == "" {
				*to = value
			}
		}
	}
	fact(&h.Software, "software", w.journal.Software, log+", first line")
	fact(&h.UserAgent, "user agent", w.options.UserAgent, "option -F in "+w.argumentsFrom())
	fact(&h.UserAgent, "user agent", w.agent, "a request in "+w.path("hts-ioinfo.txt"))
	fact(&h.Robots, "robots policy", w.options.Robots, "option -s in "+w.argumentsFrom())
	h.Limits = w.options.Limits
	h.Seeds, h.Scope = w.options.Seeds, w.options.Filters
	from := w.argumentsFrom()
	if w.journal.At != "" {
		at := readOptions(arguments(w.journal.At))
		h.Seeds, h.Scope, from = at.Seeds, at.Filters, log+", first line"
	}
	for i, seed := range h.Seeds {
		h.Seeds[i] = secret.Conceal(seed)
	}
	var limits []string
	for _, l := range h.Limits {
		limits = append(limits, l.Name+l.Value)
	}
	for _, list := range []model.Evidence{{Fact: "seeds", Value: strings.Join(h.Seeds, " "), Source: from},
		{Fact: "scope", Value: strings.Join(h.Scope, " "), Source: from},
		{Fact: "limits", Value: strings.Join(limits, " "), Source: "options in " + w.argumentsFrom()}} {
		if list.Value != "" {
			h.Evidence = append(h.Evidence, list)
		}
	}
	source := log + ", first line"
	if w.journal.Launched == "" {
		source = doit + ", second line"
	}
	w.times(h, source)
	h.Documentation = w.documentation()
	h.Findings = w.findings.list
	return h
}

func (w *runFacts) argumentsFrom() string {
	if w.doit != "" {
		return w.path("hts-cache/doit.log")
	}
	return w.path("hts-log.txt") + ", second line"
}

// times sets begin and end. Times without a zone are recorded only as evidence.
func (w *runFacts) times(h *model.Harvest, source string) {
	tell := func(fact string, at time.Time, source string) time.Time {
		if at.IsZero() {
			return time.Time{}
		}
		if !w.zone.Known() {
			h.Evidence = append(h.Evidence,
				model.Evidence{Fact: fact, Value: at.Format(time.DateTime) +
					" on the crawler's clock, whose zone is not known", Source: source})
			return time.Time{}
		}
		at = at.Add(-w.zone.Ahead)
		h.Evidence = append(h.Evidence,
			model.Evidence{Fact: fact, Value: at.Format(time.RFC3339),
				Source: source + "; the zone from " + w.zone.Why})
		return at
	}
	h.Start = tell("start", w.launched, source)
	if took, ok := duration(w.journal.Complete); ok && !w.launched.IsZero() {
		h.End = tell("end", w.launched.Add(took), w.path("hts-log.txt")+", the line \"mirror complete\"")
	}
	if s := w.commented; !s.first.IsZero() {
		h.Start, h.End = s.first, s.last
		h.Evidence = append(h.Evidence,
			model.Evidence{Fact: "start", Value: s.first.Format(time.RFC3339),
				Source: "the first time in HTTrack's comments, at the latest"},
			model.Evidence{Fact: "end", Value: s.last.Format(time.RFC3339),
				Source: "the last time in HTTrack's comments, at the earliest"})
	}
	if w.journal.Stopped != "" {
		w.findings.add(findEnd, model.Warning, w.path("hts-log.txt"), 0,
			"the run was stopped, although the log states afterwards that the mirror is complete: %s",
			w.journal.Stopped)
		h.EndReason = w.journal.Stopped
		h.Evidence = append(h.Evidence,
			model.Evidence{Fact: "end reason", Value: h.EndReason, Source: w.path("hts-log.txt")})
	} else if w.journal.Complete != "" {
		if n := w.unanswered(); n > 0 {
			w.findings.add(findEnd, model.Info, w.path("hts-log.txt"), 0,
				"the log states that the mirror is complete, but URLs got no response, or one that broke off: %d", n)
		}
		h.EndReason = "mirror complete"
		h.Evidence = append(h.Evidence,
			model.Evidence{Fact: "end reason", Value: h.EndReason, Source: w.path("hts-log.txt")})
	} else if w.journal.Launched != "" {
		w.findings.add(findEnd, model.Warning, w.path("hts-log.txt"), 0,
			"no line states that the mirror is complete: the mirror or the log was interrupted")
	}
}

// unanswered returns the number of URLs with an error of HTTrack itself: timeouts, no connection.
func (w *runFacts) unanswered() (n int) {
	for _, c := range w.Captures {
		if c.Status() < 0 {
			n++
		}
	}
	return n
}

// documentation grades the documentation of the run: its arguments, and the outcome of the URLs.
func (w *runFacts) documentation() model.Documentation {
	configured := w.doit != "" || w.journal.Command != ""
	logged := w.tree.Find(w.path("hts-cache/new.txt")) != nil
	switch {
	case configured && logged:
		return model.Documented
	case configured || logged || len(w.Captures) > 0 || w.journal.Software != "":
		return model.PartlyDocumented
	}
	return model.Undocumented
}

// generated parses the date in "File generated automatically on Sat, 15 Oct 2016 13:52:51, do NOT
// edit".
func generated(line string) string {
	_, date, _ := strings.Cut(line, " on ")
	return strings.TrimSuffix(date, ", do NOT edit")
}
