package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"quire/model"
	"quire/preserve/survey"
	"quire/source"
)

// How much of a source fits on a screen.
const (
	unclaimedShown = 10
	reasonsShown   = 3
	surveyFindings = 3 // of each code
	noteWidth      = 300
)

// Survey shows what a source holds: each harvest with what is known of it, then what belongs to none, and what was refused. With
// All, each fact is shown with its evidence.
func Survey(w io.Writer, v *survey.Survey, o TextOptions) error {
	p := &lines{width: o.Width}
	sources := strings.Join(v.Sources, ", ")
	switch n := int64(len(v.Harvests)); n {
	case 0:
		p.wrapf(2, "No harvest was recognised in %s.", Visible(sources))
	default:
		p.wrapf(2, "%s in %s", Number(n, "harvest", "harvests"), Visible(sources))
	}
	for i := range v.Harvests {
		p.addf("")
		p.harvest(i+1, &v.Harvests[i], o)
	}
	p.opened(v)
	p.unclaimed(v, o)
	p.refused(v, o)
	if _, err := io.WriteString(w, p.String()); err != nil {
		return fmt.Errorf("printing what lies in %s: %w", sources, err)
	}
	return nil
}

// harvest shows one harvest.
func (p *lines) harvest(number int, h *survey.Harvest, o TextOptions) {
	p.wrapf(3, "%d  %s%s", number, systemOf(h.System), Visible(idOf(h)))
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
	p.field("note", clip(oneLine(h.Note), noteWidth))
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

// oneLine takes the line ends and indents out of what people wrote into forms and XML.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func isEmpty(s string) bool { return s == "" }

// systemNames are those that people use.
var systemNames = map[string]string{
	string(model.Heritrix): "Heritrix", string(model.NetarchiveSuite): "NetarchiveSuite", string(model.WebCurator): "Web Curator Tool",
	string(model.Pandas): "PANDAS", string(model.HTTrack): "HTTrack", string(model.Wget): "wget", string(model.Browsertrix): "Browsertrix",
	string(model.WACZ): "WACZ", string(model.OAIPMH): "OAI-PMH",
	string(model.Bare): "ARC or WARC files alone", string(model.PlainFolder): "Files of a website",
}

func systemOf(system string) string { return cmp.Or(systemNames[system], Visible(system)) }

func idOf(h *survey.Harvest) string {
	if h.ID == "" {
		return ""
	}
	return ", " + h.ID
}

// runOf says from when to when the crawler ran, as far as that is known.
func runOf(h *survey.Harvest) string {
	at := func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") }
	switch {
	case h.Start.IsZero() && h.End.IsZero():
		return noZone(h)
	case h.Start.IsZero():
		return "until " + at(h.End) + " UTC"
	case h.End.IsZero():
		return "from " + at(h.Start) + " UTC; when it ended is not told"
	}
	return at(h.Start) + " to " + at(h.End) + " UTC"
}

// noZone shows a start that is told and is no moment, since the zone of its clock is not known.
func noZone(h *survey.Harvest) string {
	for _, e := range h.Evidence {
		if e.Fact == "start" {
			return "from " + e.Value
		}
	}
	return ""
}

func seedsOf(h *survey.Harvest) string {
	if h.SeedsTotal == 0 {
		return ""
	}
	shown := h.Seeds[:min(len(h.Seeds), reasonsShown)]
	text := grouped(h.SeedsTotal) + ": " + strings.Join(shown, "  ")
	if more := h.SeedsTotal - int64(len(shown)); more > 0 {
		text += "  and " + grouped(more) + " more"
	}
	return text
}

func documentedOf(h *survey.Harvest) string {
	switch h.Documentation {
	case model.Documented:
		return "yes: configuration and log are there"
	case model.PartlyDocumented:
		return "in part: configuration or log is missing"
	case model.Undocumented:
		return "no: there is only the content itself"
	}
	return string(h.Documentation)
}

// roleNames are the roles in the singular and the plural.
var roleNames = map[model.Role][2]string{
	model.RoleContainer: {"container", "containers"}, model.RoleContent: {"file of content", "files of content"}, model.RoleLog: {"log", "logs"},
	model.RoleReport: {"report", "reports"}, model.RoleConfiguration: {"of configuration", "of configuration"}, model.RoleIndex: {"index", "indexes"},
	model.RoleDescription: {"of description", "of description"}, model.RoleCache: {"of the crawler's cache", "of the crawler's cache"},
	model.RoleArtefact: {"made by the crawler or the system", "made by the crawler or the system"}, model.RoleOther: {"other", "others"},
}

func filesOf(h *survey.Harvest) string {
	var list []string
	for _, c := range h.Files {
		names := roleNames[c.Role]
		list = append(list, Number(c.Count, names[0], names[1]))
	}
	if len(list) == 0 {
		return "none"
	}
	return grouped(h.FilesTotal) + ", " + Size(h.BytesTotal) + ": " + strings.Join(list, ", ")
}

func countedOf(h *survey.Harvest) string {
	var list []string
	for _, f := range h.Counted {
		list = append(list, f.Name+" "+f.Value)
	}
	return strings.Join(list, ", ")
}

// missReasons say in words why a URL has no content.
var missReasons = map[model.Miss]string{
	model.MissNetwork: "no answer from the network", model.MissRobots: "forbidden by robots.txt", model.MissScope: "out of scope", model.MissQuota: "a limit was reached",
	model.MissOperator: "stopped or blocked by the operator", model.MissSoftware: "the crawler failed", model.MissServer: "refused by the server",
	model.MissUnwritten: "fetched, and by rule not kept", model.MissUntried: "nobody got to it",
}

// outcomes shows what became of the URLs.
func (p *lines) outcomes(o *survey.Outcomes) {
	if o == nil {
		return
	}
	if o.Total == 0 {
		p.field("URLs", "no log tells of any")
		return
	}
	captured := grouped(o.Total) + " lines of the log: " + grouped(o.Captured) + " captured"
	if o.Duplicates > 0 {
		captured += ", of them " + Number(o.Duplicates, "duplicate", "duplicates") + " of content that another record has"
	}
	p.field("URLs", captured)
	what := "not got"
	for _, m := range o.Missed {
		p.field(what, grouped(m.Count)+" "+cmp.Or(missReasons[m.Reason], string(m.Reason)))
		what = ""
	}
}

func foreignOf(h *survey.Harvest) string {
	if len(h.Foreign) == 0 {
		return ""
	}
	duplicates := int64(0)
	for _, f := range h.Foreign {
		duplicates += f.Duplicates
	}
	return Number(int64(len(h.Foreign)), "container of another harvest", "containers of other harvests") + ", for " + Number(duplicates, "duplicate that was", "duplicates that were") + " not stored again"
}

// missing shows the files that documents of the harvest list, and that are not there.
func (p *lines) missing(h *survey.Harvest, o TextOptions) {
	p.some("missing", h.Missing, o)
}

// restricted shows which files hold secrets. What these are, nobody tells.
func (p *lines) restricted(h *survey.Harvest, o TextOptions) {
	var list []string
	for _, r := range h.Restricted {
		list = append(list, r.Path+": "+r.Why)
	}
	p.some("restricted", list, o)
}

// because shows what the harvest was recognised by, and what gave way to it.
func (p *lines) because(h *survey.Harvest, o TextOptions) {
	p.some("because", h.Why, o)
	for _, over := range h.Overridden {
		what := systemOf(over.System) + " in " + over.Root + ", " + Number(over.Lost, "file", "files") + ": " + over.Why
		if over.Kept {
			what += "; it keeps the rest of its files"
		}
		p.field("and not", what)
	}
}

// some shows the first values of a field, one a line, and how many there are beside them.
func (p *lines) some(name string, values []string, o TextOptions) {
	p.someOf(name, values, int64(len(values)), o)
}

// someOf is some for values that are the first of more.
func (p *lines) someOf(name string, values []string, total int64, o TextOptions) {
	shown := int64(0)
	for _, value := range values {
		if shown == reasonsShown && !o.All {
			break
		}
		p.wrapf(valueColumn, "  %-10s %s", name, Visible(value))
		name = ""
		shown++
	}
	if more := total - shown; more > 0 {
		p.field(name, "and "+grouped(more)+" more")
	}
}

// surveyed shows findings by code, some of each. Those about secrets are shown as restricted.
func (p *lines) surveyed(findings []model.Finding, counts map[string]int64, o TextOptions) {
	shown := map[string]int64{}
	for _, severity := range []model.Severity{model.Error, model.Warning, model.Info} {
		for _, f := range findings {
			if f.Severity != severity || shownAsRestricted[f.Code] {
				continue
			}
			if shown[f.Code]++; shown[f.Code] > surveyFindings && !o.All {
				continue
			}
			p.wrapf(valueColumn, "  %-10s %s", string(severity), Visible(f.Code+"  "+placeOf(f)+f.Message))
		}
	}
	more := int64(0)
	for code, n := range counts {
		if listed := min(shown[code], surveyFindings); !o.All && !shownAsRestricted[code] {
			more += n - listed
		} else if o.All && !shownAsRestricted[code] {
			more += n - shown[code]
		}
	}
	if more > 0 {
		p.field("", "and "+Number(more, "finding", "findings")+" more of these kinds")
	}
}

// shownAsRestricted are the codes of findings that restrict a file, which are shown with the file.
var shownAsRestricted = map[string]bool{source.CodeSecret: true, source.CodePersonal: true}

func placeOf(f model.Finding) string {
	if f.Path == "" {
		return ""
	}
	if f.Offset > 0 {
		return f.Path + ", byte " + grouped(f.Offset) + ": "
	}
	return f.Path + ": "
}

// evidence shows each fact and where it comes from.
func (p *lines) evidence(h *survey.Harvest) {
	if len(h.Evidence) == 0 {
		return
	}
	p.addf("  evidence")
	for _, e := range h.Evidence {
		p.wrapf(6, "    %s", Visible(e.Fact+" = "+clip(e.Value, noteWidth)+"   ["+e.Source+"]"))
	}
}

// opened shows which archives were looked into.
func (p *lines) opened(v *survey.Survey) {
	if len(v.Opened) == 0 {
		return
	}
	p.addf("")
	p.addf("Opened: %s", Number(int64(len(v.Opened)), "archive in which harvests lie", "archives in which harvests lie"))
	for i, a := range v.Opened {
		if i == unclaimedShown {
			p.addf("  and %s more", grouped(int64(len(v.Opened)-i)))
			break
		}
		p.addf("  %s, %s", Visible(a.Path), Size(a.Size))
	}
}

// unclaimed shows which files belong to no harvest, and why.
func (p *lines) unclaimed(v *survey.Survey, o TextOptions) {
	if v.UnclaimedTotal == 0 {
		return
	}
	p.addf("")
	p.addf("In no harvest: %s", Number(v.UnclaimedTotal, "file", "files"))
	for i, u := range v.Unclaimed {
		if i == unclaimedShown && !o.All {
			break
		}
		p.wrapf(4, "  %s, %s: %s", Visible(u.Path), Size(u.Size), Visible(u.Why))
	}
	shown := int64(len(v.Unclaimed))
	if !o.All {
		shown = min(shown, unclaimedShown)
	}
	if more := v.UnclaimedTotal - shown; more > 0 {
		p.addf("  and %s more", grouped(more))
	}
}

// refused shows what was refused while folders and archives were opened.
func (p *lines) refused(v *survey.Survey, o TextOptions) {
	if len(v.Findings) == 0 {
		return
	}
	p.addf("")
	p.addf("Refused")
	counts := map[string]int64{}
	for _, f := range v.Findings {
		counts[f.Code]++
	}
	p.surveyed(v.Findings, counts, o)
}
