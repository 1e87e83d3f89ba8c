package publish

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"

	"quire/access/auditreport"
	"quire/internal/humanize"
)

//go:embed report.html style.css
var files embed.FS

var page = template.Must(template.New("report.html").Funcs(template.FuncMap{
	"style": func() template.CSS { return template.CSS(asset("style.css")) }, "visible": humanize.Visible,
	"tone": toneOf, "word": func(s auditreport.State) string { return words[s] }, "mark": sign, "link": link,
	"anchor":  anchor,
	"percent": func(v float64) string { return fmt.Sprintf("%.3f", 100*v) },
	"at":      func(parts []float64, i int) string { return fmt.Sprintf("%.3f", 100*sum(parts[:i])) },
	"policy": func() string {
		hash := sha256.Sum256([]byte(asset("style.css")))
		return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) +
			"'; base-uri 'none'; form-action 'none'"
	},
}).ParseFS(files, "report.html"))

func asset(name string) string {
	text, _ := files.ReadFile(name) // embedded, so it exists
	return string(text)
}

func sum(values []float64) (all float64) {
	for _, v := range values {
		all += v
	}
	return all
}

// link reports whether a piece of evidence is a link that a browser may follow.
func link(ref string) bool {
	return strings.HasPrefix(ref, "https://") || strings.HasPrefix(ref, "http://")
}

// sectionNames are the titles of the sections that evidence refers to.
var sectionNames = map[string]string{auditreport.SectionHoldings: "Holdings", auditreport.SectionCopies: "Copies",
	auditreport.SectionAudits: "Audits", auditreport.SectionIncidents: "Damage and repair",
	auditreport.SectionOverdue: "Overdue", auditreport.SectionEvents: "Events",
	auditreport.SectionFormats: "Formats and risk",
	auditreport.SectionViruses: "Virus checks", auditreport.SectionAccess: "Who may see what",
	auditreport.SectionTakedowns: "Takedowns"}

// target is a section that evidence refers to.
type target struct {
	ID    template.URL
	Title string
}

// anchor returns the section of a reference, or nil if it is none.
func anchor(ref string) *target {
	if title, ok := sectionNames[ref]; ok {
		return &target{template.URL(ref), title}
	}
	return nil
}

// sign returns the sign of a tone: no state needs its colour.
func sign(s auditreport.State) template.HTML {
	switch toneOf(s) {
	case toneGood:
		return `<path d="M3 8.5l3.2 3.2L13 4.8"/>`
	case toneWarn:
		return `<path d="M3 8h10"/>`
	case toneBad:
		return `<path d="M4 4l8 8M12 4l-8 8"/>`
	}
	return `<circle cx="8" cy="8" r="4.6"/>`
}

// html writes the report as a page that needs no other file. The comment at its end is for the signature.
func html(w io.Writer, d *document) error {
	if err := page.Execute(w, d); err != nil {
		return err
	}
	_, err := io.WriteString(w, "<!-- "+mark+" -->\n</body>\n</html>\n")
	return err
}
