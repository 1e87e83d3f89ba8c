package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"syscall"
	"time"

	"quire/preserve/aip"
	"quire/repository/store"
)

// step is a part of the ingest.
type step struct {
	Stored    int // packages at its end
	CPU, Wall time.Duration
	RSS       int64 // peak of the process so far, in bytes
}

// Rate is the number of packages in a second of processor time.
func (s step) Rate(n int) float64 { return float64(n) / s.CPU.Seconds() }

// ingest stores all packages by one process, as `quire ingest` of many folders does.
func (m *measurement) ingest(ctx context.Context) (err error) {
	folder, mets, err := m.template()
	if err != nil {
		return err
	}
	s, err := store.Init(ctx, m.repo(), store.InitOptions{Describe: aip.Describe, Software: "bench/store",
		Copies: []string{m.copy(1), m.copy(2)}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	part := max(1, m.Packages/10)
	cpu, _ := used()
	begin := time.Now()
	for n := 1; n <= m.Packages; n++ {
		if err := renamed(folder, mets, name(n)); err != nil {
			return err
		}
		if _, err := s.Ingest(ctx, folder, store.IngestOptions{}); err != nil {
			return err
		}
		if n%part == 0 {
			now, rss := used()
			m.Steps = append(m.Steps, step{n, now - cpu, time.Since(begin), rss})
			fmt.Fprintf(os.Stderr, "store: %d packages, %.0f a CPU second\n", n, m.Steps[len(m.Steps)-1].Rate(part))
			cpu, begin = now, time.Now()
		}
	}
	return nil
}

// name is the identifier of a package. All have the same length.
func name(n int) string { return fmt.Sprintf("site-%08d", n) }

// record is the one record of the container.
const record = "WARC/1.1\r\nWARC-Type: response\r\n" +
	"WARC-Record-ID: <urn:uuid:6b1f2b8e-0000-4000-8000-000000000001>\r\n" +
	"WARC-Date: 2020-01-01T00:00:00Z\r\nWARC-Target-URI: http://example.org/\r\n" +
	"Content-Type: application/http;msgtype=response\r\nContent-Length: 70\r\n\r\n" +
	"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 6\r\n\r\nhello\n\r\n\r\n"

// blanks are the blanks between two elements.
var blanks = regexp.MustCompile(`>\n *<`)

// template packs one container and returns the folder and its METS.
func (m *measurement) template() (folder string, mets []byte, err error) {
	source := filepath.Join(m.work, "source.warc.gz")
	var member bytes.Buffer
	z := gzip.NewWriter(&member)
	_, err = z.Write([]byte(record))
	if err = errors.Join(err, z.Close(), os.WriteFile(source, member.Bytes(), 0o600)); err != nil {
		return "", nil, err
	}
	folder = filepath.Join(m.work, "package")
	if _, err := call(m.quire, "pack", source, "--out", folder, "--id", name(0)); err != nil {
		return "", nil, err
	}
	mets, err = os.ReadFile(filepath.Join(folder, "mets.xml"))
	return folder, blanks.ReplaceAll(mets, []byte("><")), err
}

// renamed gives the package in folder another identifier.
func renamed(folder string, mets []byte, id string) error {
	text := bytes.ReplaceAll(mets, []byte(name(0)), []byte(id))
	side := fmt.Sprintf("%x  mets.xml\n", sha512.Sum512(text))
	return errors.Join(os.WriteFile(filepath.Join(folder, "mets.xml"), text, 0o600),
		os.WriteFile(filepath.Join(folder, "mets.xml.sha512"), []byte(side), 0o600))
}

// used returns processor time and peak memory of this process.
func used() (cpu time.Duration, rss int64) {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0, 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano()), r.Maxrss << 10
}
