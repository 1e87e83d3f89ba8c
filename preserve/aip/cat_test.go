package aip

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// cat returns the bytes of a part, and the reported problem.
func cat(t testing.TB, dir, id string, decoded bool) (string, error) {
	t.Helper()
	p, err := FindPart(context.Background(), dir, id)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	err = p.Write(context.Background(), dir, &out, decoded)
	return out.String(), err
}

// In every form of container, each part is the content that its element delimits (clause 2.8).
func TestCat(t *testing.T) {
	for name, s := range layouts(t) {
		t.Run(name, func(t *testing.T) {
			dir := s.write(t)
			for n := 1; n <= 3; n++ {
				plain := fmt.Sprintf("%s<!-- %d -->", served, n)
				body := plain
				if n != 2 {
					body = chunked(gzipped(t, plain))
				}
				content, _ := record(body)
				for _, c := range []struct {
					kind    string
					decoded bool
					want    string
				}{{"r", false, content}, {"r", true, content}, {"b", false, body}, {"b", true, plain},
					{"s", false, plain}, {"m", true, content}} {
					if c.kind == "s" && n == 2 || c.kind == "m" && s.undo != nil || c.kind == "m" && name == "plain" {
						continue
					}
					got, err := cat(t, dir, fmt.Sprintf("FILE-c1-%s%d", c.kind, n), c.decoded)
					if err != nil || got != c.want {
						t.Errorf("%s%d, decoded %v: %.80q, %v; want %.80q", c.kind, n, c.decoded, got, err, c.want)
					}
				}
			}
			path := s.paths(ContainersDir)[0]
			if got, err := cat(t, dir, "FILE-c1", false); err != nil || got != s.files[path] {
				t.Errorf("the container: %d bytes, %v", len(got), err)
			}
			if got, err := cat(t, dir, "FILE-l1", true); err != nil || got != "one line\n" {
				t.Errorf("the log: %q, %v", got, err)
			}
		})
	}
}

// Content that differs from the METS is written and reported; unreachable content is reported.
func TestCatTells(t *testing.T) {
	good := memberwise(t, algorithmGzip, func(c string) string { return gzipped(t, c) })
	path := good.paths(ContainersDir)[0]
	for _, c := range []struct {
		name, id string
		decoded  bool
		edit     func(string) string
		after    func(testing.TB, string)
		want     string
		written  bool // written nevertheless
	}{
		{name: "another digest", id: "FILE-c1-s1", edit: edit(`ID="FILE-c1-s1"`, `CHECKSUM="`, `CHECKSUM="0`),
			want: "has SHA-256", written: true},
		{name: "another size", id: "FILE-c1-s1", edit: edit(`ID="FILE-c1-s1"`, `SIZE="`, `SIZE="1`),
			want: "bytes; mets.xml says 1", written: true},
		{name: "a size that is not END - BEGIN + 1", id: "FILE-c1-r2",
			edit: edit(`ID="FILE-c1-r2"`, `SIZE="`, `SIZE="1`), want: "bytes; mets.xml says 1", written: true},
		{name: "beyond the file", id: "FILE-c1-m3", edit: edit(`ID="FILE-c1-m3"`, `END="`, `END="9`),
			want: "beyond its end: it has"},
		{name: "beyond the member", id: "FILE-c1-r1", edit: edit(`ID="FILE-c1-r1"`, `END="`, `END="9`),
			want: "ends after", written: true},
		{name: "begins beyond the member", id: "FILE-c1-b1", edit: edit(`ID="FILE-c1-b1"`, `BEGIN="`, `BEGIN="9`),
			want: "before it begins"}, {name: "begins beyond the record", id: "FILE-c1-b1",
			edit: edit(`ID="FILE-c1-b1"`, `" END="`, `0" END="9`), want: "and ends before byte"},
		{name: "END before BEGIN", id: "FILE-c1-b2", edit: edit(`ID="FILE-c1-b2"`, `END="`, `END="0" x="`),
			want: "before it begins"},
		{name: "END alone", id: "FILE-c1-b2", edit: edit(`ID="FILE-c1-b2"`, `BEGIN="`, `x="`),
			want: "has END but no BEGIN"},
		{name: "an unknown transformation", id: "FILE-c1-r1",
			edit: swap(`"application/gzip"`, `"application/rot13"`), want: `"application/rot13", which is not known`},
		{name: "decryption", id: "FILE-c1-r1", edit: swap(`"decompression"`, `"decryption"`), want: "cannot be undone"},
		{name: "two of one order", id: "FILE-c1-s1",
			edit: edit(`ALGORITHM="chunked"`, `<mets:transformFile TRANSFORMORDER="2"`,
				`<mets:transformFile TRANSFORMORDER="1"`),
			want: "two transformations of TRANSFORMORDER 1"},
		{name: "its own transformation, decoded", id: "FILE-c1-m1", decoded: true,
			edit: swap(`"application/gzip"`, `"x"`), want: "not known"},
		{name: "its own transformation, as it is", id: "FILE-c1-m1", edit: swap(`"application/gzip"`, `"x"`),
			written: true},
		{name: "not coded so", id: "FILE-c1-s1", edit: swap(`"chunked"`, `"zstd"`), want: "not coded in zstd",
			written: true},
		{name: "not coded so, decoded", id: "FILE-c1-b1", decoded: true, edit: swap(`"chunked"`, `"br"`),
			want: "cannot be undone to the end"},
		{name: "a damaged member", id: "FILE-c1-s1", after: change(path, flip), written: true},
		{name: "a damaged member, where it is damaged", id: "FILE-c1-b2", after: change(path, func(b []byte) []byte {
			for i := len(b)/2 - 40; i < len(b)/2+40; i++ {
				b[i] = 0xff
			}
			return b
		}), want: "corrupt"},
		{name: "a file cut off", id: "FILE-c1-m3", after: change(path, func(b []byte) []byte { return b[:len(b)-9] }),
			want: "beyond its end"},
		{name: "a file that is missing", id: "FILE-c1-m3", after: remove(path), want: "is missing"},
		{name: "a path out of the package", id: "FILE-c1-m3", edit: swap("containers/a.warc.gz", "../a.warc.gz"),
			want: "no path within the package"},
		{name: "a link in its place", id: "FILE-c1-m3", after: link(path, "/etc/hostname"), want: "symbolic link"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := good
			s.edit = c.edit
			dir := s.write(t)
			if c.after != nil {
				c.after(t, dir)
			}
			got, err := cat(t, dir, c.id, c.decoded)
			var wrong *PartError
			switch {
			case c.want == "":
				if err != nil || got == "" {
					t.Errorf("%d bytes, %v", len(got), err)
				}
			case !errors.As(err, &wrong) || !strings.Contains(err.Error(), c.want) || (got != "") != c.written:
				t.Errorf("%d bytes, %v; want %q", len(got), err, c.want)
			}
		})
	}
}

// edit returns an edit of the first occurrence of a text after another.
func edit(behind, from, to string) func(string) string {
	return func(s string) string {
		before, rest, found := strings.Cut(s, behind)
		if !found {
			return s
		}
		return before + behind + strings.Replace(rest, from, to, 1)
	}
}

func TestNoPart(t *testing.T) {
	dir := ordinary().write(t)
	if _, err := cat(t, dir, "FILE-c9", false); !errors.Is(err, ErrNoPart) || !strings.Contains(err.Error(), "--list") {
		t.Error(err)
	}
	if _, err := cat(t, t.TempDir(), "FILE-c1", false); !errors.Is(err, ErrNoPackage) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	p, err := FindPart(ctx, dir, "FILE-c1")
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := p.Write(ctx, dir, &bytes.Buffer{}, false); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := FindPart(ctx, dir, "FILE-c1"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestParts(t *testing.T) {
	s := memberwise(t, algorithmGzip, func(c string) string { return gzipped(t, c) })
	var got []string
	err := Parts(context.Background(), s.write(t), func(p *Part) error {
		got = append(got, fmt.Sprintf("%d %s %s %s %s", p.Depth, p.ID, p.Use, p.Path, p.Name))
		return nil
	})
	in := " DigitalManifestation containers/a.warc.gz "
	want := []string{
		"0 FILE-c1" + in + "containers/a.warc.gz",
		"1 FILE-c1-m1" + in, "2 FILE-c1-r1" + in, "3 FILE-c1-b1" + in + "http://harbour.example/1", "4 FILE-c1-s1" + in,
		"1 FILE-c1-m2" + in, "2 FILE-c1-r2" + in, "3 FILE-c1-b2" + in + "http://harbour.example/2",
		"1 FILE-c1-m3" + in, "2 FILE-c1-r3" + in, "3 FILE-c1-b3" + in + "http://harbour.example/3", "4 FILE-c1-s3" + in,
		"0 FILE-l1 Logfile logs/crawl.log logs/crawl.log",
	}
	if err != nil || strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%v\n%s", err, strings.Join(got, "\n"))
	}
}
