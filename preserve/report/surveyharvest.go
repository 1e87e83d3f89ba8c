package report

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"quire/internal/humanize"
	"quire/model"
	"quire/source/survey"
)

// harvest shows one harvest.
func (p *lines) harvest(number int, h *survey.HarvestSurvey, o TextOptions) {
	p.wrapf(3, "%d  %s%s", number, systemOf(h.System), humanize.Visible(idOf(h)))
	p.field("where", h.Path)
	if h.Error != "" {
		p.because(h, o)
		p.field("unread", h.Error)
		return
	}
	p.field("title", oneLine(h.Title))
	if h.Collection != h.Title {
		p.field("collection", oneLine(h.Collection))
	}
	p.field("note", humanize.Clip(oneLine(h.Note), noteWidth))
	p.field("run", runOf(h))
	p.field("end reason", h.EndReason)
	p.field("software", h.Software)
	p.field("operator", strings.Join(slices.DeleteFunc([]string{h.Operator, h.Organization, h.Contact}, isEmpty), ", "))
	p.field("user agent", h.UserAgent)
	p.field("robots", h.Robots)
	p.field("seeds", seedsOf(h))
	p.scope(h, o)
	p.rights(h, o)
	p.described(h, o)
	p.field("documented", documentedOf(h))
	p.field("files", filesOf(h))
	p.field("counted", countedOf(h))
	p.outcomes(h.Outcomes)
	p.field("depends on", foreignOf(h))
	p.missing(h, o)
	p.restricted(h, o)
	p.because(h, o)
	p.surveyed(h.Findings, h.Counts, o)
	if o.All {
		p.evidence(h)
	}
}

// systemNames are the common names of systems.
var systemNames = map[string]string{
	string(model.Heritrix): "Heritrix", string(model.NetarchiveSuite): "NetarchiveSuite",
	string(model.WebCurator): "Web Curator Tool",
	string(model.Pandas):     "PANDAS", string(model.HTTrack): "HTTrack", string(model.Wget): "wget",
	string(model.Browsertrix): "Browsertrix",
	string(model.WACZ):        "WACZ", string(model.OAIPMH): "OAI-PMH",
	string(model.SavedPages): "Pages saved in a browser",
	string(model.Bare):       "ARC or WARC files alone", string(model.PlainFolder): "Files of a website",
}

func systemOf(system string) string { return cmp.Or(systemNames[system], humanize.Visible(system)) }

func idOf(h *survey.HarvestSurvey) string {
	if h.ID == "" {
		return ""
	}
	return ", " + h.ID
}

// runOf describes the start and end of the crawl, as far as known.
func runOf(h *survey.HarvestSurvey) string {
	at := func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") }
	switch {
	case h.Start.IsZero() && h.End.IsZero():
		return noZone(h)
	case h.Start.IsZero():
		return "until " + at(h.End) + " UTC"
	case h.End.IsZero():
		return "from " + at(h.Start) + " UTC; end unknown"
	}
	return at(h.Start) + " to " + at(h.End) + " UTC"
}

// noZone shows a start time without a known time zone.
func noZone(h *survey.HarvestSurvey) string {
	for _, e := range h.Evidence {
		if e.Fact == "start" {
			return "from " + e.Value
		}
	}
	return ""
}

func seedsOf(h *survey.HarvestSurvey) string {
	if h.SeedsTotal == 0 {
		return ""
	}
	shown := h.Seeds[:min(len(h.Seeds), reasonsShown)]
	text := humanize.Grouped(h.SeedsTotal) + ": " + strings.Join(shown, "  ")
	if more := h.SeedsTotal - int64(len(shown)); more > 0 {
		text += "  and " + humanize.Grouped(more) + " more"
	}
	return text
}

func documentedOf(h *survey.HarvestSurvey) string {
	switch h.Documentation {
	case model.Documented:
		return "yes: configuration and log are present"
	case model.PartlyDocumented:
		return "in part: configuration or log is missing"
	case model.Undocumented:
		return "no: only the content is present"
	}
	return string(h.Documentation)
}

// roleNames are the roles in the singular and the plural.
var roleNames = map[model.Role][2]string{
	model.RoleContainer: {"container", "containers"}, model.RoleContent: {"file of content", "files of content"},
	model.RoleLog:    {"log", "logs"},
	model.RoleReport: {"report", "reports"}, model.RoleConfiguration: {"of configuration", "of configuration"},
	model.RoleIndex:       {"index", "indexes"},
	model.RoleDescription: {"of description", "of description"},
	model.RoleCache:       {"of the crawler's cache", "of the crawler's cache"},
	model.RoleArtefact:    {"made by the crawler or the system", "made by the crawler or the system"},
	model.RoleOther:       {"other", "others"},
}

func filesOf(h *survey.HarvestSurvey) string {
	var list []string
	for _, c := range h.Files {
		names := roleNames[c.Role]
		list = append(list, humanize.Number(c.Count, names[0], names[1]))
	}
	if len(list) == 0 {
		return "none"
	}
	return humanize.Grouped(h.FilesTotal) + ", " + humanize.Size(h.BytesTotal) + ": " + strings.Join(list, ", ")
}

func countedOf(h *survey.HarvestSurvey) string {
	var list []string
	for _, f := range h.Counted {
		list = append(list, f.Name+" "+f.Value)
	}
	return strings.Join(list, ", ")
}

// missReasons explain why a URL has no content.
var missReasons = map[model.Miss]string{
	model.MissNetwork: "no answer from the network", model.MissRobots: "forbidden by robots.txt",
	model.MissScope: "out of scope", model.MissQuota: "a limit was reached",
	model.MissOperator: "stopped or blocked by the operator", model.MissSoftware: "the crawler failed",
	model.MissServer:    "refused by the server",
	model.MissUnwritten: "fetched, but not stored by rule", model.MissUntried: "not attempted",
}

// outcomes shows the outcomes of the URLs.
func (p *lines) outcomes(o *survey.Outcomes) {
	if o == nil {
		return
	}
	if o.Total == 0 {
		p.field("URLs", "not in any log")
		return
	}
	captured := humanize.Grouped(o.Total) + " lines of the log: " + humanize.Grouped(o.Captured) + " captured"
	if o.Duplicates > 0 {
		captured += ", of them " + humanize.Number(o.Duplicates, "duplicate", "duplicates") +
			" with content of another record"
	}
	p.field("URLs", captured)
	what := "not got"
	for _, m := range o.Missed {
		p.field(what, humanize.Grouped(m.Count)+" "+cmp.Or(missReasons[m.Reason], string(m.Reason)))
		what = ""
	}
}

func foreignOf(h *survey.HarvestSurvey) string {
	if len(h.Foreign) == 0 {
		return ""
	}
	duplicates := int64(0)
	for _, f := range h.Foreign {
		duplicates += f.Duplicates
	}
	return humanize.Number(int64(len(h.Foreign)), "container of another harvest", "containers of other harvests") +
		", for " + humanize.Number(duplicates, "duplicate that was", "duplicates that were") + " not stored again"
}

// missing shows the listed files that are missing from the harvest.
func (p *lines) missing(h *survey.HarvestSurvey, o TextOptions) {
	p.some("missing", h.Missing, o)
}

// evidence shows each fact with its source.
func (p *lines) evidence(h *survey.HarvestSurvey) {
	if len(h.Evidence) == 0 {
		return
	}
	p.addf("  evidence")
	for _, e := range h.Evidence {
		p.wrapf(6, "    %s", humanize.Visible(e.Fact+" = "+humanize.Clip(e.Value, noteWidth)+"   ["+e.Source+"]"))
	}
}
