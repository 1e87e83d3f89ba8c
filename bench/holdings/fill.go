package main

import (
	"bytes"
	"context"
	"crypto/sha512"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/pack"
	"quire/repository/store"
)

// record is the one record of the container.
const record = "WARC/1.1\r\nWARC-Type: response\r\n" +
	"WARC-Record-ID: <urn:uuid:6b1f2b8e-0000-4000-8000-000000000001>\r\n" +
	"WARC-Date: 2020-01-01T00:00:00Z\r\nWARC-Target-URI: http://example.org/\r\n" +
	"Content-Type: application/http;msgtype=response\r\nContent-Length: 92\r\n\r\n" +
	"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 28\r\n\r\n<title>site-00000000</title>\r\n\r\n"

// name is the identifier and title of a package. All have the same length.
func name(n int) string { return fmt.Sprintf("site-%08d", n) }

// blanks are the blanks between two elements: without them the METS needs half the space.
var blanks = regexp.MustCompile(`>\n *<`)

// template packs one container and returns the folder and its METS.
func (b *bench) template(ctx context.Context) (folder string, mets []byte, err error) {
	source := filepath.Join(b.work, "source")
	rights := filepath.Join(b.work, "rights.yaml")
	err = errors.Join(os.MkdirAll(source, 0o750),
		os.WriteFile(filepath.Join(source, "a.warc"), []byte(record), 0o600),
		os.WriteFile(rights, []byte("access: open\n"), 0o600))
	if err != nil {
		return "", nil, err
	}
	folder = filepath.Join(b.work, "package")
	_, err = pack.Pack(ctx, []string{source}, pack.Options{Out: folder, ID: name(0), Title: name(0), Rights: rights,
		Agent: model.Agent{Name: "bench/holdings"}})
	if err != nil {
		return "", nil, err
	}
	mets, err = os.ReadFile(filepath.Join(folder, aip.METSName))
	return folder, blanks.ReplaceAll(mets, []byte("><")), err
}

// ingest makes the repository.
func (b *bench) ingest(ctx context.Context) (err error) {
	folder, mets, err := b.template(ctx)
	if err != nil {
		return err
	}
	s, err := store.Init(ctx, b.repo(), store.InitOptions{Describe: aip.Describe, Software: "bench/holdings",
		Copies: []string{filepath.Join(b.work, "copy")}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	for n := 1; n <= b.packages; n++ {
		text := bytes.ReplaceAll(mets, []byte(name(0)), []byte(name(n)))
		side := fmt.Sprintf("%x  mets.xml\n", sha512.Sum512(text))
		err := errors.Join(os.WriteFile(filepath.Join(folder, aip.METSName), text, 0o600),
			os.WriteFile(filepath.Join(folder, aip.DigestName), []byte(side), 0o600))
		if err != nil {
			return err
		}
		if _, err := s.Ingest(ctx, folder, store.IngestOptions{}); err != nil {
			return err
		}
		if n%10_000 == 0 {
			fmt.Fprintf(os.Stderr, "holdings: %d packages are stored\n", n)
		}
	}
	return nil
}
