package antivirus_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"quire/model"
	"quire/preserve/antivirus"
	"quire/preserve/inspect"
)

// script makes a shell script.
func script(t *testing.T, lines string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cleaner.sh")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+lines+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func record(kind, id, uri, block string) string {
	return fmt.Sprintf("WARC/1.1\r\nWARC-Type: %s\r\nWARC-Record-ID: %s\r\nWARC-Date: 2024-01-02T03:04:05Z\r\n"+
		"WARC-Target-URI: %s\r\n"+
		"Content-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", kind, id, uri,
		len(block), block)
}

func TestCleaning(t *testing.T) {
	const chunked = "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n" +
		"4\r\nevil\r\n5\r\n word\r\n0\r\n\r\n"
	container := record("response", "<urn:x:1>", "http://a.example/1", "HTTP/1.1 200 OK\r\n\r\nnothing") +
		record("response", "<urn:x:2>", "http://a.example/2", chunked) +
		record("response", "<urn:x:3>", "http://a.example/3",
			"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b") +
		record("response", "<urn:x:4>", "http://a.example/4", "HTTP/1.1 200 OK\r\n\r\nstubborn")
	c, err := antivirus.NewCleaner(script(t,
		`grep -q stubborn "$1" && { echo cannot >&2; exit 3; }; sed s/evil/good/ "$1" >"$2"`) + " {input} {output}")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	r, err := c.Begin(&out, antivirus.CleaningOptions{Software: "Quire test",
		Date: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}()
	var came []string
	infected := map[int64]bool{2: true, 3: true, 4: true}
	_, err = inspect.Reader(t.Context(), strings.NewReader(container), inspect.Options{
		Served: func(rec model.Record) inspect.Served {
			if !infected[rec.Order] {
				return nil
			}
			return r.Content()
		},
		Record: func(rec model.Record) error {
			if !infected[rec.Order] {
				return nil
			}
			failed, err := r.Record(t.Context(), &rec)
			came = append(came, fmt.Sprintf("%d %s: %s", rec.Order, rec.ID, failed))
			return err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"2 <urn:x:2>: ",
		"3 <urn:x:3>: what is served cannot be read to its end",
	}
	if len(came) != 3 || !reflect.DeepEqual(came[:2], want) || !strings.HasPrefix(came[2], "4 <urn:x:4>: ") ||
		!strings.HasSuffix(came[2], "cannot") {
		t.Errorf("it received %q", came)
	}
	z, err := gzip.NewReader(&out)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"WARC-Type: conversion\r\n", "WARC-Refers-To: <urn:x:2>\r\n",
		"WARC-Target-URI: http://a.example/2\r\n",
		"Content-Type: text/plain; charset=utf-8\r\n", "Content-Length: 9\r\n", "\r\n\r\ngood word\r\n\r\n",
		"software: Quire test\r\n"} {
		if !strings.Contains(string(text), part) {
			t.Errorf("the WARC lacks %q:\n%s", part, text)
		}
	}
	if n := strings.Count(string(text), "WARC/1.1\r\n"); n != 2 {
		t.Errorf("%d records, want a warcinfo and a conversion", n)
	}
}
