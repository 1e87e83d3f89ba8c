package publish

import (
	"strings"

	"quire/access/auditreport"
)

// purgesOf lists the purges: who decided them, and where they are done.
func purgesOf(r *auditreport.Report) section {
	p := &r.Purges
	s := section{ID: "purges", Title: "Purges"}
	s.Blocks = []block{{Figures: []fact{{"purged", n(p.Purged)}, {"of all, not complete", n(p.Pending)},
		{"requested", n(p.Requested)}, {"cancelled", n(p.Cancelled)}, {"may be stored again", n(p.Readmitted)}}},
		text("A purge destroys a package by the decision of two persons. The report does not name the package: its " +
			"tombstone does (quire purge list).")}
	if p.Pending > 0 {
		s.Blocks = append(s.Blocks, warning("Some places may still have a purged package. A copy that is away is "+
			"cleared when it is back. Of a copy that was retired, destroy the medium."))
	}
	if len(p.List) == 0 {
		return s
	}
	t := &table{Caption: "Purges that are open, or changed in the period, the newest first", Columns: []column{
		{"Purge", false, .9}, {"State", false, 1}, {"Content", false, 1.3}, {"Requested (UTC)", false, 1.6},
		{"Approved (UTC)", false, 1.6}, {"Reason, authority", false, 1.6}, {"Done", false, 1.5},
		{"Pending", false, 1.5}}}
	for i := range p.List[:min(len(p.List), shownRows)] {
		x := &p.List[i]
		t.Rows = append(t.Rows, plain(x.ID, stateOf(x), n(int64(x.Versions))+" versions of a "+x.Kind+", "+n(x.Files)+
			" files, "+n(x.Bytes)+" bytes", act(x.RequestedBy, when(x.Requested, "unknown")),
			act(x.ApprovedBy, when(x.Approved, "not approved")), reasonOf(x), doneOf(x), pendingOf(x)))
	}
	t.More = further(len(t.Rows), len(p.List), p.More)
	s.Blocks = append(s.Blocks, block{Table: t})
	return s
}

// act returns the time of an act with the person.
func act(by, at string) string {
	if by == "" {
		return at
	}
	return at + ", by " + by
}

func stateOf(p *auditreport.Purge) string {
	switch {
	case p.CancelledBy != "":
		return string(p.State) + " " + act(p.CancelledBy, day(p.Cancelled))
	case p.AgainBy != "":
		return string(p.State) + " " + act(p.AgainBy, day(p.Again))
	case len(p.Waiting) > 0:
		return string(p.State) + ", not complete"
	}
	return string(p.State)
}

func reasonOf(p *auditreport.Purge) string {
	switch {
	case p.Reason != "":
		return p.Reason + "; " + p.Authority
	case p.Reasoned:
		return "recorded"
	}
	return "not recorded"
}

func doneOf(p *auditreport.Purge) string {
	var all []string
	for _, place := range p.Done {
		all = append(all, place.Place+" "+day(place.At))
	}
	return orWord(strings.Join(all, ", "), "none", "")
}

func pendingOf(p *auditreport.Purge) string {
	var all []string
	for _, place := range p.Waiting {
		name := place.Place
		switch {
		case place.Retired:
			name += " (retired)"
		case place.Away:
			name += " (away)"
		}
		all = append(all, name)
	}
	return orWord(strings.Join(all, ", "), "none", "")
}
