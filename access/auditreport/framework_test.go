package auditreport

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A report without records fulfils no requirement.
func TestUnknownIsNeverGood(t *testing.T) {
	for _, f := range assess(&Report{}, nil) {
		for _, row := range f.Rows {
			if row.State.Met() {
				t.Errorf("%s %s is met", f.ID, row.ID)
			}
			for _, c := range row.Claims {
				if c.State.Met() || c.State == PartlyShown || c.Statement == "" {
					t.Errorf("%s is %s: %q", c.ID, c.State, c.Statement)
				}
			}
		}
	}
}

// Each row names its edition, each claim has an id of its own, and each area of NDSA four levels.
func TestFrameworks(t *testing.T) {
	ids := map[string]bool{}
	for _, f := range assess(&Report{}, nil) {
		if f.Edition == "" || f.Source == "" || len(f.Rows) == 0 {
			t.Errorf("%+v", f.ID)
		}
		for _, row := range f.Rows {
			if row.Edition != f.Edition || row.Text == "" || len(row.Claims) == 0 {
				t.Errorf("%s %s: %+v", f.ID, row.ID, row)
			}
			for _, c := range row.Claims {
				if ids[c.ID] || c.ID == "" || c.Text == "" {
					t.Errorf("%q twice, or empty", c.ID)
				}
				ids[c.ID] = true
			}
		}
		if f.ID != "NDSA" {
			continue
		}
		for _, area := range f.Areas() {
			levels := []int{}
			for _, row := range f.Rows {
				if row.Area == area {
					levels = append(levels, row.Level)
				}
			}
			if !slices.Equal(levels, []int{1, 2, 3, 4}) {
				t.Errorf("%s has levels %v", area, levels)
			}
		}
	}
	if f := assess(&Report{}, nil)[1]; len(f.Rows) != 16 {
		t.Errorf("CoreTrustSeal has %d requirements", len(f.Rows))
	}
}

// A level is reached only with all levels below it.
func TestReached(t *testing.T) {
	f := Framework{Rows: []Row{{Area: "A", Level: 1, State: Attested}, {Area: "A", Level: 2, State: PartlyShown},
		{Area: "A", Level: 3, State: Shown}, {Area: "B", Level: 1, State: Shown}, {Area: "B", Level: 2, State: Shown}}}
	if a, b := f.Reached("A"), f.Reached("B"); a != 1 || b != 2 {
		t.Errorf("reached %d and %d", a, b)
	}
}

func TestWeakest(t *testing.T) {
	for _, c := range []struct {
		states []State
		want   State
	}{
		{[]State{Shown, Attested}, Attested}, {[]State{Shown, PartlyShown}, PartlyShown},
		{[]State{Attested, NotAttested}, NotAttested}, {[]State{NotAttested, Unknown}, Unknown},
		{[]State{Shown, NotShown, Unknown}, NotShown}, {[]State{Denied, Shown}, Denied},
	} {
		var claims []Claim
		for _, s := range c.states {
			claims = append(claims, Claim{State: s})
		}
		if got := weakest(claims); got != c.want {
			t.Errorf("%v: %s, want %s", c.states, got, c.want)
		}
	}
}

// uncomment fills in the whole form.
func uncomment(form string) string {
	form = regexp.MustCompile(`(?m)^# (?:Attest|Remove).*$`).ReplaceAllString(form, "")
	return regexp.MustCompile(`(?m)^# `).ReplaceAllString(form, "")
}

// The form is valid as it is printed, and when all of it is filled in.
func TestTemplate(t *testing.T) {
	var form bytes.Buffer
	if err := Template(&form, []string{"copy-1", "copy-2"}); err != nil {
		t.Fatal(err)
	}
	empty, err := parseAttestations(form.Bytes())
	if err != nil || len(empty.Claims) != 0 {
		t.Fatalf("%v, %v", empty, err)
	}
	full, err := parseAttestations([]byte(uncomment(form.String())))
	if err != nil {
		t.Fatal(err)
	}
	if len(full.Claims) != len(personClaims()) || len(full.Copies) != 2 || full.Institution == "" {
		t.Errorf("%d claims of %d, %d copies", len(full.Claims), len(personClaims()), len(full.Copies))
	}
	for _, f := range assess(&Report{}, full) {
		for _, row := range f.Rows {
			for _, c := range row.Claims {
				if c.By == ByPerson && strings.HasSuffix(c.ID, "-response") &&
					(c.State != Attested || c.Person == "" || c.On == "" || len(c.Evidence) != 1) {
					t.Errorf("%+v", c)
				}
			}
		}
	}
}

func TestAttestations(t *testing.T) {
	const head = "form: 1\nclaims:\n  CTS-R01-response:\n    "
	for _, c := range []struct{ text, want string }{
		{"form: 2\n", "form"},
		{"institution: x\n", "form: 1 is missing"},
		{"form: 1\nclaims:\n  CTS-R99: {answer: yes}\n", "is no claim of this form"},
		{head + "answer: maybe\n", "answer"},
		{head + "answer: yes\n", "answer, by and on are required"},
		{head + "answer: yes\n    by: A\n    on: yesterday\n", "on"},
		{"form: 1\ncopies:\n  copy-1: {town: Prague}\n", "town"},
	} {
		if _, err := parseAttestations([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
	a, err := parseAttestations([]byte(head + "answer: no\n    by: A. Person\n    on: 2026-11-29\n"))
	if err != nil {
		t.Fatal(err)
	}
	s := spec{id: "CTS-R01-response"}
	if c := s.assess(&Report{}, a); c.State != Denied || c.Person != "A. Person" {
		t.Errorf("%+v", c)
	}
}

// Places of copies count only as far as people attest them, and the file systems can refute them.
func TestPlaces(t *testing.T) {
	place := func(name, threat string) *Place { return &Place{Place: name, Threat: threat} }
	for _, c := range []struct {
		name   string
		copies []Copy
		check  check
		want   State
	}{
		{"one file system", []Copy{{SameDisk: []string{"b"}, Place: place("P", "")}, {SameDisk: []string{"a"},
			Place: place("Q", "")}}, placesOfCopies(2), NotShown},
		{"unknown file systems", []Copy{{}, {}}, placesOfCopies(2), NotAttested},
		{"one attested", []Copy{{SameDisk: []string{}, Place: place("P", "")}, {SameDisk: []string{}}},
			placesOfCopies(2),
			NotAttested},
		{"apart", []Copy{{SameDisk: []string{}, Place: place("P", "")}, {SameDisk: []string{}, Place: place("Q", "")}},
			placesOfCopies(2), Attested},
		{"the same place", []Copy{{SameDisk: []string{}, Place: place("P", "")}, {SameDisk: []string{},
			Place: place("P", "")}}, placesOfCopies(2), Denied},
		{"threats", []Copy{{Place: place("", "flood")}, {Place: place("", "fire")}, {}}, differentThreats(2), Attested},
		{"the same threat", []Copy{{Place: place("", "flood")}, {Place: place("", "flood")}}, differentThreats(2),
			Denied},
		{"some threats", []Copy{{Place: place("", "flood")}, {}}, differentThreats(2), NotAttested},
	} {
		if got := c.check(&Report{Copies: c.copies}); got.state != c.want {
			t.Errorf("%s: %s (%s), want %s", c.name, got.state, got.statement, c.want)
		}
	}
}
