package browser

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"
)

// comparisonPage is the page of the documentation that the whole form writes.
const comparisonPage = "../../docs/explanation/717_replay-comparison.md"

// writeComparison writes the page of the documentation.
func writeComparison(t *testing.T, run *comparison, worse []worseThan, why *excuses) {
	t.Helper()
	mine, theirs := run.parts()
	var b strings.Builder
	fmt.Fprintf(&b, besideFile("comparison-head.md"), run.Date, run.Quire, run.Pywb, run.Wabac, run.Chromium,
		run.Processors, windowWidth, windowHeight)
	fmt.Fprintf(&b, "## %d sites of our own\n\nEach site was recorded with Chromium, and its live page pictured then "+
		"(`interop/browser/testdata/beside`).\n\n", len(mine))
	table(&b, mine, true)
	b.WriteString(besideFile("comparison-choice.md"))
	table(&b, theirs, false)
	b.WriteString("### The pages\n\n| | page | file |\n|---|---|---|\n")
	for _, c := range theirs {
		fmt.Fprintf(&b, "| %s | `%s` | `%s` |\n", c.Name, shortened(c.Page), shortened(c.File))
	}
	b.WriteString("\n## Where Quire is worse\n\n")
	if len(worse) == 0 {
		b.WriteString("On no page, by no measure.\n")
	}
	last := ""
	for _, w := range worse {
		if w.page != last {
			fmt.Fprintf(&b, "* **%s**\n", w.page)
			last = w.page
		}
		fmt.Fprintf(&b, "    * %s. %s\n", w.text, why.of(w))
	}
	if err := os.WriteFile(comparisonPage, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// thisRun returns the date, the programs and the machine of a run.
func thisRun(t *testing.T) comparison {
	t.Helper()
	return comparison{Date: time.Now().UTC().Format(time.DateOnly), Quire: first(t, binary(t), "version"),
		Pywb: pywbVersion(t), Wabac: wabacVersion(t), Chromium: first(t, "chromium", "--version"),
		Processors: runtime.NumCPU()}
}

// table writes the measures of each page by the three engines, and their sums.
func table(b *strings.Builder, pages []compared, own bool) {
	cells := []string{"missing", "lacking", "errors", "tried", "left"}
	if own {
		cells = append(cells, "pixels, %")
	}
	b.WriteString("Each cell has Quire, pywb, wabac.js, in this order.\n\n| |")
	for _, cell := range append(cells, "not loaded") {
		fmt.Fprintf(b, " %s |", cell)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(cells)+1) + "\n")
	sums := map[string]map[string]float64{}
	row := func(name string, of func(engine, cell string) float64) {
		fmt.Fprintf(b, "| %s |", name)
		for _, cell := range append(cells, "not loaded") {
			var parts []string
			for _, engine := range engineNames {
				form := "%.0f"
				if strings.HasPrefix(cell, "pixels") {
					form = "%.2f"
				}
				parts = append(parts, fmt.Sprintf(form, of(engine, cell)))
			}
			fmt.Fprintf(b, " %s |", strings.Join(parts, " · "))
		}
		b.WriteString("\n")
	}
	for _, p := range pages {
		row(p.Name, func(engine, cell string) float64 {
			v := cellOf(p.By[engine], cell)
			if sums[engine] == nil {
				sums[engine] = map[string]float64{}
			}
			sums[engine][cell] += v
			return v
		})
	}
	row("**sum**", func(engine, cell string) float64 { return sums[engine][cell] })
	b.WriteString("\n")
}

func cellOf(m measure, cell string) float64 {
	switch cell {
	case "missing":
		return float64(len(m.Missing))
	case "lacking":
		return float64(len(m.Lacks))
	case "errors":
		return float64(len(m.Errors))
	case "tried":
		return float64(len(m.Left))
	case "left":
		return float64(m.Came)
	case "not loaded":
		if m.NoPage {
			return 1
		}
		return 0
	}
	return 100 * m.Differs
}

func shortened(s string) string {
	if r := []rune(s); len(r) > 90 {
		return string(r[:60]) + "…" + string(r[len(r)-28:])
	}
	return s
}

// first returns the first line of a command's output.
func first(t *testing.T, command string, args ...string) string {
	t.Helper()
	out, err := exec.Command(command, args...).Output()
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return strings.TrimSpace(strings.TrimPrefix(line, "quire "))
}

func pywbVersion(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../interop/peers/requirements.txt")
	if err != nil {
		t.Fatal(err)
	}
	if m := regexp.MustCompile(`(?m)^pywb==(\S+)`).FindSubmatch(text); m != nil {
		return string(m[1])
	}
	return "?"
}

func wabacVersion(t *testing.T) string {
	t.Helper()
	return strings.Replace(filepath.Base(filepath.Dir(workerFile(t))), "wabac-", "wabac.js ", 1)
}
