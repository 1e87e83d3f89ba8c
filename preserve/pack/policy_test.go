package pack

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"quire/internal/clamdtest"
	"quire/internal/prove"
	"quire/internal/testsamples"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/identify"
	"quire/preserve/policy"
)

// policies returns policies with all possible rules.
func policies() []string {
	all := []string{
		"copies: 3\nfixity_interval: 90 days\n",
		"containers: {formats: [WARC/1.0]}\n", "containers: {formats: [ARC, WARC/1.1]}\n",
		"containers: {formats: [mirror]}\n", "containers: {compression: [gzip]}\n",
		"findings: {at_most: none}\n", "findings: {at_most: info, allow: [WARC-DATE]}\n",
		"findings: {at_most: warning}\n", "findings: {forbid: [WARC-TRUNCATED]}\n",
		"formats: {accept: ['text/*']}\n", "formats: {refuse: [unknown, fmt/4]}\n",
		"formats: {accept: [fmt/96]}\nfindings: {at_most: none}\n",
		"viruses: {infected: refuse}\n",
	}
	rules, scopes := map[string]string{}, []string(nil)
	for i, rule := range []struct{ scope, when string }{
		{"package", "pkg.records > 0"},
		{"package", "pkg.files > 2 && pkg.bytes > 100 && pkg.id != '' && pkg.title != ''"},
		{"package", "pkg.first.year < 2024 || pkg.last.year > 2023"},
		{"package", "scan.asked"}, {"package", "scan.outcome == 'infected' || scan.outcome == ''"},
		{"harvest", "harvest.system != ''"}, {"harvest", "harvest.containers > 0 && harvest.records > 0"},
		{"harvest", "harvest.id == ''"},
		{"harvest", "harvest.software.exists(s, s.startsWith('Boat'))"}, {"harvest", "'Ada' in harvest.operators"},
		{"harvest", "harvest.robots.size() + harvest.user_agents.size() + harvest.seeds.size() > 0"},
		{"harvest", "harvest.start <= harvest.end && harvest.start.year == 2024"},
		{"harvest", "harvest.documentation == 'absent'"},
		{"container", "container.received != container.format"},
		{"container", "container.bytes < container.inflated_bytes || container.records > 1"},
		{"container", "container.outcome == 'valid' && container.errors == 0"},
		{"container", "container.first.year > 2000 && container.last.year > 2000"},
		{"container", "'1.0' in container.versions"},
		{"container", "container.codes.size() > 0 || container.warnings > 0"},
		{"container", "container.software == 'Boat/2.0' && container.path.endsWith('.warc')"},
		{"container", "container.compression == 'gzip'"},
		{"container", "harvest.dated"}, {"container", "scan.scanned > 0 || scan.infected > 0 || scan.not_scanned > 0"},
		{"container", "!scan.asked"},
		{"finding", "finding.severity == 'error'"}, {"finding", "finding.count > 0 && finding.code.startsWith('WARC')"},
		{"format", "format.puid == 'fmt/4' && harvest.start.year < 2000"},
		{"format", "format.count > 0 && format.bytes > 0"},
		{"format", "format.mime.startsWith('text') || 'text/html' in format.mimes || format.name == ''"},
		{"record", "record.type == 'response'"}, {"record", "record.status == 200 && record.mime == 'text/html'"},
		{"record", "harvest.start.year == record.date.year"},
		{"record", "record.dated && record.date < harvest.end"}, {"record", "!record.sound || !record.digests_fit"},
		{"record", "record.bytes > 3 && record.offset >= 0 && record.uri != ''"},
		{"record", "format.puid != '' && harvest.system == 'bare-containers'"},
		{"record", "record.truncated != '' || record.segment"},
		{"record", "record.host.matches('example$') && record.id.contains('urn') && record.content_type != ''"},
	} {
		of := rule.scope
		if strings.Contains(rule.when, "format") || strings.Contains(rule.when, "harvest") {
			of += " and more" // facts that need a separate determination differ
		}
		if rules[of] == "" {
			scopes = append(scopes, of)
		}
		rules[of] += fmt.Sprintf("  - {id: r%d, scope: %s, severity: %s, message: m, when: %q}\n", i, rule.scope,
			[]string{"refuse", "warn", "note"}[i%3], rule.when)
	}
	for _, of := range scopes {
		all = append(all, "rules:\n"+rules[of])
	}
	tool := "tools: [{label: size, formats: [fmt/4, fmt/96, unknown], command: [wc, -c, '{input}'], version: [wc, " +
		"--version], facts: {small: output.startsWith('43 ')}}]\nrules: [{id: t, scope: record, severity: warn, " +
		"message: m, when: %q}]\n"
	for _, when := range []string{"tool.size.small", "!tool.size.small && harvest.start.year == 2024"} {
		all = append(all, fmt.Sprintf(tool, when))
	}
	return all
}

// policyOf writes a policy to a file, and reads it.
func policyOf(t *testing.T, doc string) (string, *policy.Policy) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "level.yaml")
	if err := os.WriteFile(file, []byte("name: level\ntitle: A level\n"+doc), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := policy.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return file, p
}

// agree packs a source by a policy, and judges the package again.
func agree(t *testing.T, doc string, o Options, sources ...string) *policy.Judgement {
	t.Helper()
	file, p := policyOf(t, doc)
	o.Out, o.Policy, o.Documents = filepath.Join(t.TempDir(), "package"), p, []string{file}
	r, err := Pack(context.Background(), sources, o)
	if err != nil {
		t.Fatalf("%s: %v", doc, err)
	}
	again, err := policy.JudgePackage(context.Background(), o.Out, p,
		policy.Options{TempDir: t.TempDir(), Identify: o.Identify})
	if err != nil {
		t.Fatalf("%s: %v", doc, err)
	}
	if !reflect.DeepEqual(r.Policy, again) {
		t.Errorf("%s: packing judges\n%s\nand the later check\n%s", doc, strings.Join(r.Policy.Notes(), "\n"),
			strings.Join(again.Notes(), "\n"))
	}
	return again
}

func TestPackAndValidateAgree(t *testing.T) {
	prove.Serial(t)
	undated := strings.Replace(good, "WARC-Date: 2024-01-02T03:04:05Z\r\n", "", -1)
	gif := record("resource",
		"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff,"+
			"\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;", "WARC-Target-URI: http://x.example/a.gif",
		"Content-Type: image/gif")
	page := record("response",
		"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n<!DOCTYPE html><html><head><title>x</title></head><body>"+
			"y</body></html>", "WARC-Target-URI: http://x.example/page", "Content-Type: application/http")
	old := arcFile("1 0 Boat", "",
		arcRecord("http://x.example/ 1.2.3.4 19990102030405 text/html", "HTTP/1.0 200 OK\r\n\r\n<html></html>"))
	clamd := clamdtest.Start(t, clamdtest.Options{})
	sources := map[string]func() (Options, string){
		"containers": func() (Options, string) {
			return options(t), crawlOf(t, map[string]string{"a.warc": good + gif + page, "b.warc": broken,
				"crawl.log": "?"})
		},
		"an ARC": func() (Options, string) {
			return options(t), crawlOf(t, map[string]string{"a.arc": old, "b.warc": good})
		},
		"a mirror": func() (Options, string) { return options(t), crawlOf(t, aMirror()) },
		"undated":  func() (Options, string) { return options(t), crawlOf(t, map[string]string{"a.warc": undated}) },
		"a container": func() (Options, string) {
			return options(t), crawlOf(t, map[string]string{"none.warc": "nothing\n", "a.warc": good})
		},
		"hostile": func() (Options, string) {
			files := map[string]string{}
			for name, content := range hostile {
				file, _, _ := strings.Cut(name, ":")
				files[file] = content
			}
			o := options(t)
			o.Title = "a\x00b\xff"
			return o, crawlOf(t, files)
		},
		"full": func() (Options, string) {
			o := options(t)
			o.Profile, o.METS = Full, InDocuments // which are no files of the source, and are not counted
			return o, crawlOf(t, map[string]string{"a.warc": good + gif + page, "a.arc": old, "b.warc": broken})
		},
		"legacy": func() (Options, string) {
			o := options(t)
			o.SchemaVersion = Legacy
			return o, crawlOf(t, map[string]string{"a.warc": good, "a.arc": old})
		},
		"infected": func() (Options, string) {
			o := options(t)
			o.Scan = scannerAt(t, clamd.Address, true)
			return o, crawlOf(t, map[string]string{"a.warc": good,
				"b.warc": good + record("resource", clamdtest.EICAR(), "WARC-Target-URI: http://x.example/e",
					"Content-Type: text/plain")})
		},
	}
	id, err := identify.New(identify.Options{}) // one for all, because it is slow to make
	if err != nil {
		t.Fatal(err)
	}
	cleaned := sources["infected"]
	sources["cleaned"] = func() (Options, string) {
		o, dir := cleaned()
		o.Cleaner = cleanerOf(t, `echo harmless >"$2"`)
		return o, dir
	}
	outcomes := map[policy.Outcome]int{}
	for name, source := range sources {
		t.Run(name, func(t *testing.T) {
			o, dir := source()
			o.Identify = id
			for _, doc := range policies() {
				outcomes[agree(t, doc, o, dir).Outcome]++
			}
		})
	}
	if outcomes[policy.Accepted] < 30 || outcomes[policy.Refused] < 30 || outcomes[policy.Warned] == 0 {
		t.Errorf("the policies do not distinguish the packages: %v", outcomes)
	}
}

// The METS elements on a judgement.
func TestPackageIsMarked(t *testing.T) {
	file,
		p := policyOf(t,
		"findings: {forbid: [WARC-TRUNCATED]}\ncopies: 3\nfixity_interval: 1 year\nrules: [{id: old, scope: record, "+
			"severity: warn, message: It is old., when: record.date.year < 2025}]\n")
	for _, version := range []SchemaVersion{Current, Legacy} {
		o := options(t)
		o.Policy, o.Documents, o.SchemaVersion = p, []string{file}, version
		r := mustPack(t, o, crawlOf(t, map[string]string{"a.warc": good, "b.warc": broken}))
		if r.Policy.Outcome != policy.Refused || r.Policy.Copies != 3 || r.Policy.FixityInterval != "1 year" {
			t.Errorf("judged %+v", r.Policy)
		}
		mets := read(t, o.Out, "mets.xml")
		for _, want := range []string{
			`ID="EVT-policy"`, ">policy assignment</premis:eventType>", ">fail</premis:eventOutcome>",
			"judged by the policy level (A level), file with SHA-512 " + p.SHA512,
			"refuse findings.forbid: broken by 1 kind of finding (no container has a finding WARC-TRUNCATED)",
			"findings.forbid: containers/b.warc at byte ",
			"warn old: broken by 4 records (It is old.)", "to be kept in 3 copies",
			"each copy to be read again every year",
			">level</premis:preservationLevelValue>", ">requirement</premis:preservationLevelRole>",
			"documentation/level.yaml",
		} {
			if !strings.Contains(mets, want) {
				t.Errorf("the METS does not say %q", want)
			}
		}
		linked(t, readBack(t, o.Out))
		check(t, o.Out, aip.Options{})
		t.Run("schemas", func(t *testing.T) { check(t, o.Out, aip.Options{Schemas: testsamples.Path(t, "schemas")}) })
	}
}

// TestToolsInTheMETS checks that tools of a policy are agents of its event, with their versions and
// counts.
func TestToolsInTheMETS(t *testing.T) {
	pdf := func(s string) string {
		return record("resource", "%PDF-1.4\n"+s+"\n%%EOF\n", "WARC-Target-URI: http://x.example/"+s,
			"Content-Type: application/pdf")
	}
	file, p := policyOf(t, `
tools:
- {label: checker, formats: [fmt/18], command: [sh, -c, 'cat {input.pdf}'], version: [echo, checker 2.1],
  facts: {bad: output.contains("BAD")}}
- {label: gone, formats: [fmt/18], command: [validator-not-here, '{input.pdf}'], version: [validator-not-here, -v],
  facts: {bad: output == "bad"}}
rules:
- {id: conforms, scope: record, severity: refuse, message: PDFs conform., when: tool.checker.bad}
- {id: also, scope: record, severity: warn, message: They do., when: tool.gone.bad}
`)
	for _, version := range []SchemaVersion{Current, Legacy} {
		o := options(t)
		o.Policy, o.Documents, o.SchemaVersion = p, []string{file}, version
		r := mustPack(t, o, crawlOf(t, map[string]string{"a.warc": good + pdf("good") + pdf("BAD"),
			"b.warc": pdf("BAD")}))
		if r.Policy.Outcome != policy.Refused || r.Policy.Tools[0].Run != 2 || r.Policy.Tools[0].Repeated != 1 {
			t.Errorf("judged %+v", r.Policy)
		}
		mets := read(t, o.Out, "mets.xml")
		for _, want := range []string{
			`ID="AGT-tool-checker"`, ">checker</premis:agentName>", "checker 2.1", "command: sh -c cat {input.pdf}",
			"refuse conforms: broken by 2 records (PDFs conform.)",
			"conforms: containers/a.warc at byte ", ": http://x.example/BAD; tool.checker.bad is true",
			"tool checker (sh, version checker 2.1): run on 2 bytestreams, 1 with the same bytes",
			"warn also: not-judged; not judged for 3 records: tool.gone.bad is not known: " +
				"the tool gone was not run: exec: ",
			"tool gone: run on 0 bytestreams, 3 not run; the first reason: exec: ",
			"tool gone: containers/a.warc at byte ",
		} {
			if !strings.Contains(mets, want) {
				t.Errorf("the METS does not say %q", want)
			}
		}
		_, rest, _ := strings.Cut(mets, `<mets:digiprovMD ID="EVT-policy">`)
		event, _, _ := strings.Cut(rest, "</mets:digiprovMD>")
		if !strings.Contains(event, "AGT-tool-checker<") || strings.Contains(mets, "AGT-tool-gone") {
			t.Error("the event does not name the tool that ran, or an agent stands for one that did not")
		}
		linked(t, readBack(t, o.Out))
		check(t, o.Out, aip.Options{})
		t.Run("schemas", func(t *testing.T) { check(t, o.Out, aip.Options{Schemas: testsamples.Path(t, "schemas")}) })
	}
}

func TestRefusedIsNotMadeWhereThePolicySaysStop(t *testing.T) {
	_, p := policyOf(t, "on_refusal: stop\nfindings: {at_most: warning}\n")
	o := options(t)
	o.Policy = p
	_, err := Pack(context.Background(), []string{crawlOf(t, map[string]string{"b.warc": broken})}, o)
	var refused *policy.Error
	if !errors.As(err, &refused) || refused.Judgement.Outcome != policy.Refused ||
		!strings.Contains(err.Error(), "containers/b.warc at byte") {
		t.Fatalf("error %v", err)
	}
	if left, err := os.ReadDir(filepath.Dir(o.Out)); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	mustPack(t, o, crawlOf(t, map[string]string{"b.warc": good}))
}

// If a policy requires a virus check but no scanner is set, the call ends before anything is read.
func TestPolicyAsksForAScanner(t *testing.T) {
	_, p := policyOf(t, "viruses: {scan: required}\n")
	o := options(t)
	o.Policy = p
	o.Start = func(int64) { t.Error("reading began") }
	if _, err := Pack(context.Background(), []string{crawlOf(t, map[string]string{"b.warc": good})}, o); !errors.Is(err,
		policy.ErrScan) {
		t.Errorf("error %v", err)
	}
	clamd := clamdtest.Start(t, clamdtest.Options{})
	o = options(t)
	o.Scan = scannerAt(t, clamd.Address, true)
	if got := agree(t, "viruses: {scan: complete, infected: refuse}\n", o,
		crawlOf(t, map[string]string{"b.warc": good})); got.Outcome != policy.Accepted {
		t.Errorf("judged %v", got.Notes())
	}
	clamd.Stop()
	if got := agree(t, "viruses: {scan: required}\n", o,
		crawlOf(t, map[string]string{"b.warc": good})); got.Outcome != policy.Refused {
		t.Errorf("judged %v", got.Notes())
	}
}

// ScanOf reads the output of checked.
func TestScanOfTheEvent(t *testing.T) {
	o := options(t)
	b, err := newBuilder(t.TempDir(), []string{"x"}, o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := b.close(); err != nil {
			t.Error(err)
		}
	}()
	b.infections.containers = []*infectedContainer{{n: 2, cleaned: 3}, {n: 3, cleaned: 1}}
	for n, cleaned := range map[int]int64{2: 3, 3: 1} {
		got, err := policy.ScanOf(b.virusCheck(packed{N: n,
			Container: &model.Container{Scan: &model.Scan{Outcome: model.ScanInfected, Scanned: 12, Infected: 3,
				NotScanned: 1}}}))
		if as := (policy.Scan{Outcome: model.ScanInfected, Scanned: 12, Infected: 3, Cleaned: cleaned,
			NotScanned: 1}); err != nil || *got != as {
			t.Errorf("%d cleaned: read as %+v (%v)", cleaned, got, err)
		}
	}
	for _, want := range []model.Scan{
		{Outcome: model.ScanClean, Scanned: 1}, {Outcome: model.ScanClean, Scanned: 12},
		{Outcome: model.ScanIncomplete, Scanned: 1, NotScanned: 3},
		{Outcome: model.ScanIncomplete, Scanned: 4, NotScanned: 1},
		{Outcome: model.ScanInfected, Scanned: 10, Infected: 1, NotScanned: 0},
		{Outcome: model.ScanInfected, Scanned: 10, Infected: 2, NotScanned: 7},
		{Outcome: model.ScanNotDone, NotScanned: 1}, {Outcome: model.ScanNotDone, NotScanned: 5},
	} {
		got, err := policy.ScanOf(b.virusCheck(packed{N: 1, Container: &model.Container{Scan: &want}}))
		if as := (policy.Scan{Outcome: want.Outcome, Scanned: want.Scanned, Infected: want.Infected,
			NotScanned: want.NotScanned}); err != nil || *got != as {
			t.Errorf("%+v was read as %+v (%v)", want, got, err)
		}
	}
}
