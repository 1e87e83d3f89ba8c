package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"quire/internal/csvcell"
	"quire/internal/humanize"
)

// Risks are the formats of a repository, or of a part of it, that a policy does not accept, over time.
type Risks struct {
	Policy  string         `json:"policy"`
	SHA512  string         `json:"sha512"` // of the policy file
	Outcome string         `json:"outcome"`
	Scope   *Scope         `json:"scope"`
	Years   []YearOfRisks  `json:"years"`   // in order; 0 is not known
	Rules   []RuleOfRisks  `json:"rules"`   // the broken ones, those of severity refuse first
	Formats []FormatAtRisk `json:"formats"` // that break a rule, the most frequent first
	// Unjudged is the number of rules on formats that need facts about a harvest, so they were not judged.
	Unjudged int64 `json:"unjudged"`
}

// YearOfRisks is a year of capture: that of the first capture of the containers.
type YearOfRisks struct {
	Year        int   `json:"year"`
	Payloads    int64 `json:"payloads"`
	Bytes       int64 `json:"bytes"`
	AtRisk      int64 `json:"at_risk"` // payloads whose format breaks a rule
	AtRiskBytes int64 `json:"at_risk_bytes"`
}

// RuleOfRisks is a rule that formats break.
type RuleOfRisks struct {
	ID       string `json:"id"`
	Severity string `json:"severity"`
	Message  string `json:"message"`
	Formats  int64  `json:"formats"`
	Payloads int64  `json:"payloads"`
	Bytes    int64  `json:"bytes"`
}

// FormatAtRisk is a format that breaks rules.
type FormatAtRisk struct {
	Row
	First int      `json:"first"` // year; 0 if it is not known
	Last  int      `json:"last"`
	Rules []string `json:"rules"` // their ids
}

// Write writes the risks. CSV has the formats at risk of all years together.
func (r *Risks) Write(w io.Writer, form Form) error {
	var out bytes.Buffer
	var err error
	switch form {
	case AsJSON:
		e := json.NewEncoder(&out)
		e.SetEscapeHTML(false)
		err = e.Encode(r)
	case AsCSV:
		err = r.csv(&out)
	case AsHTML:
		return r.page(w)
	default:
		r.text(&out)
	}
	if err == nil {
		_, err = out.WriteTo(w)
	}
	if err != nil {
		return fmt.Errorf("writing the risks by the policy %s: %w", r.Policy, err)
	}
	return nil
}

func yearText(year int) string {
	if year == 0 {
		return "unknown"
	}
	return strconv.Itoa(year)
}

// share returns a part in percent.
func share(part, of int64) string {
	if of == 0 {
		return ""
	}
	return strconv.FormatFloat(100*float64(part)/float64(of), 'f', 1, 64) + " %"
}

func (r *Risks) text(out *bytes.Buffer) {
	fmt.Fprintf(out, "policy %s: %s\n\n", r.Policy, r.Outcome)
	fmt.Fprintf(out, "%-8s  %15s  %12s  %15s  %12s  %8s\n", "year", "payloads", "size", "at risk", "size", "share")
	for _, y := range r.Years {
		fmt.Fprintf(out, "%-8s  %15s  %12s  %15s  %12s  %8s\n", yearText(y.Year), humanize.Grouped(y.Payloads),
			humanize.Size(y.Bytes), humanize.Grouped(y.AtRisk), humanize.Size(y.AtRiskBytes),
			share(y.AtRisk, y.Payloads))
	}
	for _, rule := range r.Rules {
		fmt.Fprintf(out, "\n%s %s: %s\n", rule.Severity, rule.ID, humanize.Visible(rule.Message))
		for i := range r.Formats {
			if f := &r.Formats[i]; f.breaks(rule.ID) {
				fmt.Fprintf(out, "  %-60s  %15s  %12s  %s\n", humanize.Clip(humanize.Visible(f.name()), 60),
					humanize.Grouped(f.Count), humanize.Size(f.Bytes), f.years())
			}
		}
	}
	if r.Unjudged > 0 {
		fmt.Fprintf(out, "\n%s on formats not judged: they need facts about a harvest\n",
			humanize.Number(r.Unjudged, "rule", "rules"))
	}
}

func (f *FormatAtRisk) breaks(rule string) bool {
	return slices.Contains(f.Rules, rule)
}

// name returns the PUID and the name of the format.
func (f *FormatAtRisk) name() string { return strings.TrimSpace(f.PUID + " " + f.FullName()) }

func (f *FormatAtRisk) years() string {
	if f.First == f.Last {
		return yearText(f.First)
	}
	return yearText(f.First) + " to " + yearText(f.Last)
}

func (r *Risks) csv(out *bytes.Buffer) error {
	w := csv.NewWriter(out)
	w.UseCRLF = true // RFC 4180, 2.1
	_ = w.Write([]string{"format", "puid", "version", "count", "bytes", "containers", "packages", "first", "last",
		"rules"})
	for i := range r.Formats {
		f := &r.Formats[i]
		number := func(n int64) string { return strconv.FormatInt(n, 10) }
		_ = w.Write([]string{csvcell.Text(f.Name), csvcell.Text(f.PUID), csvcell.Text(f.Version),
			number(f.Count), number(f.Bytes), number(f.Containers), number(f.Packages), number(int64(f.First)),
			number(int64(f.Last)), csvcell.Text(strings.Join(f.Rules, " "))})
	}
	w.Flush()
	return w.Error() // the writer keeps its first error
}

// page writes a page: risks over time, rules, formats.
func (r *Risks) page(w io.Writer) error {
	years := Chart{Title: "Payloads at risk, by year of capture", Heading: "Year", Counted: "Payloads at risk",
		Order: "in their order"}
	all := Chart{Title: "All payloads, by year of capture", Heading: "Year", Counted: "Payloads",
		Order: "in their order"}
	for _, y := range r.Years {
		years.Rows = append(years.Rows, Row{Name: yearText(y.Year) + ": " + share(y.AtRisk, y.Payloads),
			Count: y.AtRisk, Bytes: y.AtRiskBytes})
		all.Rows = append(all.Rows, Row{Name: yearText(y.Year), Count: y.Payloads, Bytes: y.Bytes})
	}
	rules := Chart{Title: "Rules that formats break", Heading: "Rule", Counted: "Payloads",
		Order: "those that refuse first"}
	for _, rule := range r.Rules {
		rules.Rows = append(rules.Rows, Row{Name: rule.Severity + " " + rule.ID + ": " + rule.Message,
			Count: rule.Payloads, Bytes: rule.Bytes})
	}
	formats := Chart{Title: "Formats at risk", Heading: "Format", Counted: "Payloads"}
	for i := range r.Formats {
		row := r.Formats[i].Row
		row.Name, row.Version = row.FullName()+", "+r.Formats[i].years(), ""
		formats.Rows = append(formats.Rows, row)
	}
	return Charts(w, "Formats at risk by the policy "+r.Policy+r.Scope.Title(), r.Scope.Notes(), years, all,
		rules, formats)
}
