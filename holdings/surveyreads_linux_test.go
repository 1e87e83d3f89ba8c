package holdings_test

import (
	"testing"

	"quire/holdings"
	"quire/internal/repotest"
)

// TestSurveyReadsOnce: a survey opens the METS of each package in one copy, once, and has the sums of its
// containers.
func TestSurveyReadsOnce(t *testing.T) {
	const packages = 5
	r := repotest.New(t)
	r.IngestMany(packages)
	o, watched := r.Watch("mets.xml")
	if watched != 2*packages {
		t.Fatalf("%d METS in both copies", watched)
	}
	s, err := holdings.NewSurvey(t.Context(), r.Store, holdings.Options{})
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for p, err := range s.All {
		if err != nil || p.Trouble != nil {
			t.Fatal(err, p)
		}
		for path, c := range p.Facts.Containers {
			if c.Sums == nil || c.Sums.WARC == nil {
				t.Errorf("%s of %s has no sums", path, p.ID)
			}
			seen++
		}
	}
	if opened := o.Count(); seen != packages || opened != packages {
		t.Errorf("%d containers; the METS were opened %d times, want %d", seen, opened, packages)
	}
}
