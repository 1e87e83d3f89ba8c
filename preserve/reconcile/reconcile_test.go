package reconcile

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The possible differences of each source, with their explanations. "kind count" alone is an
// unexplained difference.
func TestDifferences(t *testing.T) {
	later := capture{"http://example.org/late", "20200101000009000", 200, "late"}
	page, picture := crawl[1], crawl[2]
	for name, c := range map[string]struct {
		change func(*job)
		want   []string
	}{
		"all agree": {func(*job) {}, nil},
		"an entry of no container that is known": {func(j *job) {
			j.index = append(j.index, strings.ReplaceAll(j.index[1], first, "x.arc"))
		},
			[]string{"container_absent container_absent 1", "index_without_record container_absent 1"}},
		"all agree, with list": {func(j *job) { j.report() }, nil},

		// Lines without records.
		"a duplicate": {func(j *job) {
			j.line(later, `duplicate:"0-1-x.arc,42"`)
		}, []string{"logged_without_record duplicate 1"}},
		"a duplicate, as it was spelled in 2005": {func(j *job) {
			j.line(later, `deduplicate:"x.arc,42"`)
		}, []string{"logged_without_record duplicate 1"}},
		"unwritten": {func(j *job) {
			j.line(later, "unwritten:identicalDigest")
		}, []string{"logged_without_record unwritten 1"}},
		"the same fetch twice": {func(j *job) {
			j.line(page)
		}, []string{"logged_without_record logged_again 1"}},
		"nothing received": {func(j *job) {
			j.lines = append(j.lines, contentSize.ReplaceAllString(lineOf(later), "content-size:0"))
		}, []string{"logged_without_record empty 1"}},
		"not fetched at all": {func(j *job) {
			j.line(capture{"http://example.org/x", "20200101000003000", -9998, ""})
		}, nil},
		"no look-ups are kept": {func(j *job) {
			j.drop(first, 1, 0)
		}, []string{"logged_without_record lookups_not_kept 1"}},
		"a record is gone": {func(j *job) { j.drop(first, 2, 1) }, []string{"logged_without_record 1"}},
		"captured after all there is": {func(j *job) {
			j.line(later)
		}, []string{"logged_without_record records_end_early 1"}},
		"the URL alone joins nothing": {func(j *job) {
			j.line(capture{page.url, "20200101000001900", 200, "another page"})
			j.lines = slices.Delete(j.lines, 1, 2)
		},
			// within the same second: one fetch with different contents
			[]string{"digest_differs 1", "size_differs 1"}},
		"the URL and another second join nothing": {func(j *job) {
			j.line(capture{page.url, "20200101000002001", 200, "another page"})
			j.lines = slices.Delete(j.lines, 1, 2)
		},
			[]string{"logged_without_record 1", "record_without_log_line 1"}},

		// Records without lines.
		"a line is gone": {func(j *job) {
			j.lines = slices.Delete(j.lines, 1, 2)
		}, []string{"record_without_log_line 1"}},
		"the log begins later": {func(j *job) {
			j.lines = j.lines[1:]
		}, []string{"record_without_log_line outside_log 1"}},
		"the record is there twice": {func(j *job) {
			j.record(first, page.arc())
		}, []string{"record_without_index index_ends_early 1", "record_without_log_line recorded_again 1"}},
		"the log says it failed": {func(j *job) {
			j.lines[1] = strings.Replace(j.lines[1], "  200 ", " -404 ", 1)
		}, []string{"record_without_log_line logged_as_failed 1"}},
		"made by the crawler": {func(j *job) { j.record(first, capture{"metadata://x/y", page.at, 200, "z"}.arc()) },
			[]string{"record_without_index kind_not_indexed 1", "record_without_log_line made_by_crawler 1"}},

		// Containers.
		"a container is gone, and the index lists its content": {func(j *job) { delete(j.containers, other) },
			[]string{"container_absent container_absent 1", "index_without_record container_absent 1",
				"logged_without_record container_absent 1"}},
		"a container is gone, but it is in the list": {func(j *job) {
			j.report()
			j.index = nil
			delete(j.containers, other)
		},
			[]string{"container_absent container_absent 1", "logged_without_record container_absent 1"}},
		"a container is gone, and its number is left out": {func(j *job) {
			j.index = nil
			j.record(strings.Replace(other, "00001", "00002", 1), j.containers[other][1])
			j.containers[other] = nil
			delete(j.containers, other)
			j.line(later)
		},
			[]string{"container_absent container_absent 1", "logged_without_record container_absent 1"}},
		"a container is gone without a trace": {func(j *job) {
			j.index = nil
			delete(j.containers, other)
		}, []string{"logged_without_record records_end_early 1"}},
		"all containers are gone": {func(j *job) {
			j.index = nil
			clear(j.containers)
		}, []string{"logged_without_record no_container 3"}},
		"a container is shorter than listed": {func(j *job) {
			j.report()
			j.index = nil
			j.containers[other] = j.containers[other][:1]
		},
			[]string{"container_size_differs container_cut 1", "logged_without_record container_cut 1"}},
		"the last record is cut": {func(j *job) { j.index = nil; j.containers[other][1] = j.containers[other][1][:90] },
			[]string{"digest_differs container_damaged 1", "size_differs container_damaged 1"}},
		"a container that the list passes over": {func(j *job) {
			j.report()
			j.record("T-20200101000000-00002-h.arc", later.arc())
			j.line(later)
			j.entry(later, "T-20200101000000-00002-h.arc")
		},
			[]string{"container_not_listed 1"}},
		"a container that no index covers": {func(j *job) {
			j.record("T-20200101000000-00002-h.arc", later.arc())
			j.line(later)
		}, []string{"container_not_indexed index_covers_less 1"}},
		"compressed since": {func(j *job) { j.report(); j.gzipped = true },
			[]string{"container_size_differs compressed_since 2", "index_differs compressed_since 3"}},
		"a container is gone, and the index says that it held something else": {func(j *job) {
			j.report()
			delete(j.containers, other)
			j.line(capture{"http://example.org/x", "20200101000001900", 200, "x"})
		}, []string{"container_absent container_absent 1", "index_without_record container_absent 1",
			"logged_without_record 1", "logged_without_record container_absent 1"}},
		"a container that was empty is gone": {func(j *job) {
			j.report()
			j.files["reports/archivefiles-report.txt"] += "T-20200101000000-00002-h.arc 2020-01-01T00:00:09.000Z 0\n"
		}, []string{"container_absent nothing_in_it 1"}},
		"a container is damaged in the middle": {func(j *job) {
			j.record(other, later.arc())
			j.line(later)
			j.entry(later, other)
			j.containers[other][1] = strings.Repeat("x", len(j.containers[other][1])-1) + "\n"
		}, []string{"index_without_record container_damaged 1", "logged_without_record container_damaged 1"}},

		// The index.
		"a length without the line break": {func(j *job) {
			j.index[1] = strings.Replace(j.index[1], fmt.Sprintf(" %d ", len(page.arc())),
				fmt.Sprintf(" %d ", len(page.arc())-1), 1)
		}, nil},
		"an entry is gone": {func(j *job) {
			j.index = slices.Delete(j.index, 0, 1)
			j.index = append(j.index, strings.Replace(j.index[0], "- 2020", "x 2020", 1))
		}, []string{"record_without_index kind_not_indexed 1"}},
		"the index ends early": {func(j *job) {
			j.record(other, later.arc())
			j.line(later)
		}, []string{"record_without_index index_ends_early 1"}},
		"an entry too many": {func(j *job) {
			j.index = append(j.index, "- 20200101000005 http://example.org/x text/html 200 - - - 9 5 "+first)
		}, []string{"index_without_record 1"}},
		"another digest": {func(j *job) {
			j.index[1] = strings.Replace(j.index[1], page.digest(), picture.digest(), 1)
		}, []string{"index_differs 1"}},
		"a digest of no bytes": {func(j *job) {
			j.index[1] = strings.Replace(j.index[1], page.digest(), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", 1)
		}, []string{"index_differs digest_of_nothing 1"}},
		"another time": {func(j *job) {
			j.index[1] = strings.Replace(j.index[1], "20200101000001", "20200101000005", 1)
		}, []string{"index_differs 1"}},
		"another status": {func(j *job) {
			j.index[1] = strings.Replace(j.index[1], " 200 ", " 404 ", 1)
		}, []string{"index_differs 1"}},
		"a wrong length": {func(j *job) {
			j.index[1] = strings.Replace(j.index[1], " - - ", " - - 1", 1)
		}, []string{"index_differs other_notion_of_length 1"}},
		"another place": {func(j *job) {
			f := strings.Fields(j.index[2])
			f[9] = "7"
			j.index[2] = strings.Join(f, " ")
		}, []string{"index_differs 1"}},

		// Lines and their records.
		"another digest in the log": {func(j *job) {
			j.lines[1] = strings.Replace(j.lines[1], page.digest(), picture.digest(), 1)
		}, []string{"digest_differs 1"}},
		"a rounded time": {func(j *job) {
			j.lines[1] = strings.Replace(j.lines[1], page.at, "20200101000002200", 1)
		}, []string{"time_differs rounded 1"}},
		"another time, and the same content": {func(j *job) {
			j.lines[1] = strings.Replace(j.lines[1], page.at, "20200101000001200", 1)
			j.lines[0] = strings.Replace(j.lines[0], crawl[0].at, "20200101010000000", 1)
		}, []string{"time_differs 1"}},
		"another status in the log": {func(j *job) {
			j.lines[1] = strings.Replace(j.lines[1], "  200 ", "  404 ", 1)
		}, []string{"status_differs 1"}},
		"another content-size": {func(j *job) {
			j.lines[1] = strings.Replace(j.lines[1], "content-size:", "content-size:1", 1)
		}, []string{"size_differs 1"}},
		"another contentSize in the JSON": {func(j *job) {
			j.lines[1] = contentSize.ReplaceAllString(j.lines[1], "x") + ` {"contentSize":7}`
		}, []string{"size_differs 1"}},
		"a server that declares another length": {func(j *job) {
			j.lines[1] = strings.Replace(j.lines[1], "         11 ", "         99 ", 1)
		}, []string{"size_differs declared_length 1"}},
		"spelled otherwise": {func(j *job) {
			j.index = nil
			j.lines[1] = strings.Replace(j.lines[1], "http://example.org/ L", "HTTP://Example.org:80 L", 1)
			j.lines[2] = strings.Replace(j.lines[2], "/a.png", "/%61.png", 1)
		}, nil},
	} {
		j := whole()
		c.change(j)
		h := j.reconciled(t, Options{})
		if got := h.found(); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n  %q\nwant\n  %q\n%s", name, got, c.want, textOf(h))
		}
		if (h.Outcome == Explained) != (h.Totals.Lost+h.Totals.Unexplained == 0) {
			t.Errorf("%s: %s, with %+v", name, h.Outcome, h.Totals)
		}
	}
}

// A capture that is missing from its container is listed in the log and in the index. It is counted
// as lost only once, both for its host and for the harvest. No host loses more captures than were
// fetched from it.
func TestHostsLoseEachCaptureOnce(t *testing.T) {
	j := whole()
	delete(j.containers, other)
	h := j.reconciled(t, Options{})
	if h.Totals.Lost < 2 || h.LostCaptures != 1 {
		t.Fatalf("%+v, %d lost", h.Totals, h.LostCaptures)
	}
	for _, o := range []Options{{}, {Hosts: -1}} {
		h := j.reconciled(t, o)
		lost := h.HostsRest.LostCaptures
		for _, host := range h.Hosts {
			lost += host.LostCaptures
			if host.LostCaptures > host.Fetched {
				t.Errorf("%s: %d fetched, and %d lost", host.Host, host.Fetched, host.LostCaptures)
			}
		}
		if lost != 1 {
			t.Errorf("hosts %d: the hosts lost %d", o.Hosts, lost)
		}
	}
	if want := "  2         1         1           0         0  example.org\n"; !strings.Contains(textOf(h), want) {
		t.Errorf("no %q in\n%s", want, textOf(h))
	}
}

var contentSize = regexp.MustCompile(`content-size:\d+`)

// lineOf returns the line of a capture.
func lineOf(c capture) string {
	var j job
	j.line(c)
	return j.lines[0]
}

// drop removes a record from a container and its entry from the index, and corrects the offsets of
// the others.
func (j *job) drop(name string, record, entry int) {
	size := len(j.containers[name][record])
	at := 0
	for _, r := range j.containers[name][:record] {
		at += len(r)
	}
	j.containers[name] = slices.Delete(j.containers[name], record, record+1)
	j.index = slices.Delete(j.index, entry, entry+1)
	for i, line := range j.index {
		f := strings.Fields(line)
		if n := number64(f[9]); f[10] == name && n > at {
			f[9] = decimal(n - size)
		}
		j.index[i] = strings.Join(f, " ")
	}
}

// warcJob returns a job with WARC files: a page and a revisit of it.
func warcJob(fields string) *job {
	j := &job{containers: map[string][]string{}, files: map[string]string{}}
	page := crawl[1]
	again := capture{page.url, "20200101000005000", 200, page.body}
	j.line(page)
	j.line(again, "duplicate:digest")
	j.record("T-20200101000000-00000-h.warc",
		warcRecord("response", page.url, page.at,
			"WARC-Record-ID: <urn:uuid:1>\r\nWARC-Payload-Digest: sha1:"+page.digest()+"\r\n", page.block()))
	head, _, _ := strings.Cut(again.block(), "<")
	j.record("T-20200101000000-00000-h.warc", warcRecord("revisit", "<"+again.url+">", again.at,
		"WARC-Profile: http://netpreserve.org/warc/1.0/revisit/identical-payload-digest\r\nWARC-Payload-Digest: sha1:"+
			page.digest()+"\r\n"+fields, head))
	return j
}

// The original of a revisit is found by date, by id, or by digest; or it was captured before this
// harvest; or it is missing.
func TestRevisits(t *testing.T) {
	for name, c := range map[string]struct {
		fields string
		want   []string
	}{
		"by URL and date": {"WARC-Refers-To-Target-URI: http://example.org/\r\n" +
			"WARC-Refers-To-Date: 2020-01-01T00:00:01Z\r\n", nil},
		"by URL and date, spelled otherwise": {"WARC-Refers-To-Target-URI: <HTTP://example.org:80/>\r\n" +
			"WARC-Refers-To-Date: 2020-01-01T00:00:01Z\r\n", nil},
		"by id":     {"WARC-Refers-To: <urn:uuid:1>\r\n", nil},
		"by digest": {"", nil},
		"of an earlier crawl": {"WARC-Refers-To-Target-URI: http://example.org/\r\n" +
			"WARC-Refers-To-Date: 2019-01-01T00:00:01Z\r\n", []string{"revisit_without_target earlier_harvest 1"}},
		"of an unknown original": {"WARC-Refers-To-Target-URI: http://example.org/\r\n" +
			"WARC-Refers-To-Date: 2020-01-01T00:00:03Z\r\n", []string{"revisit_without_target 1"}},
		"of another URL": {"WARC-Refers-To-Target-URI: http://example.org/b\r\n" +
			"WARC-Refers-To-Date: 2020-01-01T00:00:01Z\r\n", []string{"revisit_without_target 1"}},
		"of a lost id": {"WARC-Refers-To: <urn:uuid:2>\r\n",
			[]string{"revisit_without_target 1"}},
	} {
		h := warcJob(c.fields).reconciled(t, Options{})
		if got := h.found(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q\n%s", name, got, c.want, textOf(h))
		}
	}
}

// The reports of both versions are compared with the log.
func TestReports(t *testing.T) {
	good := map[string]string{
		"reports/hosts-report.txt":        "[#urls] [#bytes] [host]\n2 143 example.org \n1 46 dns: \n",
		"reports/mimetype-report.txt":     "[#urls] [#bytes] [mime-types]\n2 143 text/html\n1 46 text/dns\n",
		"reports/responsecode-report.txt": "[rescode] [#urls]\n200 2\n1 1\n-404 7\n",
		"reports/seeds-report.txt":        "[code] [status] [seed] [redirect]\n200 CRAWLED http://example.org/\n",
		"reports/source-report.txt":       "[source] [host] [#urls]\n- example.org 2\n- dns: 1\n",
		"reports/crawl-report.txt": "Crawl Name: x\nTotal Documents Crawled: 3\nDocuments Crawled " +
			"Successfully: 3\nTotal Raw Data Size in Bytes: 189 (189 B) \n",
	}
	for name, c := range map[string]struct {
		report, old, new string
		want             []string
	}{
		"all agree":            {"", "", "", nil},
		"more URLs of a host":  {"hosts-report.txt", "2 143", "3 159", []string{"report_differs 1"}},
		"more bytes of a host": {"hosts-report.txt", "2 143", "2 144", []string{"report_differs 1"}},
		"a host too many": {"hosts-report.txt", "1 46 dns: ", "1 46 dns: \n5 5 b.example",
			[]string{"report_differs 1"}},
		"a host that is missed": {"hosts-report.txt", "1 46 dns: \n", "", []string{"report_differs 1"}},
		"a type": {"mimetype-report.txt", "2 143 text/html", "2 143 text/plain",
			[]string{"report_differs 2"}},
		"bytes of a type": {"mimetype-report.txt", "1 46", "1 45", []string{"report_differs 1"}},
		"a code":          {"responsecode-report.txt", "200 2", "200 1", []string{"report_differs 1"}},
		"a seed":          {"seeds-report.txt", "200", "404", []string{"report_differs 1"}},
		"a source":        {"source-report.txt", "- dns: 1", "- dns: 2", []string{"report_differs 1"}},
		"a total":         {"crawl-report.txt", "Crawled: 3", "Crawled: 4", []string{"report_differs 1"}},
		"bytes":           {"crawl-report.txt", "189 (", "188 (", []string{"report_differs 1"}},
	} {
		j := whole()
		for file, text := range good {
			j.files[file] = text
			if strings.HasSuffix(file, "/"+c.report) && c.report != "" {
				j.files[file] = strings.Replace(text, c.old, c.new, 1)
			}
		}
		h := j.reconciled(t, Options{})
		if got := h.found(); !slices.Equal(got, c.want) || len(h.Witnesses.Reports) != len(good) {
			t.Errorf("%s: %q, want %q\n%s", name, got, c.want, textOf(h))
		}
	}
	// A resumed crawl: two parts of the log, and a report of the second.
	j := whole()
	j.files["logs/crawl.log.000001"] = j.lines[0] + "\n"
	j.lines = j.lines[1:]
	j.files["reports/responsecode-report.txt"] = "[rescode] [#urls]\n200 2\n"
	if got := j.reconciled(t, Options{}).found(); !slices.Equal(got, []string{"report_differs resumed 1"}) {
		t.Errorf("resumed: %q", got)
	}
}

// A low memory limit does not change the result.
func TestMemory(t *testing.T) {
	j := whole()
	j.lines, j.index = nil, nil
	clear(j.containers)
	for i := range 600 {
		c := capture{"http://h" + decimal(i%7) + ".example/" + decimal(i), "20200101" + decimal(100000+i) + "000", 200,
			decimal(i)}
		c.at = "202001010" + decimal(10000+i/60*100+i%60) + "000"
		if i%11 != 0 {
			j.line(c)
		}
		if i%13 != 0 {
			j.record(first, c.arc())
			j.entry(c, first)
		}
	}
	var entries [2]int
	texts := [2]string{}
	for i, memory := range []int{0, 2 << 10} {
		h := j.reconciled(t, Options{Memory: memory, Hosts: 3, List: func(Entry) error { entries[i]++; return nil }})
		h.ID = ""
		texts[i] = textOf(h)
		if h.HostsTotal != 7 || len(h.Hosts) != 3 || h.HostsRest.Logged == 0 || h.Totals.Unexplained == 0 {
			t.Errorf("%d hosts, %+v, %+v", h.HostsTotal, h.HostsRest, h.Totals)
		}
	}
	if texts[0] != texts[1] || entries[0] != entries[1] || entries[0] == 0 {
		t.Errorf("%d and %d differences:\n%s\n%s", entries[0], entries[1], texts[0], texts[1])
	}
}

// A container that was compressed later is smaller than listed, but not truncated.
func TestCompressedIsNotCut(t *testing.T) {
	j := whole()
	j.containers[other][1] = capture{crawl[2].url, crawl[2].at, 200, strings.Repeat("a", 5000)}.arc()
	j.report()
	j.gzipped = true
	for _, c := range j.reconciled(t, Options{}).Containers {
		if c.CutReason != "" {
			t.Errorf("%s is reported as truncated: %s", c.Name, c.CutReason)
		}
	}
}

// An index may include containers of another harvest in the source: they are not missing.
func TestOtherHarvest(t *testing.T) {
	j := whole()
	dir := j.write(t)
	alone := &job{containers: map[string][]string{}, lines: j.lines[:2], index: j.index, files: map[string]string{}}
	alone.containers[first] = j.containers[first]
	root := t.TempDir()
	for name, from := range map[string]string{"a": alone.write(t), "b": dir} {
		if err := os.CopyFS(filepath.Join(root, name), os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	result, err := Source(context.Background(), Options{}, root)
	if err != nil || len(result.Harvests) != 2 {
		t.Fatal(result, err)
	}
	if got := result.Harvests[0].found(); !slices.Equal(got, []string{"index_without_record other_harvest 1"}) ||
		result.Outcome != Explained {
		t.Errorf("%q\n%s", got, textOf(result.Harvests[0]))
	}
}

// A short response of a server is not a fault of the container.
func TestLosesRecords(t *testing.T) {
	for code, want := range map[string]bool{
		"GZIP-TRUNCATED": true, "WARC-TRUNCATED": true, "ARC-TRUNCATED": true, "WARC-HEADER-TRUNCATED": true,
		"WARC-GARBAGE": true, "ZSTD-FRAME": true,
		"HTTP-CHUNK-TRUNCATED": false, "HTTP-CODING-TRUNCATED": false, "WARC-TRUNCATED-REASON": false,
		"HTTP-BODY-SHORT": false,
	} {
		if got := losesRecords(code); got != want {
			t.Errorf("%s loses records: %v", code, got)
		}
	}
}
