package nas

import (
	"testing"
	"time"

	"quire/model"
)

func TestNamesOfContainers(t *testing.T) {
	at := func(s string) time.Time {
		begun, err := time.Parse("2006-01-02 15:04:05.999", s)
		if err != nil {
			t.Fatal(err)
		}
		return begun
	}
	for _, c := range []struct {
		name string
		want DataName
	}{
		{"2-2-20120903165904-00000-kb-test-har-002.kb.dk.warc",
			DataName{"", "2", "2", at("2012-09-03 16:59:04"), "00000", "kb-test-har-002.kb.dk"}},
		{"arcs/470779-431-20241101123640123-00000-kb-prod-har-013.kb.dk.warc.gz",
			DataName{"", "470779", "431", at("2024-11-01 12:36:40.123"), "00000", "kb-prod-har-013.kb.dk"}},
		{"BnF-12-3-20100903165904-00017-ciblee.bnf.fr.arc.gz",
			DataName{"BnF", "12", "3", at("2010-09-03 16:59:04"), "00017", "ciblee.bnf.fr"}},
		{"a-2-b-12-3-20100903165904-00017-h.arc.gz.open",
			DataName{"a-2-b", "12", "3", at("2010-09-03 16:59:04"), "00017", "h"}},
		{"3-1-20161205101105604-00000-14970~sb-test-har-001.statsbiblioteket.dk~8171.arc",
			DataName{"", "3", "1", at("2016-12-05 10:11:05.604"), "00000", "sb-test-har-001.statsbiblioteket.dk"}},
		{"3-1-20161205101105604-00000-14970.arc", DataName{"", "3", "1", at("2016-12-05 10:11:05.604"), "00000", ""}},
		{"42-117-20051212141240-00000-sb-test-har-001.ARC",
			DataName{"", "42", "117", at("2005-12-12 14:12:40"), "00000", "sb-test-har-001"}},
	} {
		if got, ok := ParseDataName(c.name); !ok || got != c.want {
			t.Errorf("%s: got %+v, %v", c.name, got, ok)
		}
	}
	for _, name := range []string{
		"1-metadata-1.warc", "IAH-20240708230933685-00000-1087998~dia~8443.warc.gz", "2-2-20121303165904-00000-h.warc",
		"2-2-2012090316590-00000-h.warc",
		"2-2-20120903165904-00000-h.warc.cdx", "2-20120903165904-00000-h.warc", "",
		"99999999999999999999-2-20120903165904-00000-h.warc",
	} {
		if got, ok := ParseDataName(name); ok {
			t.Errorf("%s is identified as %+v", name, got)
		}
	}
}

func TestNamesOfMetadataFiles(t *testing.T) {
	for name, want := range map[string]metadataName{
		"1-metadata-1.warc":                  {"1", "", "", 1},
		"x/470779-metadata-12.warc.gz":       {"470779", "", "", 12},
		"3-oldmetadata-1.arc":                {"3", "", "old", 1},
		"42-preharvest-metadata-1.arc":       {"42", "", "preharvest", 1},
		"null-preharvest-metadata-1.arc":     {"", "", "preharvest", 1},
		"BnF-12-3-metadata-1.warc.gz":        {"12", "3", "", 1},
		"a-b-12-3-preharvest-metadata-1.arc": {"12", "3", "preharvest", 1},
		"3-metadata-4.arc.gz.open":           {"3", "", "", 4},
	} {
		if got, ok := parseMetadataName(name); !ok || got != want {
			t.Errorf("%s: got %+v, %v", name, got, ok)
		}
	}
	for _, name := range []string{"1-metadata-1.warc.zip", "70-metadata-1.arc-contents", "metadata-1.warc",
		"1-metadata.warc", "1-metadata-1.cdx", "x-metadata-1.arc"} {
		if got, ok := parseMetadataName(name); ok {
			t.Errorf("%s is identified as %+v", name, got)
		}
	}
}

func TestURLsOfDocuments(t *testing.T) {
	for _, c := range []struct {
		url                           string
		organization, job, definition string
		path                          string
		role                          model.Role
	}{
		{"metadata://netarkivet.dk/crawl/setup/duplicatereductionjobs?majorversion=1&minorversion=0&" +
			"harvestid=1&harvestnum=0&jobid=1", "netarkivet.dk", "1", "1", "duplicatereductionjobs", model.RoleConfiguration},
		{"metadata://bnf.fr/crawl/setup/order.xml?jobid=12&heritrixVersion=1.14.4&harvestid=2", "bnf.fr", "12", "2",
			"order.xml", model.RoleConfiguration},
		{"metadata://onb.ac.at/crawl/setup/crawl-manifest.txt?heritrixVersion=1.14.4&harvestid=1&jobid=1", "onb.ac.at",
			"1", "1", "crawl-manifest.txt", model.RoleReport},
		{"metadata://netarkivet.dk/crawl/setup/settings.xml?heritrixVersion=1.12.1b&harvestid=2&jobid=12&domain=a.dk",
			"netarkivet.dk", "12", "2", "settings/a.dk/settings.xml", model.RoleConfiguration},
		{"metadata://netarkivet.dk/crawl/reports/hosts-report.txt?heritrixVersion=1.12.1b&harvestid=2&jobid=12",
			"netarkivet.dk", "12", "2", "reports/hosts-report.txt", model.RoleReport},
		{"metadata://netarkivet.dk/crawl/logs/heritrix.out?heritrixVersion=1.12.1b&harvestid=2&jobid=12",
			"netarkivet.dk", "12", "2", "logs/heritrix.out", model.RoleLog},
		{"metadata://netarkivet.dk/crawl/index/cdx?majorversion=1&minorversion=0&harvestid=2&jobid=70&" +
			"timestamp=20060406004056&serialno=00000", "netarkivet.dk", "70", "2", "index/70-2-20060406004056-" +
			"00000.cdx", model.RoleIndex},
		{"metadata://netarkivet.dk/crawl/index/cdx?majorversion=2&minorversion=0&harvestid=4&jobid=10&" +
			"filename=10-4-20161218234343407-00000-h.dk.warc.gz", "netarkivet.dk", "10", "4", "index/10-4-2016" +
			"1218234343407-00000-h.dk.warc.gz.cdx", model.RoleIndex},
		{"metadata://netarkivet.dk/crawl/index/cdx?majorversion=3&minorversion=0&jobid=10&filename=a+b.warc",
			"netarkivet.dk", "10", "", "index/a+b.warc.cdx", model.RoleIndex},
		{"metadata://netarkivet.dk/crawl/index/cdx?filename=..%2F..%2Fetc%2Fpasswd", "netarkivet.dk", "", "",
			"index/passwd.cdx", model.RoleIndex},
		{"metadata://crawl/index/deduplicationmigration?majorversion=0&minorversion=0", "", "", "",
			"index/deduplicationmigration", model.RoleOther},
		{"metadata://crawl/index/dedupcdx?majorversion=0&minorversion=0", "", "", "", "index/dedupcdx",
			model.RoleOther},
		{"METADATA://a/Crawl/Logs/crawl.log?JobID=7", "a", "7", "", "logs/crawl.log", model.RoleLog},
		{"metadata://netarkivet.dk", "netarkivet.dk", "", "", "other/unnamed", model.RoleOther},
		{"metadata://a/crawl/logs/../../order.xml?jobid=0042", "a", "42", "", "logs/.._.._order.xml", model.RoleLog},
		{"metadata://a/crawl/logs/%2e%2e?jobid=x", "a", "", "", "logs/unnamed__", model.RoleLog},
		{"metadata:", "", "", "", "other/unnamed", model.RoleOther},
	} {
		u, ok := parseURL(c.url)
		if !ok || u.organization != c.organization || u.job() != c.job || u.definition() != c.definition ||
			u.path() != c.path || u.role() != c.role {
			t.Errorf("%s:\n got %q, job %q, definition %q, path %q, role %q, %v", c.url, u.organization, u.job(),
				u.definition(), u.path(), u.role(), ok)
		}
	}
	for _, url := range []string{"", "http://a.dk/crawl/logs/crawl.log", "filedesc://a", "dns:a.dk", "metadat"} {
		if _, ok := parseURL(url); ok {
			t.Errorf("%q is identified as a document", url)
		}
	}
}
