package numbers

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"quire/internal/humanize"
	"quire/preserve/report"
)

// Write writes the risks. CSV has the formats at risk of all years together.
func (r *Risks) Write(w io.Writer, form report.Form) error {
	var out bytes.Buffer
	var err error
	switch form {
	case report.AsJSON:
		e := json.NewEncoder(&out)
		e.SetEscapeHTML(false)
		err = e.Encode(r)
	case report.AsCSV:
		err = r.csv(&out)
	case report.AsHTML:
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
	for _, id := range f.Rules {
		if id == rule {
			return true
		}
	}
	return false
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
		_ = w.Write([]string{report.NoFormula(f.Name), report.NoFormula(f.PUID), report.NoFormula(f.Version),
			number(f.Count), number(f.Bytes), number(f.Containers), number(f.Packages), number(int64(f.First)),
			number(int64(f.Last)), report.NoFormula(strings.Join(f.Rules, " "))})
	}
	w.Flush()
	return w.Error() // the writer keeps its first error
}

// page writes a page: risks over time, rules, formats.
func (r *Risks) page(w io.Writer) error {
	years := report.Chart{Title: "Payloads at risk, by year of capture", Heading: "Year", Counted: "Payloads at risk",
		Order: "in their order"}
	all := report.Chart{Title: "All payloads, by year of capture", Heading: "Year", Counted: "Payloads",
		Order: "in their order"}
	for _, y := range r.Years {
		years.Rows = append(years.Rows, report.Row{Name: yearText(y.Year) + ": " + share(y.AtRisk, y.Payloads),
			Count: y.AtRisk, Bytes: y.AtRiskBytes})
		all.Rows = append(all.Rows, report.Row{Name: yearText(y.Year), Count: y.Payloads, Bytes: y.Bytes})
	}
	rules := report.Chart{Title: "Rules that formats break", Heading: "Rule", Counted: "Payloads",
		Order: "those that refuse first"}
	for _, rule := range r.Rules {
		rules.Rows = append(rules.Rows, report.Row{Name: string(rule.Severity) + " " + rule.ID + ": " + rule.Message,
			Count: rule.Payloads, Bytes: rule.Bytes})
	}
	formats := report.Chart{Title: "Formats at risk", Heading: "Format", Counted: "Payloads"}
	for i := range r.Formats {
		row := r.Formats[i].Row
		row.Name, row.Version = row.FullName()+", "+r.Formats[i].years(), ""
		formats.Rows = append(formats.Rows, row)
	}
	return report.Charts(w, "Formats at risk by the policy "+r.Policy+r.Scope.Title(), r.Scope.Notes(), years, all,
		rules, formats)
}
