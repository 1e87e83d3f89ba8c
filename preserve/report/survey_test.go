package report

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"quire/model"
	"quire/source/survey"
)

func surveyed() *survey.Survey {
	return &survey.Survey{
		Sources: []string{"delivery"},
		Harvests: []survey.HarvestSurvey{{
			System: "heritrix", Path: "delivery/job", Root: "job",
			Why: []string{"job/crawl.log is a crawl log", "a", "b", "c"},
			ID:  "job", Title: "Boats", Collection: "Boats", Note: "every\n      \tday",
			Software: "Heritrix \x1b[31m1.14", Operator: "Ann", Contact: "ann@a.example",
			Seeds:      []string{"http://a.example/", "http://b.example/", "http://c.example/", "http://d.example/"},
			SeedsTotal: 1200,
			Scope:      []string{"rule 1", "rule 2", "rule 3"}, ScopeTotal: 12,
			Rights: model.Rights{
				Permissions: []model.Permission{{State: "Granted", Basis: "Legal deposit",
					Patterns: []string{"http://*.nz/*"}, Start: "2006-08-12", AccessStatus: "Open access",
					Agent: "the Crown", Contact: "Mr Kahu", Source: "METS.xml"}},
				Access: []model.Access{{Of: "target", Zone: model.Onsite, Written: "1 Onsite", Displayed: "false",
					Note: "by\n request"}},
			},
			Description: model.Description{
				Fields: []model.DescriptiveField{{Field: model.Field{Name: "dc:creator", Value: "Kahu"},
					Source: "METS.xml"}}, Groups: []model.Group{{Name: "Elections"}},
				Versions:    []model.Version{{Number: "2", Note: "pruned"}},
				States:      []model.State{{Name: "archived", Start: "2007-09-01"}},
				Annotations: []model.Annotation{{Of: "target", Who: "joe", Text: "shut down"}},
			},
			Start: time.Date(2007, 8, 13, 8, 0, 23, 0, time.UTC), End: time.Date(2007, 8, 13, 8, 9, 59, 0, time.UTC),
			EndReason: "Finished", Documentation: model.Documented,
			Files: []survey.RoleCount{{Role: model.RoleContainer, Count: 2, Bytes: 5},
				{Role: model.RoleLog, Count: 1, Bytes: 2}}, FilesTotal: 3, BytesTotal: 7,
			Restricted: []survey.Restricted{{Path: "job/order.xml", Why: "holds a password"}},
			Outcomes: &survey.Outcomes{Total: 4, Captured: 1, Duplicates: 1,
				Missed: []survey.MissCount{{Reason: model.MissRobots, Count: 2}, {Reason: "else", Count: 1}}},
			Foreign: []survey.Foreign{{Name: "1-1.arc", Duplicates: 7}},
			Missing: []string{"file://./arcs/x.arc"},
			Overridden: []survey.Overridden{{System: "bare-containers", Root: "job/arcs", Lost: 2,
				Why: "it goes before", Kept: true}},
			Evidence: []model.Evidence{{Fact: "operator", Value: "Ann", Source: "order.xml"}},
			Findings: []model.Finding{{Code: "SOURCE-SECRET", Severity: model.Warning, Path: "job/order.xml",
				Message: "holds a password"},
				{Code: "LOG-LINE", Severity: model.Warning, Path: "job/crawl.log", Offset: 1234, Message: "no status"},
				{Code: "A-B", Severity: model.Error, Message: "first"}},
			Counts: map[string]int64{"SOURCE-SECRET": 1, "LOG-LINE": 9, "A-B": 1},
		}, {System: "wget", Path: "delivery/x.zip/w", Why: []string{"it is"}, Error: "the zip is torn"}},
		Opened:         []survey.File{{Path: "delivery/x.zip", Size: 12345}},
		Unclaimed:      []survey.Unclaimed{{Path: "delivery/note.txt", Size: 1, Why: "no reader knows it"}},
		UnclaimedTotal: 3,
		Findings: []model.Finding{{Code: "SOURCE-PATH", Severity: model.Error, Path: "delivery/x.zip", Offset: 5,
			Message: `"../x" leads out of the source`},
			{Code: "SOURCE-ALIAS", Severity: model.Info, Path: "delivery", Message: `"latest" is a link to "1"`},
			download("a"), download("b"), download("c"), download("d")},
	}
}

func download(name string) model.Finding {
	return model.Finding{Code: "SOURCE-DOWNLOAD", Severity: model.Warning, Path: name, Message: "in doubt"}
}

const surveyText = `2 harvests in delivery

1  Heritrix, job
  where      delivery/job
  title      Boats
  note       every day
  run        2007-08-13 08:00:23 to 2007-08-13 08:09:59 UTC
  end reason Finished
  software   Heritrix \x1b[31m1.14
  operator   Ann, ann@a.example
  seeds      1,200: http://a.example/  http://b.example/  http://c.example/  and 1,197 more
  scope      rule 1
             rule 2
             rule 3
             and 9 more
  permission Granted, Legal deposit, for http://*.nz/*, from 2006-08-12, Open access, by the Crown
  access     target, 1 Onsite, not listed, by request
  described  in 5 statements of its system, which --verbose shows
  documented yes: configuration and log are present
  files      3, 7 bytes: 2 containers, 1 log
  URLs       4 lines of the log: 1 captured, of them 1 duplicate with content of another record
  not got    2 forbidden by robots.txt
             1 else
  depends on 1 container of another harvest, for 7 duplicates that were not stored again
  missing    file://./arcs/x.arc
  restricted job/order.xml: holds a password
  because    job/crawl.log is a crawl log
             a
             b
             and 1 more
  and not    ARC or WARC files alone in job/arcs, 2 files: it goes before; it retains its other files
  error      A-B  first
  warning    LOG-LINE  job/crawl.log, byte 1,234: no status
             and 8 findings more of these kinds

2  wget
  where      delivery/x.zip/w
  because    it is
  unread     the zip is torn

Opened: 1 archive with harvests
  delivery/x.zip, 12.3 kB

In no harvest: 3 files
  delivery/note.txt, 1 byte: no reader knows it
  and 2 more

Links within the source
  info       SOURCE-ALIAS  delivery: "latest" is a link to "1"

Containers within a website
  warning    SOURCE-DOWNLOAD  a: in doubt
  warning    SOURCE-DOWNLOAD  b: in doubt
  warning    SOURCE-DOWNLOAD  c: in doubt
             and 1 finding more of these kinds

Refused
  error      SOURCE-PATH  delivery/x.zip, byte 5: "../x" leads out of the source
`

func TestSurveyForPeople(t *testing.T) {
	var b bytes.Buffer
	if err := Survey(&b, surveyed(), TextOptions{}); err != nil {
		t.Fatal(err)
	}
	if b.String() != surveyText {
		t.Errorf("got\n%s\nwant\n%s", b.String(), surveyText)
	}
	b.Reset()
	if err := Survey(&b, surveyed(), TextOptions{All: true}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\n             c\n", "\n  evidence\n    operator = Ann   [order.xml]\n",
		"by the Crown   [METS.xml]\n",
		"  described  dc:creator Kahu   [METS.xml]\n             part of Elections\n             version 2, pruned\n " +
			"            state archived, from 2007-09-01\n             note on the target, by joe, shut down\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	b.Reset()
	if err := Survey(&b, &survey.Survey{Sources: []string{"x"}}, TextOptions{}); err != nil ||
		b.String() != "No harvest recognized in x.\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
}
