package pack

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quire/metadata/harvestmd"
	"quire/model"
)

// ending is the end of a run, with its evidence (docs/reference/310_package-format.md, 3.3).
type ending struct {
	state   harvestmd.State
	outcome model.EventOutcome // "" if no source states it, or if the sources disagree
	why     string
}

// endings maps the words of crawlers to states. The first match decides: "Finished - Ended by
// operator" is a stop.
var endings = []struct {
	words *regexp.Regexp
	state harvestmd.State
}{
	{regexp.MustCompile(`(?i)abnormal|could not launch|\bfatal\b|\bfailed\b|\bfailed_rejected\b|disk full`),
		harvestmd.Failed},
	{regexp.MustCompile(`(?i)\blimit|time ?limit|\bquota\b|threshold|_limit\b|\bmaximum\b|` +
		`^more than .* giving up$`), harvestmd.Limited},
	{regexp.MustCompile(`(?i)\babort|ended by operator|interrupt|\bstopp|cancel|graceful exit|sig(int|term)|deleted|` +
		`^exit requested`),
		harvestmd.Stopped},
	{regexp.MustCompile(`(?i)^finished$|^mirror complete$|^(crawl status: )?(done|complete)$|^crawling? done|` +
		`^exit status 0$|^3 done$|come to its end$|nothing more matches$`), harvestmd.Finished},
}

// stateOf returns the state that the words of a crawler mean; Unknown for other words.
func stateOf(words string) harvestmd.State {
	words = strings.TrimSpace(words)
	for _, e := range endings {
		if e.words.MatchString(words) {
			return e.state
		}
	}
	return harvestmd.Unknown
}

// endsRun reports whether a fact states how the run ended. Sources are the crawler, and the databases
// of the systems. States such as "archived" are about the work of curators, not about the run.
func (f *fact) endsRun() bool {
	switch f.kind {
	case "end reason":
		return true
	case "job status", "harvest status":
		return stateOf(f.value) != harvestmd.Unknown
	case "state":
		return strings.EqualFold(f.value, "aborted") || strings.EqualFold(f.value, "failed")
	}
	return false
}

// outcomes are the outcomes of the states, with their words.
var outcomes = map[harvestmd.State]struct {
	outcome model.EventOutcome
	words   string
}{
	harvestmd.Finished: {model.Success, "the crawler finished"},
	harvestmd.Limited:  {model.Warned, "a limit ended the crawl"},
	harvestmd.Stopped:  {model.Warned, "the crawl was stopped"},
	harvestmd.Failed:   {model.Fail, "the crawl failed"},
}

// ending concludes how the run ended. A limit is more specific than a finish: wget and Browsertrix
// state both. Other sources that disagree give no state.
func (h *harvest) ending() ending {
	var states []harvestmd.State
	var evidence, odd []string
	for i := range h.facts {
		f := &h.facts[i]
		if !f.endsRun() {
			continue
		}
		state := stateOf(f.value)
		if state == harvestmd.Unknown {
			odd = append(odd, f.value+" (from "+f.from+")")
			continue
		}
		evidence = append(evidence, f.value+" (from "+f.from+")")
		if !slices.Contains(states, state) {
			states = append(states, state)
		}
	}
	slices.Sort(states)
	if slices.Equal(states, []harvestmd.State{harvestmd.Finished, harvestmd.Limited}) {
		states = states[1:]
	}
	switch {
	case len(states) > 1:
		return ending{why: "outcome not stated: the sources disagree: " + strings.Join(evidence, "; ")}
	case len(states) == 0 && len(odd) > 0:
		return ending{why: "outcome not stated: the end reason has no known meaning: " + strings.Join(odd, "; ")}
	case len(states) == 0:
		return ending{why: "outcome not stated: no source states how the run ended"}
	}
	e := ending{state: states[0], outcome: outcomes[states[0]].outcome}
	e.why = "outcome: " + outcomes[e.state].words + ", by its end reason: " + strings.Join(evidence, "; ")
	if n, from := h.seedsLeft(); n > 0 && e.outcome == model.Success {
		e.outcome = model.Warned
		e.why += fmt.Sprintf("; but %d seeds were not crawled (from %s)", n, from)
	}
	return e
}

// seedsLeft returns the number of seeds that were not crawled, by the report of the crawl.
func (h *harvest) seedsLeft() (int64, string) {
	for _, c := range h.totals {
		switch strings.ToLower(c.Name) {
		case "total seeds not crawled", "seeds uncrawled":
			if n, err := strconv.ParseInt(c.Value, 10, 64); err == nil {
				return n, c.Source
			}
		}
	}
	return 0, ""
}
