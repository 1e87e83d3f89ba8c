package rights

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/model"
)

func set(t *testing.T, text string) *Set {
	t.Helper()
	s, err := Read(strings.NewReader(text), "rules.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var noon = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// question is the case of a PDF capture, in a package of a collection.
func question() *Question {
	return &Question{
		Package: "p", Collections: func(id string) bool {
			return id == "c"
		}, URL: "http://www.a.example/dir/x.pdf?q=1", Captured: time.Date(2025, 11, 24, 1, 2, 3, 0, time.UTC),
		Digest: "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
		SHA256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", MIME: "application/pdf",
		Scan: model.ScanClean, Now: noon,
	}
}

// TestCriteria: each criterion, with and without a match.
func TestCriteria(t *testing.T) {
	for _, c := range []struct {
		criterion string
		fits      bool
	}{
		{"packages: [o, p]", true}, {"packages: o", false},
		{"collections: [c]", true}, {"collections: [d]", false},
		{"urls: [http://www.a.example/dir/]", true}, {"urls: [a.example]", true}, {"urls: ['*/*.pdf*']", true},
		{"urls: [https://www.a.example/]", true}, {"urls: [http://www.a.example/di%72/]", true},
		{"urls: [http://www.a.example/other/]", false}, {"urls: [b.example, http://a.example/]", false},
		{"urls: ['http://(example,a,)/dir']", true}, {"urls: ['example,a)/']", true}, {"urls: ['example,a']", true},
		{"urls: ['(example,']", true}, {"urls: ['http://(example,a,']", true}, {"urls: ['(example,aa,']", false},
		{"urls: ['http://(example,a,www,']", true}, {"urls: ['(example,a,www']", true},
		{"urls: ['(example,www,']", false}, {"urls: ['(example,a,w,']", false},
		{"urls: ['http://(example,a,)/other']", false}, {"urls: ['example,b)/']", false},
		{"urls: [a.example]\n    except: [http://www.a.example/dir/]", false},
		{"urls: [a.example]\n    except: [http://www.a.example/other/]", true},
		{"captured: {from: 2025-11-24}", true}, {"captured: {from: 2025-11-25}", false},
		{"captured: {to: 2025-11-24}", true}, {"captured: {to: 2025-11-23}", false},
		{"captured: {from: 2025-01-01, to: 2025-12-31}", true},
		{"younger-than: 1y", true}, {"younger-than: 11 months", false}, {"younger-than: 365d", true},
		{"younger-than: 364 days", false}, {"younger-than: 52 weeks", false}, {"older-than: 1 year", false},
		{"older-than: 1 month", true},
		{"asked: {from: 2026-11-23, to: 2026-11-23}", true}, {"asked: {to: 2026-11-22}", false},
		{"asked: {from: 2026-11-24}", false},
		{"digests: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", true},
		{"digests: sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709", true},
		{"digests: sha1:2222222222222222222222222222222A", false},
		{"digests: sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", true},
		{"types: application/pdf", true}, {"types: [Application/*]", true}, {"types: video/*", false},
		{"scans: clean", true}, {"scans: [infected, not-scanned]", false},
		{"packages: p\n    types: video/*", false}, {"packages: p\n    types: application/*", true},
	} {
		s := set(t, "rules:\n  - "+c.criterion+"\n    access: restricted\n")
		if a := s.Judge(question()); (a.Verdict == Restricted) != c.fits || a.Verdict == "" == c.fits {
			t.Errorf("%s: %+v", c.criterion, a)
		}
	}
}

// TestUnknown: if a property of a capture is unknown, it is treated as a match.
func TestUnknown(t *testing.T) {
	for _, criterion := range []string{"captured: {from: 1999-01-01, to: 1999-01-02}", "younger-than: 1 day",
		"older-than: 100 years", "types: video/*"} {
		q := question()
		q.Captured, q.MIME = time.Time{}, ""
		if a := set(t, "rules:\n  - "+criterion+"\n    access: blocked\n").Judge(q); a.Verdict != Blocked {
			t.Errorf("%s: %+v", criterion, a)
		}
	}
}

// TestSeveral: the strictest of several rules holds; content hidden by one is hidden; only a rule
// on all of a package closes the whole package.
func TestSeveral(t *testing.T) {
	s := set(t, `
rules:
  - {packages: p, access: open, override: rights}
  - {packages: p, types: application/pdf, access: restricted, message: For curators., comment: see minutes, `+
		`by: Ada, on: 2026-01-02, name: No PDF}
  - {urls: [a.example], access: onsite, hidden: true, asked: {to: 2026-11-30}}
`)
	a := s.Judge(question())
	if a.Verdict != Restricted || !a.Override || !a.Hidden || a.Message != "For curators." ||
		a.Why != "rules.yaml, line 4: No PDF: see minutes (Ada, 2026-01-02)" {
		t.Errorf("%+v", a)
	}
	q := question()
	q.URL = ""
	if a := s.Judge(q); a.Verdict != Open || a.Hidden {
		t.Errorf("the package: %+v", a)
	}
	if _, ok := s.Whole(q); ok {
		t.Error("all of the package is said to be alike")
	}
	if all := s.About(question()); len(all) != 3 || all[0].Access != Restricted || all[2].Access != Open {
		t.Errorf("%+v", all)
	}
	young := set(t, "rules:\n  - {younger-than: 2 years, access: onsite}\n").Judge(question())
	if want := time.Date(2027, 11, 24, 1, 2, 3, 0, time.UTC); !young.Until.Equal(want) {
		t.Errorf("until %v, want %v", young.Until, want)
	}
}

// TestWrong: errors are reported with their lines; an unreadable part closes everything that it may
// cover, never less.
func TestWrong(t *testing.T) {
	other := question()
	other.Package, other.URL = "other", "http://b.example/"
	for _, c := range []struct {
		text, told string
		other      bool // other content is also closed
	}{
		{"rules:\n  - packages: p\n    access: opne\n", "line 3", false},
		{"rules:\n  - packages: p\n    acess: blocked\n", "line 3", false},
		{"rules:\n  - packages: p\n", "has no effect", false},
		{"rules:\n  - pakages: p\n    access: restricted\n", "line 2", true},
		{"rules:\n  - urls: [/dir/]\n    access: restricted\n", "has no host", true},
		{"rules:\n  - packages: p\n    urls: [http://z.example/, '*.pdf']\n    access: restricted\n", "hosts or paths",
			false},
		{"rules:\n  - packages: p\n    captured: {from: 2025-02-30}\n    access: restricted\n", "line 3", false},
		{"rules:\n  - packages: p\n    asked: {from: 2026-01-02, to: 2026-01-01}\n    access: " +
			"restricted\n", "is before its beginning",
			false},
		{"rules:\n  - packages: p\n    younger-than: soon\n    access: restricted\n", "is not a duration", false},
		{"rules:\n  - packages: p\n    digests: [md5:xyz]\n    access: restricted\n", "digest", false},
		{"rules:\n  - packages: p\n    types: [pdf]\n    access: restricted\n", "media type", false},
		{"rules:\n  - packages: p\n    scans: [dirty]\n    access: " +
			"restricted\n", "must be clean, infected, incomplete or not-scanned", false},
		{"rules:\n  - packages: p\n    access: open\n    hidden: true\n", "open content cannot be hidden", false},
		{"rules:\n  - packages: p\n    except: [/x]\n    urls: [a.example]\n    access: restricted\n", "has no host",
			false},
		{"rules:\n  - packages: []\n    access: restricted\n", "line 2", true},
		{"rules:\n  - packages: p\n    access: restricted\nother: x\n", "unknown key", true},
		{"rules: yes\n", "no list", true},
		{"rules:\n", "no list", true},
		{"", "empty", true},
		{"rules:\n  - packages: [p\n", "line", true},
		{"rulez: []\n", "unknown key", true},
	} {
		s, err := Read(strings.NewReader(c.text), "rules.yaml")
		if err == nil || !strings.Contains(err.Error(), c.told) {
			t.Errorf("%q: %v", c.text, err)
		}
		if a := s.Judge(question()); a.Verdict.Strictness() < Restricted.Strictness() || a.Message == "" ||
			a.Why == "" {
			t.Errorf("%q leaves its subject open: %+v", c.text, a)
		}
		if a := s.Judge(other); (a.Verdict != "") != c.other {
			t.Errorf("%q: another is %+v", c.text, a)
		}
	}
}

// TestLive: a changed file applies at once; while it is invalid, everything that it may close is
// closed; and hidden content stays hidden.
func TestLive(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rules.yaml")
	var told []string
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path+".new", []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			t.Fatal(err)
		}
	}
	o := Options{Problem: func(err error) { told = append(told, err.Error()) }}
	if _, err := Follow(path, o); err == nil {
		t.Error("a file that is not there is taken")
	}
	write("rules: [{access: nobody}]\n")
	if _, err := Follow(path, o); err == nil {
		t.Error("a file with an error is taken")
	}
	write("rules: [{packages: p, access: blocked, hidden: true}]\n")
	told = nil
	l, err := Follow(path, o)
	if err != nil {
		t.Fatal(err)
	}
	other := question()
	other.Package = "other"
	if a := l.Now().Judge(question()); a.Verdict != Blocked || !a.Hidden || l.Now().Judge(other).Verdict != "" {
		t.Errorf("%+v", a)
	}
	write("rules: [")
	if a, b := l.Now().Judge(question()), l.Now().Judge(other); !a.Hidden || a.Verdict != Blocked ||
		b.Verdict != Blocked || b.Hidden {
		t.Errorf("while it is wrong: %+v, %+v", a, b)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if a, b := l.Now().Judge(question()), l.Now().Judge(other); !a.Hidden || a.Verdict != Blocked ||
		b.Verdict != Blocked {
		t.Errorf("when it is gone: %+v, %+v", a, b)
	}
	if l.Err() == nil {
		t.Error("nothing is said to be wrong")
	}
	write("rules: []\n")
	if a := l.Now().Judge(question()); a.Verdict != "" || l.Err() != nil {
		t.Errorf("%+v, %v", a, l.Err())
	}
	if len(told) != 3 || !strings.Contains(told[2], "again") {
		t.Errorf("told %q", told)
	}
	if none, err := Follow("", o); err != nil || none.Now().Judge(question()).Verdict != "" {
		t.Errorf("without a file: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("rules:\n  - packages: p\n    urls: ['example,a)/', '*/*.pdf']\n    younger-than: 2y\n    access: blocked\n")
	f.Add("rules: [{access: open, digests: [sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ]}]")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Read(strings.NewReader(text), "rules.yaml")
		if s == nil {
			t.Fatal("no rules and no error")
		}
		s.Judge(question())
		if err == nil {
			for _, r := range s.Rules {
				if r.Access == "" {
					t.Errorf("%q: a rule without a verdict", text)
				}
			}
		}
	})
}
