package publish

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"quire/access/auditreport"
	"quire/holdings/rights"
	"quire/internal/humanize"
	"quire/model"
)

func incidentsOf(r *auditreport.Report) section {
	in := &r.Incidents
	s := section{ID: "incidents", Title: "Damage and repair"}
	s.Blocks = []block{{Figures: []fact{{"incidents", n(in.Total)}, {"repaired", n(in.Repaired)}, {"open",
		n(in.Open)}}},
		text("An incident is a copy of a package in which an audit found damage or loss. Incidents of earlier " +
			"periods are " +
			"listed as long as no repair is recorded.")}
	if in.Total == 0 {
		return s
	}
	t := &table{Caption: "Incidents, the newest first. The event is in the logs of the object, in every copy.",
		Columns: []column{{"Found (UTC)", false, 1.3}, {"Copy", false, .8}, {"Content", false, 1.6}, {"Event",
			false, 1.8},
			{"Repaired (UTC)", false, 1.3}, {"Event", false, 1.8}, {"Now", false, .9}}}
	for i := range in.List[:min(len(in.List), shownRows)] {
		x := &in.List[i]
		t.Rows = append(t.Rows, []cell{{Text: when(x.Time, "")}, {Text: x.Copy}, {Text: cmp.Or(x.Package, x.Kind)},
			{Text: x.Event, Code: true}, {Text: when(x.Repaired, "not recorded")}, {Text: x.Repair, Code: true},
			{Text: cmp.Or(string(x.Now), "unknown")}})
	}
	t.More = further(len(t.Rows), len(in.List), in.More)
	s.Blocks = append(s.Blocks, block{Table: t})
	return s
}

func overdueOf(r *auditreport.Report) section {
	o := &r.Overdue
	s := section{ID: "overdue", Title: "Overdue"}
	if len(o.Audits) == 0 {
		s.Blocks = append(s.Blocks, warning("The repository has no schedule of audits, so none can be overdue."))
	} else {
		t := &table{Caption: "Audits by the schedule", Columns: []column{{"Audit", false, 2}, {"Last (UTC)", false,
			1.4},
			{"Due (UTC)", false, 1.4}, {"State", false, 1.4}}}
		for _, a := range o.Audits {
			state := "not due"
			if a.Is {
				state = "overdue since " + a.Over.String()
			}
			t.Rows = append(t.Rows, plain(a.Entry, when(a.Last, "never"), when(a.Due, "unknown"), state))
		}
		s.Blocks = append(s.Blocks, block{Table: t})
	}
	t := &table{Caption: "Packages and collections to repair or to copy", Columns: []column{{"Copy", false, 2},
		{"Damaged", true, 1}, {"Lacking", true, 1}}}
	for i := range r.Copies {
		name := r.Copies[i].Name
		t.Rows = append(t.Rows, plain(name, n(o.Damaged[name]), n(o.Lacking[name])))
	}
	s.Blocks = append(s.Blocks, block{Table: t})
	if len(o.Policies) > 0 {
		t := &table{Caption: "Duties by policies", Columns: []column{{"Policy", false, 2}, {"Copies required", true, 1},
			{"Enough copies", false, 1}, {"Reading interval", false, 1}, {"Copies of packages not read in it", true,
				1.4}}}
		for _, d := range o.Policies {
			enough, unread := "yes", n(d.Unread)
			if !d.Enough {
				enough = "no"
			}
			if d.Fixity == "" {
				unread = "-"
			}
			t.Rows = append(t.Rows, plain(d.Policy, fmt.Sprint(d.Copies), enough, cmp.Or(d.Fixity, "-"), unread))
		}
		s.Blocks = append(s.Blocks, block{Table: t})
	}
	return s
}

func formatsOf(r *auditreport.Report) section {
	f := &r.Formats
	s := section{ID: "formats", Title: "Formats and risk"}
	s.Blocks = []block{{Figures: []fact{{"containers", n(f.Containers)}, {"without identified formats",
		n(f.Unidentified)},
		{"payloads identified", n(f.Payloads - f.Unknown)}, {"of unknown format", n(f.Unknown)},
		{"payloads at risk", riskOf(f)}}}}
	if f.Unidentified > 0 {
		s.Blocks = append(s.Blocks, warning("In %s the formats of payloads were not identified. They are unknown.",
			humanize.Number(f.Unidentified, "container", "containers")))
	}
	if len(f.Policies) == 0 {
		s.Blocks = append(s.Blocks, warning("No policy was stored in the repository or given, so formats at risk are "+
			"unknown."))
	}
	for _, p := range f.Policies {
		s.Blocks = append(s.Blocks, text("Policy %s (SHA-512 %s…); rules on formats that could not be judged: %d.",
			p.Name,
			p.SHA512[:min(16, len(p.SHA512))], p.Unjudged))
	}
	if len(f.List) == 0 {
		return s
	}
	t := &table{Caption: "Identified formats: those at risk, then the most frequent", Columns: []column{
		{"Format", false, 2.4}, {"PRONOM", false, .9}, {"Payloads", true, 1}, {"Bytes", true, 1.2}, {"Risk", false,
			2.2}}}
	list := slices.Clone(f.List)
	slices.SortStableFunc(list, func(a, b auditreport.FormatCount) int { return risky(&b) - risky(&a) })
	for i := range list[:min(len(list), shownRows)] {
		c := &list[i]
		risk := strings.Join(c.Risks, "; ")
		if risk == "" {
			risk = "none by the policies"
			if len(f.Policies) == 0 {
				risk = "unknown"
			}
		}
		t.Rows = append(t.Rows, plain(humanize.Visible(c.Name), cmp.Or(c.PUID, "none"), n(c.Payloads), n(c.Bytes),
			risk))
	}
	t.More = further(len(t.Rows), len(list), f.More)
	s.Blocks = append(s.Blocks, block{Table: t})
	return s
}

func risky(c *auditreport.FormatCount) int { return min(len(c.Risks), 1) }

func riskOf(f *auditreport.Formats) string {
	if len(f.Policies) == 0 || f.Containers > 0 && f.Unidentified == f.Containers {
		return "unknown"
	}
	return n(f.AtRisk)
}

func virusesOf(r *auditreport.Report) section {
	s := section{ID: "viruses", Title: "Virus checks"}
	t := &table{Caption: "Containers by the outcome of their virus check", Columns: []column{{"Outcome", false, 3},
		{"Containers", true, 1}}}
	for _, o := range []struct {
		of   model.ScanOutcome
		text string
	}{{model.ScanClean, "no virus found"}, {model.ScanInfected, "a virus was found"},
		{model.ScanIncomplete, "no virus found; not all payloads were read to their end"},
		{model.ScanNotDone, "not checked"}} {
		t.Rows = append(t.Rows, plain(o.text, n(r.Viruses.Containers[o.of])))
	}
	s.Blocks = []block{{Table: t}, text("%s infected. Readers cannot get them.",
		humanize.Number(r.Viruses.Infected, "bytestream is", "bytestreams are"))}
	return s
}

// levels are the access levels with their readers.
var levels = []struct {
	of   rights.Verdict
	text string
	tone tone
}{{rights.Open, "everyone", toneGood}, {rights.OnSite, "readers in the reading rooms", toneMain},
	{rights.Restricted, "curators", toneWarn}, {rights.Blocked, "no reader", toneBad}}

func accessOf(r *auditreport.Report) section {
	a := &r.Access
	s := section{ID: "access", Title: "Who may see what"}
	b := &bars{Caption: "Packages by the readers who may see their most open part", Parts: []string{"packages"},
		Tones: []tone{toneMain}}
	t := &table{Caption: "Rules in force, by their effect", Columns: []column{{"Content is open to", false, 3},
		{"Rules", true, 1}}}
	values := make([]float64, 0, len(levels))
	for _, l := range levels {
		values = append(values, float64(a.Packages[l.of]))
		t.Rows = append(t.Rows, plain(l.text+" ("+string(l.of)+")", n(a.Rules[l.of])))
	}
	for i, v := range relative(values...) {
		l := levels[i]
		b.Items = append(b.Items, bar{l.text, humanize.Number(a.Packages[l.of], "package", "packages"), []float64{v}})
	}
	s.Blocks = []block{{Bars: b}, {Figures: []fact{{"packages hidden from the public", n(a.Hidden)},
		{"with parts decided apart", n(a.Parts)}, {"without a rights statement", n(a.Unstated)},
		{"closed because rights cannot be read", n(a.Unknown)}}}, {Table: t}}
	if a.Override > 0 {
		s.Blocks = append(s.Blocks, text("%s the rights statements of packages.",
			humanize.Number(a.Override, "rule replaces", "rules replace")))
	}
	if !a.RulesInCopies {
		s.Blocks = append(s.Blocks, warning("Some rules are in a file that the copies do not keep. quire rules set "+
			"stores "+
			"them in every copy."))
	}
	if a.RulesProblems > 0 {
		s.Blocks = append(s.Blocks, warning("The rules cannot be read completely. Content that they may close is "+
			"closed."))
	}
	s.Blocks = append(s.Blocks, documentsOf(r))
	return s
}

func documentsOf(r *auditreport.Report) block {
	if len(r.Documents) == 0 {
		return text("The repository keeps no rules, policies or agreements as documents.")
	}
	t := &table{Caption: "Documents of the institution in the repository, in every copy", Columns: []column{
		{"Kind", false, 1}, {"Version", true, .7}, {"Stored (UTC)", false, 1.3}, {"SHA-512", false, 5}}}
	for _, d := range r.Documents[:min(len(r.Documents), shownRows)] {
		t.Rows = append(t.Rows, []cell{{Text: d.Kind}, {Text: fmt.Sprint(d.Version)}, {Text: when(d.Created,
			"unknown")},
			{Text: d.SHA512, Code: true}})
	}
	t.More = further(len(t.Rows), len(r.Documents), 0)
	return block{Table: t}
}

func takedownsOf(r *auditreport.Report) section {
	k := &r.Takedowns
	s := section{ID: "takedowns", Title: "Takedowns"}
	s.Blocks = []block{{Figures: []fact{{"withdrawals in force", n(k.InForce)}, {"ended", n(k.Ended)}}},
		text("Content, reason and authority of a withdrawal are in its certificate: quire withdraw certificate ID. " +
			"The " +
			"preserved bytes of withdrawn content stay.")}
	if k.Undecided {
		s.Blocks = append(s.Blocks, warning("The document of withdrawals cannot be read. All content is closed."))
	}
	if len(k.List) == 0 {
		return s
	}
	t := &table{Caption: "Withdrawals in force, or made or ended in the period", Columns: []column{{"Withdrawal",
		false, 1},
		{"Made (UTC)", false, 1.3}, {"Scope", false, .8}, {"Open to", false, 1}, {"Packages", true, .9},
		{"Captures", true, .9}, {"State", false, 1.6}, {"Reason, authority", false, 1.2}}}
	for i := range k.List[:min(len(k.List), shownRows)] {
		w := &k.List[i]
		state := "in force"
		switch {
		case !w.Lifted.IsZero():
			state = "lifted " + day(w.Lifted)
		case !w.InForce:
			state = "ended " + w.Until
		case w.Until != "":
			state += " until " + w.Until
		}
		to, reasoned := "no reader", "recorded"
		if w.Access == rights.Restricted {
			to = "curators"
		}
		if !w.Reasoned {
			reasoned = "not recorded"
		}
		t.Rows = append(t.Rows, plain(w.ID, when(w.At, "unknown"), w.Scope, to, n(w.Packages), n(w.Captures), state,
			reasoned))
	}
	t.More = further(len(t.Rows), len(k.List), k.More)
	s.Blocks = append(s.Blocks, block{Table: t})
	return s
}

func eventsOf(r *auditreport.Report) section {
	s := section{ID: "events", Title: "Events"}
	t := &table{Caption: "Events of packages and collections in the repository, by type and outcome", Columns: []column{
		{"Type", false, 2}, {"Outcome", false, 1}, {"In the period", true, 1}, {"Ever", true, 1}}}
	for _, e := range r.Events {
		t.Rows = append(t.Rows, plain(e.Type, cmp.Or(e.Outcome, "not recorded"), n(e.Number), n(e.Ever)))
	}
	s.Blocks = []block{{Table: t}}
	return s
}

func frameworkOf(f *auditreport.Framework) section {
	s := section{ID: "framework-" + strings.ToLower(f.ID), Title: f.Name + ", edition " + f.Edition}
	count := map[auditreport.State]int64{}
	for i := range f.Rows {
		for j := range f.Rows[i].Claims {
			count[f.Rows[i].Claims[j].State]++
		}
	}
	var sums []string
	for _, state := range slices.SortedFunc(maps.Keys(count), func(a, b auditreport.State) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	}) {
		sums = append(sums, n(count[state])+" "+words[state])
	}
	s.Blocks = []block{text("%s", f.Note), text("Source: %s", f.Source), text("Claims: %s.", strings.Join(sums, ", "))}
	t := &table{Caption: "Requirements with their claims and evidence, edition " + f.Edition, Columns: []column{
		{"Requirement", false, 2}, {"Edition", false, .8}, {"Claim", false, 2}, {"State", false, 1.2}, {"Statement",
			false, 2.6},
		{"Evidence", false, 1.3}}}
	for i := range f.Rows {
		row := &f.Rows[i]
		for j := range row.Claims {
			c := &row.Claims[j]
			requirement, statement := row.ID, c.Statement
			if j == 0 {
				requirement += ": " + row.Text
			}
			if c.Person != "" {
				statement += " (" + c.Person + ", " + c.On + ")"
			}
			t.Rows = append(t.Rows, []cell{{Text: requirement}, {Text: row.Edition}, {Text: c.Text},
				{Text: words[c.State], State: c.State}, {Text: strings.TrimSpace(statement)}, {Refs: c.Evidence}})
		}
	}
	s.Blocks = append(s.Blocks, block{Table: t})
	return s
}

// limitsOf states the facts that the report does not show.
func limitsOf(r *auditreport.Report, signed bool) section {
	s := section{ID: "limits", Title: "Limits of this report", Blocks: []block{
		text("The report repeats the records. It reads the METS of every package, and no container: audits " +
			"read those."),
		text("States of copies are those of the last reading. Damage since then is unknown."),
		text("It does not show the truth of attestations, the place of a disk, or the identity of the people " +
			"in events."),
		text("A holder of all copies, of the catalogue and of the key can have changed the records before it " +
			"was made. Compare it with earlier reports."),
	}}
	if !signed {
		s.Blocks = append(s.Blocks, warning("The report is not signed, so nothing shows that it is unchanged."))
	}
	g := r.Register
	if g == nil {
		s.Blocks = append(s.Blocks, warning("The repository has no register yet: removed events may go unnoticed."))
		return s
	}
	s.Blocks = append(s.Blocks, text("The register had %s and the root %s when the report was made.",
		humanize.Number(g.Leaves, "leaf", "leaves"), g.Root))
	if g.Unlinked > 0 {
		s.Blocks = append(s.Blocks, warning("%s of the register without the signature of the key before it. The "+
			"owner may have changed.", humanize.Number(int64(g.Unlinked), "key began", "keys began")))
	}
	return s
}
