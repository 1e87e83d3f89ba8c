package pack

import (
	"strings"
	"testing"

	"quire/metadata/harvestmd"
)

func TestStateOf(t *testing.T) {
	for words, want := range map[string]harvestmd.State{
		"Finished":                     harvestmd.Finished,
		"FINISHED":                     harvestmd.Finished,
		"mirror complete":              harvestmd.Finished,
		"done":                         harvestmd.Finished,
		"exit status 0":                harvestmd.Finished,
		"3 DONE":                       harvestmd.Finished,
		"the list has come to its end": harvestmd.Finished,
		"Finished - Timelimit hit":     harvestmd.Limited,
		"Finished - Maximum amount of data limit hit":            harvestmd.Limited,
		"Finished - Maximum number of documents limit hit":       harvestmd.Limited,
		"Finished - Maximum bytes written":                       harvestmd.Limited,
		"Download quota of 5M EXCEEDED!":                         harvestmd.Limited,
		"More than 5000 bytes have been transferred.. giving up": harvestmd.Limited,
		"Finished - Ended by operator":                           harvestmd.Stopped,
		"Ended by operator":                                      harvestmd.Stopped,
		"Aborting because of inactivity":                         harvestmd.Stopped,
		"interrupted":                                            harvestmd.Stopped,
		"Exit requested by shell or user":                        harvestmd.Stopped,
		"Finished - Abnormal exit from crawling":                 harvestmd.Failed,
		"Could not launch job - Fatal InitializationException":   harvestmd.Failed,
		"4 FAILED":                         harvestmd.Failed,
		"* * Fatal write error, giving up": harvestmd.Failed,
		"Mirror aborted: disk full or filesystem problems": harvestmd.Failed,
		"exit status 3": harvestmd.Unknown,
		"Running":       harvestmd.Unknown,
		"unfinished":    harvestmd.Unknown,
		"":              harvestmd.Unknown,
	} {
		if got := stateOf(words); got != want {
			t.Errorf("%q is %q, want %q", words, got, want)
		}
	}
}

// The outcome follows the evidence. Without evidence, or if it disagrees, there is none.
func TestEnding(t *testing.T) {
	type facts [][3]string
	for _, c := range []struct {
		name                string
		facts               facts
		totals              []harvestmd.Fact
		state, outcome, why string
	}{
		{"no evidence", facts{{"software", "Finished", "x"}}, nil, "", "", "no source states how the run ended"},
		{"finished", facts{{"end reason", "Finished", "progress"}, {"end reason", "Finished", "report"}}, nil,
			"finished", "success", "the crawler finished, by its end reason: Finished (from progress)"},
		{"limit", facts{{"end reason", "Finished - Timelimit hit", "progress"}}, nil, "limited", "warning", "a limit"},
		{"stopped", facts{{"end reason", "Ended by operator", "progress"}}, nil, "stopped", "warning", "was stopped"},
		{"failed", facts{{"job status", "4 FAILED", "dump"}}, nil, "failed", "fail", "the crawl failed"},
		{"finished with a limit", facts{{"end reason", "FINISHED", "a"},
			{"end reason", "Download quota of 5M EXCEEDED!", "a"}}, nil, "limited", "warning", "quota"},
		{"they disagree", facts{{"end reason", "Finished", "a"}, {"end reason", "Ended by operator", "b"}}, nil, "", "",
			"the sources disagree: Finished (from a); Ended by operator (from b)"},
		{"three disagree", facts{{"end reason", "Finished", "a"}, {"end reason", "Timelimit hit", "b"},
			{"job status", "4 FAILED", "c"}}, nil, "", "", "disagree"},
		{"state of an instance", facts{{"state", "Aborted", "dump"}, {"state", "deleted", "dump"}}, nil, "stopped",
			"warning", "the crawl was stopped, by its end reason: Aborted (from dump)"},
		{"state of the curators' work", facts{{"state", "Archived", "dump"},
			{"job status", "2 STARTED", "dump"}}, nil, "", "", "no source states how the run ended"},
		{"unknown words", facts{{"end reason", "exit status 3", "dump"}}, nil, "", "",
			"no known meaning: exit status 3 (from dump)"},
		{"seeds left", facts{{"end reason", "Finished", "a"}},
			[]harvestmd.Fact{{Name: "Total Seeds not Crawled", Value: "2", Source: "crawl-report.txt"}}, "finished",
			"warning", "but 2 seeds were not crawled (from crawl-report.txt)"},
		{"no seeds left", facts{{"end reason", "Finished", "a"}},
			[]harvestmd.Fact{{Name: "seeds uncrawled", Value: "0", Source: "x"}}, "finished", "success", "finished"},
	} {
		h := harvest{totals: c.totals}
		for _, f := range c.facts {
			h.addFact(f[0], f[1], f[2])
		}
		e := h.ending()
		if string(e.state) != c.state || string(e.outcome) != c.outcome || !strings.Contains(e.why, c.why) {
			t.Errorf("%s: %+v", c.name, e)
		}
	}
}

// One program has one agent, however its sources spell it. The user agent of a template is evidence
// only without another source.
func TestPrograms(t *testing.T) {
	const template = "the user agent, which may be that of a template, in order.xml"
	for _, c := range []struct {
		facts [][2]string
		want  string
	}{
		{[][2]string{{"Heritrix 1.14.4", "a"}, {"Heritrix/1.14.4 http://crawler.archive.org", "b"},
			{"heritrix/1.12.1", template}}, "Heritrix 1.14.4|Heritrix/1.14.4 http://crawler.archive.org"},
		{[][2]string{{"heritrix/1.12.1", template}}, "heritrix/1.12.1"},
		{[][2]string{{"Wget/1.21", "a"}, {"Wget/1.21.3", "b"}}, "Wget/1.21;Wget/1.21.3"},
		{[][2]string{{"Boat", "a"}, {"boat", "b"}}, "Boat;boat"},
	} {
		var f facts
		f.harvests = make([]harvest, 1)
		for _, s := range c.facts {
			f.harvests[0].addFact("software", s[0], s[1])
		}
		var got []string
		for _, p := range f.programs() {
			got = append(got, strings.Join(p.spellings, "|"))
			if !p.ranIn(&f.harvests[0]) {
				t.Errorf("%s did not run", p.name)
			}
		}
		if all := strings.Join(got, ";"); all != c.want {
			t.Errorf("%s, want %s", all, c.want)
		}
	}
}
