package policy

import (
	"fmt"
	"os/exec"
	"strings"
	"time"

	"quire/internal/humanize"
)

// ToolIn is a tool of a policy, in words.
type ToolIn struct {
	Label   string     `json:"label"`
	Command []string   `json:"command"`
	Reads   []string   `json:"reads"` // files and folders that it may read, besides the system's
	Formats []string   `json:"formats"`
	Limits  ToolLimits `json:"limits"`
	Facts   []FactIn   `json:"facts"`
	Missing bool       `json:"missing"` // it is not installed on this machine
}

// ToolLimits are the limits of a tool: bytes, and runs in one judgement.
type ToolLimits struct {
	Timeout string `json:"timeout"`
	Memory  int64  `json:"memory"`
	Input   int64  `json:"input"`
	Output  int64  `json:"output"`
	Runs    int64  `json:"runs"`
}

// FactIn is a fact of a tool.
type FactIn struct {
	Name string `json:"name"` // as rules call it
	Type string `json:"type"`
	Is   string `json:"is"` // the expression over the output
}

func (p *Policy) explainTools() []ToolIn {
	all := []ToolIn{}
	for i := range p.Tools {
		t := &p.Tools[i]
		one := ToolIn{Label: t.Label, Command: t.Program.Command, Reads: t.Program.Reads, Formats: t.Formats,
			Limits: ToolLimits{Timeout: time.Duration(t.Program.Timeout).String(), Memory: int64(t.Program.Memory),
				Input: int64(t.Input), Output: int64(t.Program.Output), Runs: t.Runs}}
		_, err := exec.LookPath(t.Program.Command[0])
		one.Missing = err != nil
		for n := range t.Facts {
			f := &t.Facts[n]
			one.Facts = append(one.Facts, FactIn{t.variable(f), f.Type, f.Is})
		}
		all = append(all, one)
	}
	return all
}

// MissingTools lists the programs of the policy that are not installed on this machine. Rules that
// use them are not judged.
func (p *Policy) MissingTools() (all []string) {
	for _, t := range p.explainTools() {
		if t.Missing {
			all = append(all, fmt.Sprintf("%s (%s)", t.Label, t.Command[0]))
		}
	}
	return all
}

func toolsText(b *strings.Builder, all []ToolIn) {
	if len(all) == 0 {
		return
	}
	b.WriteString("\nTools, which run in the jail:\n")
	for i := range all {
		t := &all[i]
		missing := ""
		if t.Missing {
			missing = " (not installed here: its rules are not judged)"
		}
		fmt.Fprintf(b, "  %s%s: %s\n", t.Label, missing, humanize.Visible(strings.Join(t.Command, " ")))
		fmt.Fprintf(b, "             on %s\n", either(t.Formats))
		if len(t.Reads) > 0 {
			fmt.Fprintf(b, "             reads %s, too\n", humanize.Visible(strings.Join(t.Reads, ", ")))
		}
		for _, f := range t.Facts {
			fmt.Fprintf(b, "             %s (%s): %s\n", f.Name, f.Type, strings.ReplaceAll(f.Is, "\n", " "))
		}
	}
}
