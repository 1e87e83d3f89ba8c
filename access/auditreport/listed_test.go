package auditreport

import (
	"strings"
	"testing"

	"quire/repository/catalogue"
)

// TestListedCopies: a copy that has packages only by the checksums of its service shows a part of the claim.
func TestListedCopies(t *testing.T) {
	with := func(name string, state catalogue.Status) Copy {
		return Copy{Name: name, Available: true, States: map[catalogue.Status]int64{catalogue.Good: 1, state: 1}}
	}
	r := &Report{Holdings: Holdings{Sum: Sum{Packages: 2}}, Copies: []Copy{with("a", catalogue.Good),
		with("cold", catalogue.AsListed), with("short", catalogue.Owed)}}
	r.Copies[0].States[catalogue.Good] = 2
	for want, state := range map[int]State{1: Shown, 2: PartlyShown, 3: NotShown} {
		f := completeCopies(want)(r)
		if f.state != state || !strings.Contains(f.statement, "and not read: cold") ||
			!strings.Contains(f.statement, "Not complete: short") {
			t.Errorf("%d copies: %s, %q", want, f.state, f.statement)
		}
	}
}
