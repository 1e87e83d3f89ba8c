package heritrix

import (
	"slices"
	"strings"
	"testing"
	"time"

	"quire/internal/archivefs"
	"quire/internal/prove"
	"quire/model"
	"quire/source"
	"quire/source/internal/facts"
	"quire/source/internal/sourcetest"
	"quire/source/internal/xmltree"
)

// folder writes files and opens them as a source.
func folder(t testing.TB, files map[string]string) *archivefs.Tree {
	t.Helper()
	dir := sourcetest.Write(t, "job-7", files)
	return sourcetest.Open(t, dir)
}

func fetchesOf(t testing.TB, h source.Harvest) (all []model.Fetch, findings []model.Finding) {
	t.Helper()
	for f, err := range h.Fetches(t.Context(), func(f model.Finding) { findings = append(findings, f) }) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, f)
	}
	return all, findings
}

// evidence returns the sources of a fact, in order.
func evidence(h source.Harvest, fact string) []string {
	var all []string
	for _, e := range h.About().Evidence {
		if e.Fact == fact {
			all = append(all, e.Value+" | "+e.Source)
		}
	}
	return all
}

func codesOf(findings []model.Finding) []string {
	var all []string
	for _, f := range findings {
		all = append(all, f.Code+" "+f.Path)
	}
	return all
}

func equal[T comparable](t testing.TB, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got %v\nwant %v", what, got, want)
	}
}

const order = `<?xml version="1.0" encoding="UTF-8"?>
<crawl-order><meta><name>default_orderxml</name><description>Default</description><operator>Admin</operator>` +
	`<organization/>
<date>20080118111217</date></meta>
<controller>
 <long name="max-bytes-download">0</long><long name="max-time-sec">3600</long>
 <newObject name="scope" class="org.archive.crawler.deciderules.DecidingScope">
  <string name="seedsfile">C:\job\start.txt</string>
  <newObject name="decide-rules" class="org.archive.crawler.deciderules.DecideRuleSequence"><map name="rules">
   <newObject name="no" class="RejectDecideRule"/>
   <newObject name="yes" class="MatchesListRegExpDecideRule"><string name="decision">ACCEPT</string>` +
	`<stringList name="regexp-list"><string>a.*</string><string>b</string></stringList></newObject>
  </map></newObject>
 </newObject>
 <map name="http-headers"><string name="user-agent">Mozilla/5.0 (compatible; heritrix/1.12.1 +http://netarkivet.dk/)
  </string><string name="from">a@b.dk</string></map>
 <newObject name="robots-honoring-policy" class="R"><string name="type">ignore</string></newObject>
 <map name="pre-fetch-processors"><newObject name="Q" class="org.archive.crawler.prefetch.QuotaEnforcer">
  <long name="host-max-all-kb">-1</long><long name="group-max-all-kb">489</long></newObject></map>
 <newObject name="credential-store" class="C"><map name="credentials">CREDENTIALS</map></newObject>
</controller></crawl-order>`

func TestVersion1(t *testing.T) {
	withLogin := strings.Replace(order, "CREDENTIALS",
		`<newObject name="shop" class="Rfc2617Credential"><string name="password">hunter2</string></newObject>`, 1)
	tr := folder(t, map[string]string{
		"order.xml": withLogin,
		"start.txt": "# seeds\nwww.kb.dk\r\n  http://netarkivet.dk/ \n+http://(dk,\n",
		"logs/crawl.log.000031": "2012-12-19T19:18:33.671Z     1         58 dns:a P http://a/ text/dns #050 " +
			"20121219191833396+46 sha1:M756PWSZD4RQ4KFHS6BU4MGVWZY53ISU - -\n" +
			"no line\n",
		"logs/crawl.log": "2012-12-19T19:18:35.402Z   301          0 http://a/ - - text/html #048 " +
			"20121219191834967+430 sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ http://a/ content-size:269,3t\n",
		"logs/crawl.log.cp00002-2012": "2012-12-19T19:18:34.500Z    -9998       - http://b/ L http://a/ - #001 - - " +
			"- -\n",
		"logs/progress-statistics.log": "20121219191830 CRAWL RESUMED - Running\n timestamp discovered\n" +
			"20121219193838 CRAWL ENDING - Finished\n20121219193839 CRAWL ENDED - Finished - Maximum number of " +
			"documents limit hit\n",
		"crawl-report.txt":   "Crawl Name: default_orderxml\nCrawl Status: Finished\n",
		"crawl-manifest.txt": "L+ C:\\job\\logs\\crawl.log\nL- /x/left-out.log\nL+ /x/gone.log\n",
		"heritrix_dmesg.log": "hello\nWeb console login and password: admin/hunter3\n",
		"settings/dk/a/settings.xml": `<crawl-settings><object name="robots-honoring-policy"><string name="type">` +
			`classic</string></object></crawl-settings>`,
		"arcs/1.arc.gz.open": "",
		"mirror/index.html":  "not ours",
	})
	h := sourcetest.Only(t, Reader{}, tr)
	about := h.About()
	want := model.Harvest{System: model.Heritrix, ID: "job-7", Collection: "default_orderxml", Note: "Default",
		Software: "heritrix/1.12.1",
		Operator: "Admin", Contact: "a@b.dk",
		UserAgent: "Mozilla/5.0 (compatible; heritrix/1.12.1 +http://netarkivet.dk/)", Robots: "ignore",
		Start: time.Date(2012, 12, 19, 19, 18, 30, 0, time.UTC), End: time.Date(2012, 12, 19, 19, 38, 39, 0, time.UTC),
		EndReason: "Finished - Maximum number of documents limit hit", Documentation: model.Documented}
	for _, c := range [][2]any{
		{about.ID, want.ID}, {about.Collection, want.Collection}, {about.Note, want.Note},
		{about.Software, want.Software},
		{about.Operator, want.Operator}, {about.Contact, want.Contact}, {about.UserAgent, want.UserAgent},
		{about.Robots, want.Robots},
		{about.Start, want.Start}, {about.End, want.End}, {about.EndReason, want.EndReason},
		{about.Documentation, want.Documentation},
	} {
		if c[0] != c[1] {
			t.Errorf("got %v, want %v", c[0], c[1])
		}
	}
	equal(t, "seeds", about.Seeds, []string{"www.kb.dk", "http://netarkivet.dk/"})
	equal(t, "scope", about.Scope, []string{
		`scope: org.archive.crawler.deciderules.DecidingScope seedsfile=C:\job\start.txt`,
		"scope/decide-rules: org.archive.crawler.deciderules.DecideRuleSequence",
		"scope/decide-rules/rules/no: RejectDecideRule",
		"scope/decide-rules/rules/yes: MatchesListRegExpDecideRule decision=ACCEPT regexp-list=[a.*, b]",
		"seeds: +http://(dk,",
	})
	equal(t, "limits", about.Limits,
		[]model.Field{{Name: "max-bytes-download", Value: "0"}, {Name: "max-time-sec", Value: "3600"},
			{Name: "group-max-all-kb", Value: "489"}})
	equal(t, "robots of hosts", evidence(h, "robots policy of some hosts"),
		[]string{"classic | settings/dk/a/settings.xml"})
	equal(t, "end", evidence(h, "end"), []string{
		"2012-12-19T19:38:39Z | event CRAWL ENDED in logs/progress-statistics.log",
		"2012-12-19T19:18:35.397Z | end of the latest fetch, column 9 of logs/crawl.log.cp00002-2012, " +
			"logs/crawl.log.000031, logs/crawl.log",
	})
	equal(t, "findings", codesOf(about.Findings), []string{
		CodeUnfinished + " arcs/1.arc.gz.open", source.CodeSecret + " order.xml", CodeListed + " crawl-manifest.txt",
		source.CodeSecret + " heritrix_dmesg.log"})
	for _, f := range about.Findings {
		if strings.Contains(f.Message, "hunter") {
			t.Errorf("the finding repeats the secret: %s", f.Message)
		}
	}
	if f := about.Findings[3]; f.Offset != 6 {
		t.Errorf("the secret is at %d, want 6", f.Offset)
	}
	roles := map[string]model.Role{}
	for _, f := range about.Files {
		roles[f.Path] = f.Role
		if restricted := f.Path == "order.xml" || f.Path == "heritrix_dmesg.log"; restricted != (f.Restricted != "") {
			t.Errorf("%s is restricted: %q", f.Path, f.Restricted)
		}
	}
	for path, role := range map[string]model.Role{"order.xml": model.RoleConfiguration, "logs/crawl.log": model.RoleLog,
		"arcs/1.arc.gz.open": model.RoleContainer,
		"crawl-report.txt":   model.RoleReport, "settings/dk/a/settings.xml": model.RoleConfiguration,
		"heritrix_dmesg.log": model.RoleLog, "mirror/index.html": ""} {
		if roles[path] != role {
			t.Errorf("%s is %q, want %q", path, roles[path], role)
		}
	}
	fetches, findings := fetchesOf(t, h)
	var uris []string
	for _, f := range fetches {
		uris = append(uris, f.URI)
	}
	equal(t, "fetches in the order of the pieces", uris, []string{"http://b/", "dns:a", "http://a/"})
	if len(findings) != 1 || findings[0].Path != "logs/crawl.log.000031" || findings[0].Offset == 0 {
		t.Errorf("findings %v", findings)
	}
}

const cxml = `<beans xmlns="http://www.springframework.org/schema/beans">
<bean id="simpleOverrides" class="org.springframework.beans.factory.config.PropertyOverrideConfigurer">` +
	`<property name="properties"><value>
# text
metadata.operatorContactUrl=http://example.org/crawl
metadata.description = Br\u00f8nsh\
   \u00f8j
crawlLimiter.maxTimeSeconds: 60
acceptSurts.alsoCheckVia=true
</value></property></bean>
<bean id="longerOverrides" class="org.springframework.beans.factory.config.PropertyOverrideConfigurer">` +
	`<property name="properties"><props>
<prop key="seeds.textSource.value">
# URLS HERE
http://example.example/example
</prop></props></property></bean>
<bean id="metadata" class="org.archive.modules.CrawlMetadata"><property name="operatorContactUrl" value="[see ` +
	`override above]"/>
<property name="jobName" value="weekly"/><property name="description" value="[see override above]"/></bean>
<bean id="acceptSurts" class="SurtPrefixedDecideRule"><property name="alsoCheckVia" value="false"/></bean>
<bean id="scope" class="DecideRuleSequence"><property name="rules"><list>
 <bean class="RejectDecideRule"/><ref bean="acceptSurts"/><ref bean="scope"/>
 <bean class="MatchesListRegexDecideRule"><property name="decision" value="REJECT"/><property ` +
	`name="regexList"><list><value>x</value><value>y</value></list></property></bean>
</list></property></bean>
<bean id="crawlLimiter" class="CrawlLimitEnforcer"><property name="maxBytesDownload" value="10"/></bean>
<bean id="sheet"><property name="map"><map><entry key="metadata.robotsPolicyName" value="ignore"/></map>` +
	`</property></bean>
</beans>`

func TestVersion3(t *testing.T) {
	line := "2011-06-23T17:12:08.802Z   200       1299 http://content-5.powells.com/robots.txt LREP " +
		"http://content-5.powells.com/cgi-bin/imageDB.cgi?isbn=9780385518635 text/plain #014 20110623171208574+225 " +
		"sha1:YIUOKDGOLGI5JYHDTXRFFQ5FF4N2EJRV - -\n"
	info := "software: Heritrix/3.2.0 http://crawler.archive.org\r\nhostname: dia\r\n"
	tr := folder(t, map[string]string{
		"weekly/crawler-beans.cxml":                strings.Replace(cxml, "weekly", "edited afterwards", 1),
		"weekly/job.log":                           "INFO Job launched\n",
		"weekly/20110623171200/crawler-beans.cxml": cxml,
		"weekly/20110623171200/logs/crawl.log":     line,
		"weekly/20110623171200/warcs/IAH.warc": "WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Record-ID: " +
			"<urn:uuid:d7ae5c10-e6b3-4d27-967d-34780c58ba39>\r\nWARC-Date: 2011-06-23T17:12:00Z\r\nContent-Type: " +
			"application/warc-fields\r\nContent-Length: 68\r\n\r\n" + info + "\r\n\r\n",
		"weekly/20120101000000/reports/crawl-report.txt": "crawl name: weekly\ncrawl status: Ended by operator\n" +
			"duration: 1s\n",
		"weekly/20120101000000/scratch/tt4http.ris": "",
		"somewhere/else/notes.txt":                  "",
	})
	if n := len(info); n != 68 {
		t.Fatalf("the warcinfo has %d bytes", n)
	}
	claims := sourcetest.Find(t, Reader{}, tr)
	if len(claims) != 2 || claims[0].Root != "weekly/20110623171200" || claims[1].Root != "weekly/20120101000000" {
		t.Fatalf("claims %v", claims)
	}
	for _, c := range claims {
		if !slices.Contains(c.Files, "weekly/job.log") || !slices.Contains(c.Files, "weekly/crawler-beans.cxml") {
			t.Errorf("%s is without the files of its job: %v", c.Root, c.Files)
		}
	}
	h, err := claims[0].Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	about := h.About()
	for _, c := range [][2]string{
		{about.ID, "20110623171200"}, {about.Collection, "weekly"}, {about.Note, "Brønshøj"},
		{about.Contact, "http://example.org/crawl"},
		{about.Software, "Heritrix/3.2.0 http://crawler.archive.org"}, {about.Host, "dia"}, {about.Robots, "obey"},
		{about.UserAgent, "Mozilla/5.0 (compatible; heritrix/3.2.0 +http://example.org/crawl)"},
		{string(about.Documentation), "documented"},
	} {
		if c[0] != c[1] {
			t.Errorf("got %q, want %q", c[0], c[1])
		}
	}
	equal(t, "seeds", about.Seeds, []string{"http://example.example/example"})
	equal(t, "limits", about.Limits,
		[]model.Field{{Name: "maxBytesDownload", Value: "10"}, {Name: "maxTimeSeconds", Value: "60"}})
	if len(about.Scope) < 4 || about.Scope[2] != "scope/acceptSurts: SurtPrefixedDecideRule alsoCheckVia=true" {
		t.Errorf("scope %q", about.Scope)
	}
	if last := about.Scope[len(about.Scope)-1]; last != "scope: MatchesListRegexDecideRule decision=REJECT "+
		"regexList=[x, y]" {
		t.Errorf("last rule %q", last)
	}
	equal(t, "robots of hosts", evidence(h, "robots policy of some hosts"),
		[]string{"ignore | a sheet in weekly/20110623171200/crawler-beans.cxml"})
	fetches, _ := fetchesOf(t, h)
	if len(fetches) != 1 || !fetches[0].Time.Equal(time.Date(2011, 6, 23, 17, 12, 8, 574e6, time.UTC)) ||
		fetches[0].Path != "LREP" {
		t.Errorf("fetches %v", fetches)
	}

	second, err := claims[1].Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if a := second.About(); a.EndReason != "Ended by operator" || a.Collection != "edited afterwards" ||
		a.Documentation != model.PartlyDocumented {
		t.Errorf("the second launch: %q, %q, %q", a.EndReason, a.Collection, a.Documentation)
	}
}

// TestLocalTime has the line of the reference: logged at 09:53 "Z", fetched at 07:53 UTC.
func TestLocalTime(t *testing.T) {
	tr := folder(t,
		map[string]string{"crawl.log": "2006-08-15T09:53:58.470Z     1         59 dns:www.netarkivet.dk P " +
			"http://www.netarkivet.dk/ text/dns #045 20060815075357634+15 - - content-size:59\n" +
			"2006-08-15T09:53:59.470Z    -2         - http://www.netarkivet.dk/ - - - #045 - - - -\n" +
			"2006-08-16T09:53:58.470Z     1         59 dns:www.netarkivet.dk P http://www.netarkivet.dk/ text/dns " +
			"#045 " +
			"20060816075357634+15 - - -\n"})
	h := sourcetest.Only(t, Reader{}, tr)
	fetches, _ := fetchesOf(t, h)
	for i, want := range []time.Time{
		time.Date(2006, 8, 15, 7, 53, 58, 470e6, time.UTC), time.Date(2006, 8, 15, 7, 53, 59, 470e6, time.UTC),
		time.Date(2006, 8, 16, 7, 53, 58, 470e6, time.UTC)} {
		if !fetches[i].Logged.Equal(want) {
			t.Errorf("line %d was logged %v, want %v", i+1, fetches[i].Logged, want)
		}
	}
	equal(t, "clock", evidence(h, "clock of the log"),
		[]string{"2h0m0s ahead of UTC from 2006-08-15 to 2006-08-16; corrected | columns 1 and 9 of crawl.log"})
}

func TestReportsAlone(t *testing.T) {
	about := sourcetest.Only(t, Reader{},
		folder(t, map[string]string{"hosts-report.txt": "[#urls] [#bytes] [host]\n1 2 a\n"})).About()
	if about.Documentation != model.PartlyDocumented || about.ID != "job-7" || len(about.Files) != 1 {
		t.Errorf("%+v", about)
	}
}

// TestResumed checks that a resumed crawl has not ended.
func TestResumed(t *testing.T) {
	about := sourcetest.Only(t, Reader{},
		folder(t, map[string]string{"order.xml": order,
			"logs/progress-statistics.log": "20121219193838 CRAWL ENDING - Ended by operator\n20121219193839 CRAWL " +
				"ENDED - Ended by operator\n20121220193839 CRAWL RESUMED - Running\n"})).About()
	if !about.End.IsZero() || about.EndReason != "" {
		t.Errorf("ended %v, %q", about.End, about.EndReason)
	}
}

func TestNotFound(t *testing.T) {
	tr := folder(t, map[string]string{
		"crawl.log": "12:00 INFO something else\n", "order.xml": "<order><item/></order>", "beans.cxml": "<x/>",
		"index.html": "<p>"})
	if claims := sourcetest.Find(t, Reader{}, tr); len(claims) != 0 {
		t.Errorf("claims %v", claims)
	}
}

func TestHostileConfiguration(t *testing.T) {
	start := `<crawl-order><meta><name>`
	for name, content := range map[string]string{
		"entities": `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hosts">]>` + start + `&a;</name></meta></crawl-order>`,
		"unknown":  start + `&a;</name></meta></crawl-order>`,
		"deep":     start + strings.Repeat("<a>", 1000),
		"wide":     start + strings.Repeat("<a/>", xmltree.MaxNodes+1) + `</name></meta></crawl-order>`,
		"cut":      start + "credentials",
	} {
		h := sourcetest.Only(t, Reader{}, folder(t, map[string]string{"order.xml": content}))
		codes := codesOf(h.About().Findings)
		want := []string{CodeConfiguration + " order.xml"}
		if strings.Contains(content, "redential") {
			want = append(want, source.CodeSecret+" order.xml")
		}
		if !slices.Equal(codes, want) || h.About().Collection != "" {
			t.Errorf("%s: findings %v", name, codes)
		}
	}
}

// TestScopeIsBounded reads configurations that name one rule many times. Reading them must not take
// gigabytes of memory or hours.
func TestScopeIsBounded(t *testing.T) {
	prove.Serial(t)
	start := `<beans xmlns="http://www.springframework.org/schema/beans">`
	rules := func(id, inner string, times int) string {
		return `<bean id="` + id + `"><property name="rules"><list>` + strings.Repeat(inner, times) +
			`</list></property></bean>`
	}
	for name, text := range map[string]string{
		"long": start + `<bean id="r" class="` + strings.Repeat("x", 1<<20) + `"/>` +
			rules("scope", `<ref bean="r"/>`, 5000) + `</beans>`,
		"many":   start + rules("a", "<x/>", 40_000) + rules("scope", `<ref bean="a"/>`, 40_000) + `</beans>`,
		"itself": start + rules("scope", `<ref bean="scope"/>`, 10_000) + `</beans>`,
	} {
		about := sourcetest.Only(t, Reader{}, folder(t, map[string]string{"crawler-beans.cxml": text})).About()
		size := 0
		for _, line := range about.Scope {
			size += len(line)
		}
		if size == 0 || size > facts.MaxScope || len(about.Findings) != 1 || about.Findings[0].Code != CodeLarge {
			t.Errorf("%s: %d rules of %d bytes, findings %v", name, len(about.Scope), size, about.Findings)
		}
	}
}

func TestSecrets(t *testing.T) {
	for _, c := range []struct {
		name, xml string
		want      []string
	}{
		{"none",
			`<beans><bean id="credentialStore" class="org.archive.modules.credential.CredentialStore"/><x ` +
				`name="password"/></beans>`, nil},
		{"bean", `<beans><bean class="org.archive.modules.credential.HttpAuthenticationCredential"/></beans>`,
			[]string{"a bean of class org.archive.modules.credential.HttpAuthenticationCredential"}},
		{"property", `<beans><property name="httpProxyPassword" value="x"/></beans>`, []string{"httpProxyPassword"}},
		{"override",
			`<beans><bean id="simpleOverrides"><property name="properties"><value>a.password=x</value></property>` +
				`</bean></beans>`, []string{"a.password"}},
		{"prop", `<beans><prop key="a.password">x</prop></beans>`, []string{"a.password"}},
	} {
		n, err := xmltree.Parse(strings.NewReader(c.xml))
		if err != nil {
			t.Fatal(err)
		}
		equal(t, c.name, secretsIn(n), c.want)
	}
}

func TestProperties(t *testing.T) {
	got := readProperties("a=1\n! no\n b : 2\r\nc 3\\\n  4\nd\\ e=\\u00e6\\t\\\\\nlast\\")
	equal(t, "properties", got, []property{{"a", "1"}, {"b", "2"}, {"c", "34"}, {"d e", "æ\t\\"}, {`last\`, ""}})
}
