package role

import (
	"os"
	"slices"
	"strings"
	"testing"

	"quire/holdings"
)

// TestMay states the roles of the operations that end or close something, apart from the list.
func TestMay(t *testing.T) {
	for id, want := range map[string][]Role{
		"purge-approve":   {Approver},
		"purge-request":   {Curator},
		"withdrawal-make": {Curator},
		"withdrawal-lift": {Curator},
		"hold-lift":       {Curator},
		"job-cancel":      {Operator},
		"package-show":    All(),
		"no-such-thing":   nil,
		"":                nil,
	} {
		for _, r := range All() {
			p := &Person{Roles: []Role{r}}
			if got := p.May(id); got != slices.Contains(want, r) {
				t.Errorf("%s may %s: %t", r, id, got)
			}
		}
		if p := (&Person{}); p.May(id) {
			t.Errorf("a person without a role may %s", id)
		}
	}
}

// TestOperations tests the rules that each operation keeps.
func TestOperations(t *testing.T) {
	changing := []string{"make", "lift", "set", "request", "approve", "cancel", "submit", "retry", "pause", "resume"}
	seen := map[string]bool{}
	for _, o := range Operations() {
		if seen[o.ID] || o.Does == "" || len(o.Roles) == 0 {
			t.Errorf("%s is there twice, or has no text or role", o.ID)
		}
		seen[o.ID] = true
		for _, verb := range changing {
			changes := len(o.ID) > len(verb) && o.ID[len(o.ID)-len(verb):] == verb && o.ID != "report-make"
			if changes && (slices.Contains(o.Roles, Reader) || slices.Contains(o.Roles, Auditor)) {
				t.Errorf("a reader or an auditor may %s", o.ID)
			}
		}
	}
}

func TestName(t *testing.T) {
	for text, want := range map[string]string{" Ada Lovelace ": "Ada Lovelace", "Žofie": "Žofie", "": "", " ": "",
		"Ada\u200b": "", "Ada\n": "Ada", "A\nB": "", "\xff": "", strings.Repeat("a", 201): ""} {
		if got, err := Name(text); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

func TestReading(t *testing.T) {
	for r, want := range map[Role]holdings.Class{Reader: holdings.Public, Curator: holdings.Staff,
		Operator: holdings.Staff, Approver: holdings.Staff, Auditor: holdings.Staff, "": holdings.Public} {
		p := &Person{Name: "Ada", Roles: []Role{r}}
		if got := p.Reading(); got.Class != want || got.Name != "Ada" {
			t.Errorf("%s reads as %+v", r, got)
		}
	}
}

func TestUnmarshal(t *testing.T) {
	var r Role
	if err := r.UnmarshalText([]byte("curator")); err != nil || r != Curator {
		t.Errorf("%s, %v", r, err)
	}
	for _, wrong := range []string{"", "admin", "Curator", "curator "} {
		if err := r.UnmarshalText([]byte(wrong)); err == nil {
			t.Errorf("%q is a role", wrong)
		}
	}
}

// TestDocumented compares the list with the table in the reference.
func TestDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/reference/377_service.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "<!-- roles -->")
	table, _, _ = strings.Cut(table, "<!-- /roles -->")
	rows := strings.Split(strings.TrimSpace(table), "\n")[2:]
	if len(rows) != len(operations) {
		t.Errorf("%d rows for %d operations", len(rows), len(operations))
	}
	for i, o := range operations {
		row := "| `" + o.ID + "` " + o.Does + " | "
		for n, r := range All() {
			if n > 0 {
				row += " | "
			}
			if slices.Contains(o.Roles, r) {
				row += "x"
			}
		}
		if row += " |"; i < len(rows) && rows[i] != row {
			t.Errorf("the reference has %s\nnot %s", rows[i], row)
		}
	}
}
