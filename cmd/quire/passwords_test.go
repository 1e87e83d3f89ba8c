package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPasswords: a harvest that logged in has passwords in its URLs, in its log and in its pages. No command prints
// them, and no export has them outside the records.
func TestPasswords(t *testing.T) {
	workplace(t)
	if err := os.Mkdir("login", 0o777); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("login/login.warc", loginWARC())
	write("login/crawl.log", "2024-01-02T03:04:06.000Z    -2  - http://me:hunter2@a.test/gone L "+
		"http://me:hunter2@a.test/ unknown #001 20240102030405000+3 - - -\n")
	write("rights.yaml", "access: open\n")
	for _, step := range []struct {
		args   string
		status int
		want   string // in the output, including errors
	}{
		{"inspect login/login.warc", 0, "http://me:…@b test/"},
		{"inspect login/login.warc --json", 0, "http://me:…@b test/"},
		{"inspect login/login.warc --format containermd --verbose", 0, "http://me:…@b test/"},
		{"inspect login/login.warc --format containermd --verbose --out md", 0, ""},
		{"inspect login/login.warc --format html", 0, "http://me:…@b test/"},
		{"identify-source login --verbose --fetches", 0, "1 lines of the log"},
		{"identify-source login --json --fetches", 0, "heritrix"},
		{"reconcile login --list missing.txt", 1, ""},
		{"describe pages login", 0, "http://me:…@a.test/"},
		{"salvage login/login.warc --out salvaged", 0, ""},
		{"pack login --out p --id one --rights rights.yaml", 0, "packed one"},
		{"rights p --url http://me:hunter2@a.test/ --json", 0, "http://me:…@a.test/"},
		{"init r", 0, "copy-3"},
		{"ingest p --repo r", 0, "verified in every copy"},
		{"index --repo r", 0, ""},
		{"index --repo r --export cdxj --out x.cdxj", 0, ""},
		{"search coffee --repo r --json", 0, `"total":1`},
		{"list r", 2, ""},
	} {
		args := strings.Fields(step.args)
		status, out, errs := call(t, args...)
		if status != step.status || !strings.Contains(out+errs, step.want) || strings.Contains(out+errs, "hunter2") {
			t.Errorf("quire %s: status %d, want %d with %q\n%s%s", step.args, status, step.status, step.want, out, errs)
		}
	}
	for _, form := range []string{"wacz", "warc", "mirror", "dspace-saf", "dspace-mets", "eark", "mets", "bagit"} {
		status, out, errs := call(t, "export", "one", "--repo", "r", "--as", form, "--out", "x."+form)
		if status != exitGood {
			t.Errorf("%s: %d %s%s", form, status, out, errs)
		}
	}
	status, out, errs := call(t, "export", "--repo", "r", "--as", "parquet", "--out", "x.parquet")
	if status != exitGood {
		t.Errorf("parquet: %d %s%s", status, out, errs)
	}
	unzip(t, "x.wacz", "x.unzipped")
	files := 0
	for _, root := range []string{"p/mets.xml", "md", "x.cdxj", "missing.txt", "salvaged", "x.unzipped", "x.warc",
		"x.mirror", "x.dspace-saf", "x.dspace-mets", "x.eark", "x.mets", "x.bagit", "x.parquet"} {
		err := filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			files++
			text, err := os.ReadFile(name)
			if strings.Contains(string(text), "hunter2") {
				t.Errorf("%s has the password: %.300q", name, text[max(0, bytes.Index(text, []byte("hunter2"))-200):])
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	if files < 40 {
		t.Errorf("only %d files were read", files)
	}
	status, raw, errs := call(t, "cat", "p", "FILE-c1")
	if status != exitGood || raw != loginWARC() {
		t.Errorf("cat: %d, %d bytes; %s", status, len(raw), errs)
	}
}

// loginWARC returns records with passwords in their URLs, and a record that breaks a rule with one. The page has none:
// exports copy pages as they are.
func loginWARC() string {
	var all strings.Builder
	add := func(kind, uri, contentType, block string) {
		fmt.Fprintf(&all, "WARC/1.0\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:x:%d>\r\n"+
			"WARC-Date: 2024-01-02T03:04:05Z\r\nWARC-Target-URI: %s\r\n"+
			"Content-Type: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", kind, all.Len(), uri,
			contentType, len(block), block)
	}
	const page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>Front page</title>coffee"
	add("response", "http://me:hunter2@a.test/", "application/http;msgtype=response", page)
	add("response", "http://me:hunter2@a.test/old", "application/http;msgtype=response",
		"HTTP/1.1 302 Found\r\nLocation: http://me:hunter2@a.test/\r\n\r\n")
	add("response", "http://a.test/login?to=ftp://me:hunter2@c.test/x&u=http%3A%2F%2Fme%3Ahunter2%40c.test",
		"application/http;msgtype=response", page)
	add("metadata", "http://me:hunter2@a.test/", "application/warc-fields", "via: http://me:hunter2@a.test/x\r\n")
	add("response", "http://me:hunter2@b test/", "application/http;msgtype=response", page)
	return all.String()
}

// unzip unpacks a ZIP file, so that its compressed members can be searched.
func unzip(t *testing.T, name, to string) {
	t.Helper()
	z, err := zip.OpenReader(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = z.Close() }()
	for i, f := range z.File {
		if strings.HasSuffix(f.Name, ".warc.gz") || f.FileInfo().IsDir() {
			continue
		}
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err == nil {
			err = os.MkdirAll(to, 0o777)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(to, fmt.Sprint(i)), text, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestPasswordsInResults: a file of results conceals passwords, as the screen does.
func TestPasswordsInResults(t *testing.T) {
	name := filepath.Join(t.TempDir(), "list")
	f, err := newResultFile(name)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.WriteString(f, "http://me:hunter2@a.test/")
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(name); err != nil || string(text) != "http://me:…@a.test/" {
		t.Errorf("%v, %q", err, text)
	}
}
