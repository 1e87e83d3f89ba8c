package dedup

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"quire/preserve/inspect"
)

// logLine returns a line of a Heritrix crawl log.
func logLine(time, uri, digest, notes string) string {
	return fmt.Sprintf("2021-01-01T00:00:09.000Z   200       1234 %s LL http://a.org/ text/html #042 %s+12 %s "+
		"http://a.org/ %s\n", uri, time, digest, notes)
}

func annotations(t *testing.T, source string, o Options) *Report {
	t.Helper()
	r, err := Annotations(context.Background(), source, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Log lines on duplicates become revisit records with exactly the logged values.
func TestAnnotations(t *testing.T) {
	dir := t.TempDir()
	const body = "the same bytes"
	old := filepath.Join(dir, "old")
	version := "filedesc://old.arc 0.0.0.0 20200101000000 text/plain 75\n1 0 Boat\nURL IP-address Archive-date " +
		"Content-type Archive-length\n"
	version = strings.Replace(version, " 75\n", fmt.Sprintf(" %d\n", len(version)-strings.Index(version, "\n")-1), 1) +
		"\n"
	block := "HTTP/1.1 200 OK\r\nContent-Length: 14\r\n\r\n" + body
	record := fmt.Sprintf("http://a.org/was 10.0.0.1 20200101000000 text/html %d\n%s\n", len(block), block)
	write(t, filepath.Join(old, "old.arc.gz"), append(member(version), member(record)...))
	file(t, filepath.Join(old, "h3.warc.gz"), rec{id: "<urn:x:h3>", uri: "http://a.org/h3", body: "heritrix"})
	source := filepath.Join(dir, "job")
	file(t, filepath.Join(source, "job.warc.gz"), rec{uri: "http://a.org/stored", date: later, body: "x"},
		rec{kind: "revisit", uri: "http://a.org/revisit", date: later, digest: sum(body)})
	at := func(n int) string { return fmt.Sprintf("202101010000%02d123", n) }
	write(t, filepath.Join(source, "crawl.log"), []byte(""+
		logLine(at(1), "http://a.org/1", sum(body), fmt.Sprintf(`duplicate:"old.arc,%d"`, len(version)))+
		logLine(at(2), "http://a.org/2", sum(body), `duplicate:"away.arc,42,20191231235959123"`)+
		logLine(at(3), "http://a.org/h3", sum("heritrix"), "duplicate:digest")+
		logLine(at(4), "http://a.org/elsewhere", sum("heritrix"), "warcRevisit:digest")+
		logLine(at(5), "http://a.org/any", sum("heritrix"), "warcRevisit:uriAgnosticDigest")+
		logLine(at(6), "http://a.org/304", sum(""), "warcRevisit:notModified")+
		logLine(at(7), "http://a.org/wrong", sum("other"), fmt.Sprintf(`duplicate:"old.arc,%d"`, len(version)))+
		logLine(at(8), "http://a.org/nodigest", "-", `duplicate:"old.arc,42"`)+
		logLine("20210101000000000", "http://a.org/stored", sum("x"), "duplicate:digest")+
		logLine("20210101000000000", "http://a.org/revisit", sum(body), "duplicate:digest")+
		logLine(at(9), "http://a.org/9", sum("z"), "unwritten:max")))
	o := options(t, old)
	r := annotations(t, source, o)
	if len(r.Containers) != 1 || r.Replaced != 6 || r.Left[Contradicted] != 1 || r.Left[NoDigest] != 1 ||
		r.Left[HasRecord] != 2 || r.DeniedAll != 1 {
		t.Fatalf("%+v", r)
	}
	made := filepath.Join(o.Out, r.Containers[0].Path)
	got := string(inflated(t, made))
	for uri, want := range map[string]string{
		"1": "WARC-Date: 2021-01-01T00:00:01.123Z\r\n...WARC-Payload-Digest: " + sum(body) +
			"\r\nWARC-Refers-To-Target-URI: http://a.org/was\r\nWARC-Refers-To-Date: 2020-01-01T00:00:00Z\r\n" +
			"Dedup-Evidence: record\r\n" +
			fmt.Sprintf("Dedup-Log: crawl.log, line 1\r\nDedup-Note: duplicate:\"old.arc,%d\"\r\nDedup-Status: "+
				"200\r\nDedup-MIME: text/html\r\n", len(version)),
		"2": "Digest: " + sum(body) +
			"\r\nWARC-Refers-To-Date: 2019-12-31T23:59:59.123Z\r\nDedup-Evidence: log\r\nDedup-Log: crawl.log, line " +
			"2\r\n",
		"h3": "WARC-Refers-To-Target-URI: http://a.org/h3\r\nWARC-Refers-To-Date: 2020-01-01T00:00:00Z\r\n" +
			"WARC-Refers-To: <urn:x:h3>\r\nDedup-Evidence: record\r\n",
		"elsewhere": "Digest: " + sum("heritrix") + "\r\nDedup-Evidence: log\r\n",
		"any":       "WARC-Refers-To-Target-URI: http://a.org/h3\r\n",
		"304": "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/server-not-modified\r\nDedup-Evidence: " +
			"log\r\n",
	} {
		_, rest, found := strings.Cut(got, "WARC-Target-URI: http://a.org/"+uri+"\r\n")
		rest, _, _ = strings.Cut(rest, "\r\n\r\n\r\n\r\n")
		for _, part := range strings.Split(want, "...") {
			if !found || !strings.Contains(rest+"\r\n", part) {
				t.Errorf("%s: no %q in\n%s", uri, part, rest)
			}
		}
		if !strings.Contains(rest, "Content-Length: 0") {
			t.Errorf("%s has a block", uri)
		}
	}
	again := options(t, old)
	annotations(t, source, again)
	if !same(t, made, filepath.Join(again.Out, r.Containers[0].Path)) {
		t.Error("other bytes when it is made again")
	}
	c, err := inspect.File(context.Background(), made, inspect.Options{})
	if err != nil || c.Outcome != "valid" || c.Records.Total != 7 {
		t.Errorf("%+v, %v", c, err)
	}
	for _, f := range c.Findings {
		t.Log(f)
	}
	// The record is found whether the annotation was written before or after the ARC was
	// compressed.
	plain := filepath.Join(dir, "plain")
	write(t, filepath.Join(plain, "old.arc"), []byte(version+record))
	o = options(t, plain)
	r = annotations(t, source, o)
	if got := inflated(t, filepath.Join(o.Out, r.Containers[0].Path)); !bytes.Contains(got,
		[]byte("WARC-Refers-To-Target-URI: http://a.org/was\r\n")) {
		t.Errorf("%+v\n%s", r, got)
	}
}
