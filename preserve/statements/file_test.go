package statements

import (
	"fmt"
	"strings"
	"testing"
)

// full has every key of the file format.
const full = `access: onsite
embargo:
  until: 2030-12-31
  reason: agreed with the ministry
copyright:
  status: copyrighted
  jurisdiction: no
  statement: © A
  url: http://a.example/copyright
  holder: A
  from: 2001-01-01
permissions:
  - basis: license
    granted-by: A
    citation: contract 7
    terms: for research
    from: 2007-01-01
    to: 2029-12-31
    document: https://a.example/contract.pdf
    note: by letter
  - basis: statute
    citation: Legal Deposit Act
    jurisdiction: nz
    document: file 12
    allows: [harvest, keep]
note: see the board's minutes
rules:
  - urls: [http://a.example/staff/, "*/*.pdf"]
    except: http://a.example/staff/head/
    access: restricted
  - harvest: job-7
    embargo: {until: 2026-01-01, access: onsite}
words:
  Ouvert  à tous: open
`

func TestReadFile(t *testing.T) {
	f, err := ReadFile(strings.NewReader(full), "rights.yaml")
	if err != nil {
		t.Fatal(err)
	}
	all, err := f.Statements([]string{"job-6", "job-7"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`{ copyright  no copyrighted  2001-01-01  [{URL http://a.example/copyright}] [© A] A {0 [] []} [] [] false ` +
			`rights.yaml, line 6}`,
		`{ license contract 7   for research 2007-01-01 2029-12-31 [{URL https://a.example/contract.pdf}] [by ` +
			`letter] A {0 [] []} ` +
			`[{harvest  2007-01-01 2029-12-31 } {preserve  2007-01-01 2029-12-31 } {disseminate  2007-01-01 ` +
			`2029-12-31 }] [] false rights.yaml, line 13}`,
		`{ statute Legal Deposit Act nz     [{file reference file 12}] []  {0 [] []} [{harvest    } {preserve    }] ` +
			`[] false rights.yaml, line 21}`,
		`{ other policy of the institution      [] []  {0 [http://a.example/staff/ */*.pdf] ` +
			`[http://a.example/staff/head/]} [{disseminate restricted   }] [] false rights.yaml, line 30}`,
		`{ other policy of the institution      [] []  {2 [] []} [{disseminate onsite  2026-01-01 embargo until ` +
			`2026-01-01}] [] false rights.yaml, line 32}`,
		`{ other policy of the institution      [] [see the board's minutes]  {0 [] []} [{disseminate restricted  ` +
			`2030-12-31 embargo until 2030-12-31: agreed with the ministry} ` +
			`{disseminate onsite 2031-01-01  behind the embargo}] [] false rights.yaml, line 1}`,
	}
	for i, s := range all {
		if got := fmt.Sprint(s); i >= len(want) || got != want[i] {
			t.Errorf("%d: %s", i, got)
		}
	}
	if len(all) != len(want) {
		t.Errorf("%d statements; want %d", len(all), len(want))
	}
	if z, _ := f.Words.zone("OUVERT à tous"); z != "open" {
		t.Errorf("the institution's words mean %q", z)
	}
}

func TestReadFileRefuses(t *testing.T) {
	for _, c := range []struct{ name, doc, want string }{
		{"an unknown key", "acces: open\n", "line 1, acces: unknown key"},
		{"an unknown key of a permission", "permissions:\n- basis: license\n  by: A\n",
			"line 3, permissions, no. 1, by: unknown key"},
		{"an unknown zone", "access: public\n", `line 1, access: "public" is not one of open, onsite, restricted`},
		{"an embargo without end", "access: open\nembargo: {reason: x}\n", "line 2, embargo: until is missing"},
		{"an embargo that opens", "access: restricted\nembargo:\n  until: 2030-01-01\n  access: open\n",
			"line 3, embargo: the embargo is no stricter than access"},
		{"no day", "embargo: {until: 2030}\n", `"2030" is not a day`},
		{"a permission without basis", "permissions: [{granted-by: A}]\n", "basis is missing"},
		{"a statute without jurisdiction", "permissions: [{basis: statute, citation: A}]\n",
			"a statute needs its citation and its jurisdiction"},
		{"a license of a country", "permissions: [{basis: license, granted-by: A, jurisdiction: nz}]\n",
			"jurisdiction applies only to a statute"},
		{"an empty license", "permissions: [{basis: license}]\n", "the license has no details"},
		{"a policy without name", "permissions: [{basis: other}]\n", "citation is missing"},
		{"terms of a statute", "permissions: [{basis: statute, citation: A, jurisdiction: b, terms: c}]\n",
			"terms apply only to a license"},
		{"an end before the begin",
			"permissions: [{basis: license, granted-by: A, from: 2030-01-01, to: 2029-12-31}]\n",
			"the end (2029-12-31) is before the beginning"},
		{"an unknown act", "permissions: [{basis: license, granted-by: A, allows: [sell]}]\n",
			`"sell" is not harvest, keep or show`},
		{"an act twice", "permissions: [{basis: license, granted-by: A, allows: [show, show]}]\n",
			"duplicate show"},
		{"a rule about nothing", "rules: [{access: open}]\n", "the rule has no scope"},
		{"a rule that says nothing", "rules: [{urls: a}]\n", "the rule has no statement"},
		{"rules in rules", "rules: [{urls: a, access: open, rules: []}]\n", "rules, no. 1, rules: unknown key"},
		{"hosts or paths", "rules: [{urls: '*.pdf', access: restricted}]\n",
			`"*.pdf" can mean hosts or paths: write http://*.pdf/ for hosts, */*.pdf for the`},
		{"an exception of hosts or paths", "rules: [{urls: a, except: '*.pdf', access: restricted}]\n",
			"can mean hosts or paths"},
		{"a path of no host", "rules: [{urls: [/staff/], access: restricted}]\n",
			`"/staff/" has no host: write http://a.example/staff/, or */staff/* for every host`},
		{"a word for no zone", "words: {Ouvert: ouvert}\n", "is not one of open, onsite, restricted"},
		{"nothing", "{}\n", "no statement"},
		{"no mapping", "open\n", "is no mapping"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ReadFile(strings.NewReader(c.doc), "rights.yaml")
			if err == nil || !strings.Contains(err.Error(), c.want) ||
				!strings.HasPrefix(err.Error(), "reading rights.yaml: ") {
				t.Errorf("error %v; want %q", err, c.want)
			}
		})
	}
}

func TestStatementsOfHarvests(t *testing.T) {
	for _, c := range []struct {
		name     string
		harvests []string
		want     int
		err      string
	}{
		{"b", []string{"a", "b"}, 2, ""},
		{"2", []string{"a", "b"}, 2, ""},
		{"2", []string{"a", "b", "2"}, 3, ""}, // the system's own name has priority
		{"a", []string{"a", "a"}, 0, "several harvests have the name"},
		{"3", []string{"a", "b"}, 0, `rights.yaml, line 1: the package has no harvest "3", but a, b`},
	} {
		f, err := ReadFile(strings.NewReader("rules: [{harvest: "+c.name+", access: open}]\n"), "rights.yaml")
		if err != nil {
			t.Fatal(err)
		}
		all, err := f.Statements(c.harvests)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s of %v: %v", c.name, c.harvests, err)
			}
			continue
		}
		if err != nil || all[0].Scope.Harvest != c.want {
			t.Errorf("%s of %v: %+v, %v", c.name, c.harvests, all, err)
		}
	}
}

func FuzzReadFile(f *testing.F) {
	f.Add(full)
	f.Add("a: &a [*a, *a]\naccess: *a\n")
	f.Add("permissions: [{basis: license, granted-by: A, from: 2030-01-01, to: 9999-12-31}]\nembargo: {until: " +
		"9999-12-31}\n")
	f.Fuzz(func(t *testing.T, doc string) {
		file, err := ReadFile(strings.NewReader(doc), "x")
		if err != nil {
			return
		}
		all, err := file.Statements([]string{"a"})
		if err != nil {
			return
		}
		again(t, all)
	})
}
