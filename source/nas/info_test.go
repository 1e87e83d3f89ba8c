package nas

import (
	"slices"
	"strings"
	"testing"
	"time"

	"quire/model"
	"quire/source/internal/facts"
)

// TestVersionsOfHarvestInfo checks each version of harvestInfo.xml against its table in the
// reference.
func TestVersionsOfHarvestInfo(t *testing.T) {
	for _, c := range []struct {
		name, xml string
		about     model.Harvest
		facts     []string
	}{
		{"0.1",
			`<harvestInfo><version>0.1</version><jobId>11</jobId><dataPath>/home/test/11_1</dataPath></harvestInfo>`,
			model.Harvest{ID: "11"}, []string{"harvestInfo version=0.1", "job=11", "crawl folder=/home/test/11_1"}},
		{"0.2",
			`<harvestInfo><version>0.2</version><jobId>1121</jobId><priority>HIGHPRIORITY</priority>` +
				`<harvestNum>58</harvestNum>
			<origHarvestDefinitionID>130</origHarvestDefinitionID><maxBytesPerDomain>1000000000</maxBytesPerDomain>
			<maxObjectsPerDomain>-1</maxObjectsPerDomain><orderXMLName>forsider</orderXMLName></harvestInfo>`,
			model.Harvest{ID: "1121", Limits: []model.Field{{Name: "maxBytesPerDomain", Value: "1000000000"}}},
			[]string{"harvestInfo version=0.2", "job=1121", "channel=HIGHPRIORITY", "harvest number=58",
				"harvest definition=130",
				"limit=maxBytesPerDomain=1000000000", "limit=maxObjectsPerDomain is not limited (-1)",
				"template=forsider"}},
		{"0.4", infoXML,
			model.Harvest{ID: "7", Collection: "Weekly & all",
				Limits: []model.Field{{Name: "maxBytesPerDomain", Value: "500000000"}}},
			[]string{"harvestInfo version=0.4", "job=7", "channel=HIGHPRIORITY", "harvest number=3",
				"harvest definition=2",
				"limit=maxBytesPerDomain=500000000", "limit=maxObjectsPerDomain is not limited (-1)",
				"template=default_orderxml", "collection=Weekly & all",
				"schedule=Once_a_week", "file name prefix=7-2", "job submitted=2012-12-19T19:18:30Z",
				"performer=not told: undefined"}},
		{"0.5 in the namespace of BnF",
			`<h:harvestInfo xmlns:h="http://netarchive.dk/schema/harvestInfo"><h:version>0.5</h:version>` +
				`<h:jobId>10</h:jobId><h:channel>FOCUSED</h:channel>
			<h:origHarvestDefinitionComments>every week</h:origHarvestDefinitionComments><h:jobSubmitDate>` +
				`Some date</h:jobSubmitDate><h:performer>Ann</h:performer><h:audience>all</h:audience></h:harvestInfo>`,
			model.Harvest{ID: "10", Note: "every week", Operator: "Ann"},
			[]string{"harvestInfo version=0.5", "job=10", "channel=FOCUSED", "note=every week",
				"job submitted=Some date (as written)", "audience=all", "operator=Ann"}},
		{"0.6",
			`<harvestInfo xmlns="http://netarchive.dk/schema/harvestInfo"><version>0.6</version><jobId>` +
				`9</jobId><templateName>default</templateName>
			<templateLastUpdateDate>2020-01-02T03:04:05Z</templateLastUpdateDate><templateDescription>of ` +
				`all</templateDescription>
			<performer>Ann</performer><operator>Bob</operator><newField>x</newField></harvestInfo>`,
			model.Harvest{ID: "9", Operator: "Bob"},
			[]string{"harvestInfo version=0.6", "job=9", "template=default", "template updated=2020-01-02T03:04:05Z",
				"template description=of all",
				"operator=Bob", "harvestInfo newField=x", "operator=Ann"}},
	} {
		fields, err := parseInfo(strings.NewReader(c.xml))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var about model.Harvest
		tellInfo(facts.New(&about), fields, func(name string) string { return name })
		var all []string
		for _, e := range about.Evidence {
			all = append(all, e.Fact+"="+e.Value)
		}
		if !slices.Equal(all, c.facts) {
			t.Errorf("%s:\n got %q\nwant %q", c.name, all, c.facts)
		}
		if about.ID != c.about.ID || about.Collection != c.about.Collection || about.Operator != c.about.Operator ||
			about.Note != c.about.Note || !slices.Equal(about.Limits, c.about.Limits) {
			t.Errorf("%s: got %+v", c.name, about)
		}
	}
}

func TestHostileHarvestInfo(t *testing.T) {
	many := "<harvestInfo>" + strings.Repeat("<a>b</a>", maxInfoFields+1) + "</harvestInfo>"
	for name, xml := range map[string]string{
		"a bomb": `<?xml version="1.0"?><!DOCTYPE h [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">` +
			`]><harvestInfo><jobId>&b;</jobId></harvestInfo>`,
		"an external entity": `<!DOCTYPE h SYSTEM "file:///etc/passwd"><harvestInfo><jobId>1</jobId></harvestInfo>`,
		"an undeclared one":  `<harvestInfo><jobId>&xxe;</jobId></harvestInfo>`,
		"cut":                `<harvestInfo><jobId>1</jobId>`,
		"something else":     `<html><jobId>1</jobId></html>`,
		"nothing":            ``,
		"too much":           many,
		"endless":            `<harvestInfo><jobId>` + strings.Repeat("1", maxInfo) + `</jobId></harvestInfo>`,
		"deep": `<harvestInfo><jobId>` + strings.Repeat("<a>", 5000) + "7" +
			strings.Repeat("</a>", 5000) + `</jobId></harvestInfo>`,
		"several roots, html": `<html/><harvestInfo/>`,
	} {
		if fields, err := parseInfo(strings.NewReader(xml)); err == nil {
			t.Errorf("%s: got %d fields and no error", name, len(fields))
		}
	}
}

func TestMigratedPlaces(t *testing.T) {
	for line, want := range map[string]moved{
		"a.arc 9358 4434 1335886577123": {9358, 4434, 1335886577123},
		"a.arc 9358 4434":               {9358, 4434, 0},
		"  a.arc\t0 0 ":                 {0, 0, 0},
	} {
		if name, got, ok := parseMoved(line); !ok || name != "a.arc" || got != want {
			t.Errorf("%q: got %q, %+v, %v", line, name, got, ok)
		}
	}
	for _, line := range []string{"", "a.arc", "a.arc 1", "a.arc -1 2", "a.arc 1 -2", "a.arc 1 2 x", "a.arc 1 2 3 4",
		"a.arc 99999999999999999999 1"} {
		if _, _, ok := parseMoved(line); ok {
			t.Errorf("%q is accepted as a line", line)
		}
	}
	tr := folderOf(t, map[string]string{"7-metadata-4.arc": plain(arcOf("7-metadata-4.arc", append(standard(),
		record{"metadata://crawl/index/duplicationmigration?x=1", "b.arc.gz 1 2\nnonsense\n"})))})
	h := only(t, tr).(interface {
		Migrated(model.Place) (model.Place, bool)
		About() *model.Harvest
	})
	const name = "5-2-20120501153616-00000-h.arc"
	captured := time.Date(2012, 5, 1, 15, 36, 17, 0, time.UTC)
	for _, c := range []struct{ from, to model.Place }{
		{model.Place{Container: name, Offset: 9358},
			model.Place{Container: name + ".gz", Offset: 4434, Time: captured.Add(123 * time.Millisecond)}},
		{model.Place{Container: name, Offset: 9358, Time: captured},
			model.Place{Container: name + ".gz", Offset: 4434, Time: captured}},
		{model.Place{Container: name, Offset: 12}, model.Place{Container: name + ".gz", Offset: 10}},
		{model.Place{Container: "b.arc.gz", Offset: 1}, model.Place{Container: "b.arc.gz", Offset: 2}},
	} {
		if to, ok := h.Migrated(c.from); !ok || to != c.to {
			t.Errorf("%+v is now at %+v, %v", c.from, to, ok)
		}
	}
	for _, from := range []model.Place{{Container: name, Offset: 13}, {Container: "c.arc", Offset: 12}, {}} {
		if to, ok := h.Migrated(from); ok {
			t.Errorf("%+v is now at %+v", from, to)
		}
	}
	if got := codes(h.About().Findings); !slices.Contains(got, CodeMigration+" 7-metadata-4.arc") {
		t.Errorf("findings %v", got)
	}
}
