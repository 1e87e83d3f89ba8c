//go:build interop

package clamav

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/clamdtest"
	"quire/internal/testsamples"
	"quire/model"
	"quire/preserve/antivirus"
	"quire/preserve/inspect"
)

// response returns a WARC record of an HTTP message.
func response(id, head string, body []byte) []byte {
	message := append([]byte("HTTP/1.1 200 OK\r\n"+head+"\r\n"), body...)
	return append(fmt.Appendf(nil,
		"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:%s>\r\nWARC-Date: 2024-01-02T03:04:05Z\r\n"+
			"WARC-Target-URI: http://x.example/%s\r\nContent-Type: application/http;msgtype=response\r\n"+
			"Content-Length: "+
			"%d\r\n\r\n%s", id, id, len(message), message), "\r\n\r\n"...)
}

func gzipped(t *testing.T, content []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zipped(t *testing.T, content []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("folder/file.com")
	if err == nil {
		_, err = w.Write(content)
	}
	if err = errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// chunked encodes content in chunks with a border inside the virus.
func chunked(content []byte) []byte {
	var b []byte
	for len(content) > 0 {
		n := min(20, len(content))
		b = fmt.Appendf(b, "%x\r\n%s\r\n", n, content[:n])
		content = content[n:]
	}
	return append(b, "0\r\n\r\n"...)
}

// container returns a file with EICAR in every form of transfer on the web, between clean records.
func container(t *testing.T) (file []byte, infected map[string]int64) {
	t.Helper()
	eicar := []byte(clamdtest.EICAR())
	html := []byte("<!DOCTYPE html><html><head><title>x</title></head><body><p>" + clamdtest.EICAR() +
		"</p></body></html>")
	clean := []byte("<!DOCTYPE html><html><body><p>nothing is wrong with this</p></body></html>")
	noise := make([]byte, 700<<10)
	rand.New(rand.NewSource(1)).Read(noise) //nolint:gosec // the same bytes every time
	infected = map[string]int64{}
	add := func(id, head string, body []byte, virus bool) {
		if virus {
			infected["<urn:x:"+id+">"] = int64(len(file))
		}
		file = append(file, response(id, head, body)...)
	}
	add("clean-html", "Content-Type: text/html\r\n", clean, false)
	add("plain", "", eicar, true)
	add("html", "Content-Type: text/html\r\n", html, true)
	add("clean-gzip", "Content-Encoding: gzip\r\n", gzipped(t, clean), false)
	add("gzip", "Content-Type: text/html\r\nContent-Encoding: gzip\r\n", gzipped(t, html), true)
	add("chunked", "Transfer-Encoding: chunked\r\n", chunked(html), true)
	add("gzip-chunked", "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", chunked(gzipped(t, html)), true)
	add("clean-zip", "Content-Type: application/zip\r\n", zipped(t, clean), false)
	add("zip", "Content-Type: application/zip\r\n", zipped(t, eicar), true)
	add("long", "", append(bytes.Clone(noise), eicar...), true)
	add("clean-long", "", noise, false)
	return file, infected
}

// Debian's clamd flags each infected record at its position, and no other.
func TestEveryFormOfEICAR(t *testing.T) {
	d := newDaemon(t)
	d.start(t)
	file, infected := container(t)
	got, err := inspect.Reader(context.Background(), bytes.NewReader(file),
		inspect.Options{Scan: d.scanner(t, antivirus.Options{})})
	if err != nil {
		t.Fatal(err)
	}
	s := got.Scan
	t.Logf("%s: %d scanned, %d infected, %d not scanned", s.Scanners, s.Scanned, s.Infected, s.NotScanned)
	if s.Outcome != model.ScanInfected || s.Scanned != got.Records.Total || s.NotScanned != 0 ||
		len(s.Found) != len(infected) {
		t.Errorf("%+v", s)
	}
	for _, f := range s.Found {
		offset, ok := infected[f.Record]
		if !ok || offset != f.Offset || f.Signature != signature+".UNOFFICIAL" &&
			f.Signature != htmlSignature+".UNOFFICIAL" {
			t.Errorf("found %+v; infected are %v", f, infected)
		}
	}
	if len(s.Scanners) != 1 || s.Scanners[0].Name != "ClamAV" || s.Scanners[0].Version == "" {
		t.Errorf("scanners %+v", s.Scanners)
	}
}

// A record longer than StreamMaxLength or MaxFileSize is reported, and the following records are
// scanned.
func TestLimits(t *testing.T) {
	d := newDaemon(t)
	d.start(t)
	file := append(response("large", "", make([]byte, 5<<20)), response("long", "", make([]byte, 3<<19))...)
	file = append(file, response("virus", "", []byte(clamdtest.EICAR()))...)
	got, err := inspect.Reader(context.Background(), bytes.NewReader(file),
		inspect.Options{Scan: d.scanner(t, antivirus.Options{})})
	if err != nil {
		t.Fatal(err)
	}
	if s := got.Scan; s.Infected != 1 || s.NotScanned != 2 ||
		!strings.Contains(fmt.Sprint(s.Reasons), "StreamMaxLength") ||
		!strings.Contains(fmt.Sprint(s.Reasons), "Heuristics.Limits.Exceeded.MaxFileSize") {
		t.Errorf("%+v", s)
	}
}

// clamd is killed during a run. If clamd is required, the pass ends. Otherwise every unscanned
// record is reported, and none is called clean. After a restart of clamd, all infections are found.
func TestKilledInMidRun(t *testing.T) {
	d := newDaemon(t)
	file, infected := container(t)
	whole := bytes.Repeat(file, 20)
	for _, optional := range []bool{false, true} {
		d.start(t)
		n, clean := int64(0), int64(0)
		got, err := inspect.Reader(context.Background(), bytes.NewReader(whole), inspect.Options{
			Scan: d.scanner(t, antivirus.Options{Optional: optional}),
			Record: func(r model.Record) error {
				if n++; n == 50 {
					d.stop()
				}
				if r.Scan == model.ScanClean {
					clean++
					if infected[r.ID] > 0 {
						t.Errorf("%s is called clean", r.ID)
					}
				}
				return nil
			},
		})
		var away *antivirus.AwayError
		switch {
		case !optional:
			if !errors.As(err, &away) {
				t.Errorf("the pass says %v", err)
			}
			t.Logf("ended: %v", err)
		case err != nil:
			t.Error(err)
		default:
			s := got.Scan
			t.Logf("%s: %d scanned, %d infected, %d not scanned", s.Outcome, s.Scanned, s.Infected, s.NotScanned)
			if s.NotScanned == 0 || s.Scanned+s.NotScanned != got.Records.Total || got.Records.Total != n ||
				n != 20*11 || clean != s.Scanned-s.Infected {
				t.Errorf("%+v of %d records, %d reported", s, got.Records.Total, n)
			}
		}
		d.stop()
	}
	d.start(t)
	got, err := inspect.Reader(context.Background(), bytes.NewReader(whole),
		inspect.Options{Scan: d.scanner(t, antivirus.Options{})})
	if err != nil || got.Scan.Infected != int64(20*len(infected)) || got.Scan.NotScanned != 0 {
		t.Errorf("afterwards: %v, %+v", err, got)
	}
}

// The binary packs infected records and reports them, and the package validates. Without clamd no
// package is made.
func TestPack(t *testing.T) {
	d := newDaemon(t)
	d.start(t)
	file, infected := container(t)
	dir := t.TempDir()
	source, out := filepath.Join(dir, "x.warc"), filepath.Join(dir, "package")
	if err := os.WriteFile(source, file, 0o600); err != nil {
		t.Fatal(err)
	}
	status := func(args ...string) (int, string) {
		cmd := exec.Command("../../build/quire", args...)
		said, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		return cmd.ProcessState.ExitCode(), string(said)
	}
	if code, said := status("pack", source, "--out", out, "--clamd", d.socket); code != 1 {
		t.Errorf("status %d: %s", code, said)
	}
	if code, said := status("validate", out); code != 0 {
		t.Errorf("status %d: %s", code, said)
	}
	mets, err := os.ReadFile(filepath.Join(out, "mets.xml"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(mets), "infected: "+signature); n != len(infected) ||
		!strings.Contains(string(mets), "viral, failed but forced") {
		t.Errorf("the METS lists %d of %d", n, len(infected))
	}
	cleaner := filepath.Join(dir, "wash")
	if err := os.WriteFile(cleaner, []byte("#!/bin/sh\necho 'it was infected' >\"$2\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if code, said := status("pack", source, "--out", out+"1", "--clamd", d.socket, "--cleaner",
		cleaner+" {input} {output}", "--profile", "full"); code != 0 {
		t.Errorf("cleaned, status %d: %s", code, said)
	}
	if code, said := status("validate", out+"1", "--schemas", testsamples.Path(t, "schemas")); code != 0 {
		t.Errorf("cleaned, status %d: %s", code, said)
	}
	if code, said := status("cat", out+"1", "FILE-c2-b2"); code != 0 || said != "it was infected\n" {
		t.Errorf("cleaned, status %d: %s", code, said)
	}
	if mets, err = os.ReadFile(filepath.Join(out+"1", "mets.xml")); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(mets), ">cleanedFile<"); n != len(infected) ||
		!strings.Contains(string(mets), "viral, cleaned: ") {
		t.Errorf("of %d infected records, %d have a relationship to a derived object in the METS", len(infected), n)
	}
	d.stop()
	if code, said := status("pack", source, "--out", out+"2", "--clamd", d.socket); code != 2 ||
		!strings.Contains(said, "clamd") {
		t.Errorf("status %d: %s", code, said)
	}
	if _, err := os.Stat(out + "2"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("left behind: %v", err)
	}
}
