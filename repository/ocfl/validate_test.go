package ocfl

import (
	"context"
	"slices"
	"strings"
	"testing"
)

// TestObjects changes one thing in a good object and expects exactly the codes for that fault.
func TestObjects(t *testing.T) {
	for _, c := range objectCases {
		t.Run(c.name, func(t *testing.T) {
			s := newSample(t)
			if c.edit != nil {
				c.edit(s)
			}
			m := s.seal()
			if c.damage != nil {
				c.damage(m)
			}
			r := ValidateObject(context.Background(), m, sampleDir, Options{})
			want := strings.Fields(c.codes)
			slices.Sort(want)
			if got := codesOf(r.Errors, r.Warnings); !slices.Equal(got, want) {
				t.Errorf("codes %v, want %v\nerrors %v\nwarnings %v", got, want, r.Errors, r.Warnings)
			}
			if c.kind != KindRule && !hasIssue(r, c.kind, c.path) {
				t.Errorf("no %s at %s among %v", c.kind, c.path, r.Errors)
			}
		})
	}
}

func hasIssue(r *Result, kind Kind, path string) bool {
	return slices.ContainsFunc(r.Errors, func(i Issue) bool { return i.Kind == kind && i.Path == path })
}
