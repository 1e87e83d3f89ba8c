//go:build interop

package verdicts

import (
	"context"
	"slices"
	"strings"
	"testing"

	"quire/interop/internal/peers"
	"quire/model"
	"quire/preserve/inspect"
)

// ours returns the verdict of quire inspect on each file alone, as for the peers. The reason of an
// invalid verdict is its errors.
func ours(t *testing.T, files []string) map[string]peers.Verdict {
	t.Helper()
	said := map[string]peers.Verdict{}
	for _, file := range files {
		c, err := inspect.File(context.Background(), file, inspect.Options{MaxFindings: 1, Set: inspect.NewSet()})
		if err != nil {
			t.Fatal(err)
		}
		var errors []string
		for _, f := range c.Findings {
			if f.Severity == model.Error && !slices.Contains(errors, f.Code) {
				errors = append(errors, f.Code)
			}
		}
		v := peers.Verdict{Word: peers.Valid, Reason: strings.Join(errors, " ")}
		switch c.Outcome {
		case model.Invalid:
			v.Word = peers.Invalid
		case model.NotContainer:
			v = peers.Verdict{Word: peers.Refused, Reason: "not-a-container " + v.Reason}
		}
		said[file] = v
	}
	return said
}
