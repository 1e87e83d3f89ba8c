package store

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/repository/register"
)

// TestDamagedRegisterNamesItsCommand: the finding for a register that is damaged in one copy, or in the main
// folder, names one command, and that command mends it. The damage is in the oldest leaves or in the newest.
func TestDamagedRegisterNamesItsCommand(t *testing.T) {
	ctx := context.Background()
	old := func(t *testing.T, folder string) {
		edit(t, filepath.Join(folder, "tile/entries/001"), flip)
	}
	forked := func(t *testing.T, folder string) {
		edit(t, filepath.Join(folder, registerHead), func(text []byte) []byte { text[len(text)-10] ^= 1; return text })
	}
	for name, c := range map[string]struct {
		place string
		harm  func(t *testing.T, folder string)
	}{
		"old leaves of a copy":    {"copy-1", old},
		"the head of a copy":      {"copy-1", forked},
		"old leaves, main folder": {"", old},
		"the head, main folder":   {"", forked},
	} {
		t.Run(name, func(t *testing.T) {
			s := newRepository(t)
			mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
			many := &leaves{}
			for range 600 {
				many.setting(s.moment(), "policy", nil)
			}
			if err := s.enter(ctx, &noteLeaves{From: 1 << 40, Leaves: many.list}); err != nil || many.err != nil {
				t.Fatal(err, many.err)
			}
			_ = s.Close()
			s = reopen(t, s.root)
			folder := s.registerPath()
			if c.place != "" {
				folder = s.copyNamed(c.place).register()
			}
			c.harm(t, folder)
			report, err := s.Audit(ctx, nil, AuditOptions{})
			if err != nil && c.place == "" { // an audit cannot go on with a damaged main register
				report.Findings = []Finding{{Code: Code(register.RegisterDamaged), Detail: err.Error()}}
			} else if err != nil {
				t.Fatal(err)
			}
			i := slices.IndexFunc(report.Findings, func(f Finding) bool {
				return strings.HasPrefix(string(f.Code), "REGISTER-") && f.Copy == c.place
			})
			if i < 0 {
				t.Fatalf("found %v", report.Findings)
			}
			_, command, _ := strings.Cut(report.Findings[i].Detail, "quire init rebuild ")
			words := strings.Fields(command)
			if len(words) == 0 || words[0] != s.root || len(words) != 1 && (len(words) != 3 || words[1] != "--trust") {
				t.Fatalf("the finding does not name the command: %v", report.Findings[i])
			}
			_ = s.Close()
			trust := ""
			if len(words) == 3 {
				trust = words[2]
			}
			again, err := Init(ctx, s.root, InitOptions{Rebuild: true, Trust: trust, Describe: testDescribe})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = again.Close() }()
			mustBeSound(t, again)
			registerSound(t, again)
			for _, c := range again.copies {
				if v, err := register.Verify(ctx, c.register(), register.VerifyOptions{}); err != nil ||
					slices.ContainsFunc(v.Findings, func(f register.Finding) bool {
						return f.Code == register.RegisterDamaged
					}) {
					t.Errorf("%s: %v, %v", c.name, v.Findings, err)
				}
			}
		})
	}
}
