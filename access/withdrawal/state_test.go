package withdrawal

import (
	"testing"

	"quire/repository/catalogue"
)

func TestState(t *testing.T) {
	for status, want := range map[catalogue.Status]string{
		catalogue.Good:     "has the decision",
		catalogue.AsListed: "has the decision by the checksums of its service; it was not read",
		catalogue.Owed:     "does not have the decision yet",
		catalogue.Damaged:  "its decision is damaged",
	} {
		if got := state(status); got != want {
			t.Errorf("%s: %q", status, got)
		}
	}
}
