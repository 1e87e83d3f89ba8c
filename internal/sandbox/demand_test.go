package sandbox

import (
	"errors"
	"strings"
	"testing"

	"quire/internal/sandbox/jail"
)

// TestDemand checks that a kernel without landlock or the filter runs no program, unless the
// settings accept that. A kernel with an older landlock runs programs.
func TestDemand(t *testing.T) {
	whole := here
	t.Cleanup(func() { here = whole })
	command := Command{Args: []string{"cat"}}
	for _, c := range []struct {
		report jail.Report
		demand Demand
		env    string
		runs   bool
	}{
		{jail.Report{Landlock: 0, Filter: true, Lacks: []string{"reads: no landlock"}}, "", "", false},
		{jail.Report{Landlock: 1, Filter: false, Lacks: []string{"no network: no filter"}}, Required, "", false},
		{jail.Report{Lacks: []string{"everything"}}, Required, "best-effort", false},
		{jail.Report{Lacks: []string{"everything"}}, "", "required", false},
		{jail.Report{Lacks: []string{"everything"}}, "", "nonsense", false},
		{jail.Report{Lacks: []string{"everything"}}, "", "best-effort", true},
		{jail.Report{Lacks: []string{"everything"}}, BestEffort, "", true},
		{jail.Report{Landlock: 1, Filter: true, Lacks: []string{"writes: an older landlock"}}, "", "", true},
		{jail.Report{Landlock: 6, Filter: true}, Required, "", true},
	} {
		t.Setenv("QUIRE_JAIL", c.env)
		here = func() jail.Report { return c.report }
		command.Jail = c.demand
		var out strings.Builder
		_, err := command.Run(t.Context(), t.TempDir(), strings.NewReader("bytes"), &out)
		switch {
		case c.runs && (err != nil || out.String() != "bytes"):
			t.Errorf("%+v: %q, %v", c, out.String(), err)
		case !c.runs && (!errors.Is(err, ErrNoJail) || out.Len() > 0 ||
			!strings.Contains(err.Error(), c.report.Lacks[0]) || !strings.Contains(err.Error(), "best-effort")):
			t.Errorf("%+v: %q, %v", c, out.String(), err)
		}
	}
}
