package cdxj

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"quire/internal/testsamples"
)

// All properties of captures in a pass are restored unchanged, whatever their content.
func TestComesBack(t *testing.T) {
	m := makeOf(t, "odd.warc", []byte(odd()))
	m.compare(t)
	want := map[string]int64{LeftWebsite: 1, LeftSegment: 1, LeftNoDate: 1, LeftID: 1, LeftLong: 1, LeftCut: 1}
	if !maps.Equal(m.left, want) || len(m.lines) != 20 {
		t.Errorf("%d lines, left out %v", len(m.lines), m.left)
	}
	by := map[string]Line{}
	for _, l := range m.lines {
		by[strings.TrimSuffix(strings.TrimPrefix(l.ID, "<urn:x:"), ">")] = l
	}
	for id, want := range map[string]string{
		"1":  "a=2&b=1 200 text/html sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N 2 5 ",
		"4":  "__wb_method=post&a=1&a.2_=b 200 text/html " + by["4"].Digests[0] + " 2 2 ",
		"7":  "__wb_method=post&q=1 200 text/html " + by["7"].Digests[0] + " 2 1 ",
		"8":  " 0 text/plain sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824 2 5 ",
		"9":  " 200  sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N 2 5 ",
		"10": " 200 text/html " + by["10"].Digests[0] + fmt.Sprintf(" 2 %d gzip", len(zipped("<p>hello"))),
		"11": " 200 text/html " + by["11"].Digests[0] + " 2 1 ",
		"12": " 200 text/html md5:5d41402abc4b2a76b9719d911017c592 3 5 ",
		"13": " 0 text/plain sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N 1 5 ",
		"15": " 200 text/html sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N 0 0 ",
	} {
		l := by[id]
		_, arguments, _ := strings.Cut(l.Key, "?")
		if got := fmt.Sprint(arguments, " ", l.Status, " ", l.MIME, " ", l.Digest, " ", len(l.Digests), " ", l.Size,
			" ", l.Coding); got != want {
			t.Errorf("record %s: %q, and not %q", id, got, want)
		}
	}
	if l := by["3"]; l.Location != "http://a.example/to#x" {
		t.Errorf("%+v", l)
	}
	if l := by["15"]; l.RefersToURI != "http://a.example/X?b=1&a=2" || l.RefersToDate != "20200102030405" {
		t.Errorf("%+v", l)
	}
}

// The same container makes the same bytes, in the standard sort order.
func TestBytes(t *testing.T) {
	a, b := makeOf(t, "odd.warc", []byte(odd())), makeOf(t, "odd.warc", []byte(odd()))
	if !bytes.Equal(a.file, b.file) {
		t.Error("the bytes are others")
	}
	lines := strings.Split(strings.TrimSuffix(unzip(t, a.file), "\n"), "\n")
	if !strings.HasPrefix(lines[0],
		`!meta {"format":"Quire capture lines","version":3,"container":"containers/odd.warc",`) ||
		!slices.IsSorted(lines[:1]) || lines[0] > lines[1] {
		t.Errorf("%.200s", lines[0])
	}
	if !slices.IsSortedFunc(lines, func(a, b string) int { return strings.Compare(begin(a), begin(b)) }) {
		t.Error("they are not sorted")
	}
}

// begin returns the key and the timestamp of a line.
func begin(line string) string {
	words := strings.SplitN(line, " ", 3)
	return words[0] + " " + words[1]
}

func unzip(t testing.TB, file []byte) string {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// For all samples, the lines are restored unchanged.
func TestSamples(t *testing.T) {
	dir := testsamples.Path(t, "samples")
	manifest, err := os.ReadFile(filepath.Join(dir, "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	n, lines := 0, 0
	for line := range strings.Lines(string(manifest)) {
		column := strings.Split(line, "\t")
		if len(column) < 4 || !slices.Contains([]string{"arc", "warc", "warc-zst", "gzip", "nas-metadata"}, column[3]) {
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(column[0]))
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || info.Size() > 1<<20 || info.Size() == 0 {
			continue
		}
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		m := makeOf(t, filepath.Base(path), content)
		m.compare(t)
		n++
		lines += len(m.lines)
	}
	if n < 100 || lines < 1000 {
		t.Errorf("only %d samples were read, and %d lines", n, lines)
	}
}

// A changed file, or one of another container, is rejected. No line refers outside the container.
func TestNotBelieved(t *testing.T) {
	m := makeOf(t, "a.warc", []byte(odd()))
	text := unzip(t, m.file)
	first, rest, _ := strings.Cut(text, "\n")
	one := strings.SplitN(rest, "\n", 2)[0]
	swap := func(from, to string) string {
		if !strings.Contains(text, from) {
			t.Fatalf("%s is missing", from)
		}
		return strings.Replace(text, from, to, 1)
	}
	alone := func(begin, instead string) string { // the one line with this start
		_, line, _ := strings.Cut(text, "\n"+begin)
		line, _, _ = strings.Cut(line, "\n")
		first = strings.Replace(first, `,"segments":2`, "", 1)
		return strings.Replace(first, `"lines":20`, `"lines":1`, 1) + "\n" + instead + line + "\n"
	}
	if _, _, err := read([]byte(zipped(alone("example,a)/again 2", "example,a)/again 2"))), m.of); err != nil {
		t.Errorf("one line: %v", err)
	}
	long := strings.Repeat("x", maxLine)
	for what, text := range map[string]string{
		"another format":  swap(`"Quire capture lines"`, `"capture lines"`),
		"another version": swap(`"version":3`, `"version":4`), "version 0": swap(`"version":3`, `"version":0`),
		"no header":      rest,
		"another path":   swap(`"container":"containers/a.warc"`, `"container":"containers/b.warc"`),
		"another digest": swap(m.of.SHA512[:9], "000000000"),
		"another size":   swap(fmt.Sprintf(`"size":%d,"sha512"`, m.of.Size), `"size":1,"sha512"`),
		"fewer":          swap(`"lines":20`, `"lines":19`), "more": swap(`"lines":20`, `"lines":21`),
		"less than none": swap(`"lines":20`, `"lines":-1`), "a reason": swap(LeftLong, "so it was"),
		"a number":     swap(LeftLong+`":1`, LeftLong+`":-1`),
		"a line twice": text + one + "\n", "a line away": strings.TrimSuffix(text, "\n"),
		"not sorted":  first + "\n" + strings.Join(reversed(rest), "\n") + "\n",
		"a long line": first + "\n" + long + "\n", "a long header": long + text, "no line": first + "\n\n" + rest,
		"no object": swap(`{"url"`, `{url`),
		"outside":   swap(`"offset":"0"`, fmt.Sprintf(`"offset":"%d"`, m.of.Size)),
		"before":    swap(`"offset":"0"`, `"offset":"-1"`), "a word": swap(`"offset":"0"`, `"offset":"x"`),
		"beyond":                    swap(`"length":"`, `"length":"99`),
		"another file":              swap(`"filename":"containers/a.warc"`, `"filename":"../b"`),
		"a record before the first": swap(`"order":1,`, `"order":0,`),
		"another key":               swap("example,a)/coded 2", "example,a)/code 2"),
		"a key of control":          swap("example,a)/coded 2", "example,a)/code\x01 2"),
		"no month":                  swap("20200102030410", "20201302030410"),
		"no time":                   swap("20200102030410", "2020010203041"),
		"a type":                    swap(`"type":"response"`, `"type":"request"`),
		"a status":                  swap(`"status":"200"`, `"status":"2000"`),
		"a media type":              swap(`"mime":"text/plain"`, `"mime":"<script>"`),
		"a digest":                  swap(`"sha1":"sha1:`, `"sha1":"sha1:A`),
		"no sum":                    swap(`"sha256":"`, `"sha256":"0`),
		"digest of its own":         swap(`"digest":"sha1:`, `"digest":"sha1:A`),
		"another sum":               swap(`"payload":"`, `"payload":"x`),
		"a body":                    swap(`"body":5`, `"body":500000000`),
		"less":                      swap(`"body":5`, `"body":-5`),
		"a head":                    headed(t, text, 1<<40), "a longer head": headed(t, text, 1<<62),
		"a method":               swap(`"method":"POST"`, `"method":"GET"`),
		"a revisit":              swap(`"mime":"warc/revisit"`, `"mime":"text/html"`),
		"its payload":            swap(`"type":"revisit"`, `"type":"revisit","sha1":"`+helloSHA1+`"`),
		"listed":                 swap("!unlisted dns:a.example ", "dns:a.example "),
		"unlisted":               swap("example,a)/again 2", "!unlisted example,a)/again 2"),
		"undated":                swap("!unlisted example,a)/undated -", "example,a)/undated -"),
		"a flaw":                 swap(`"flaw":"empty"`, `"flaw":"ugly"`),
		"a long date":            swap(`"order":1,`, `"order":1,"date":"`+strings.Repeat("2", 100)+`",`),
		"listed alone":           alone("!unlisted dns:a.example ", "dns:a.example "),
		"unlisted alone":         alone("example,a)/again 2", "!unlisted example,a)/again 2"),
		"unlisted in version 1":  strings.Replace(text, `"version":3`, `"version":1`, 1),
		"more segments":          swap(`"segments":2`, `"segments":3`),
		"no segments":            swap(`"segments":2`, `"segments":-2`),
		"segment in version 2":   strings.Replace(text, `"version":3`, `"version":2`, 1),
		"a listed segment":       swap("!segment example,a)/part 2", "example,a)/part 2"),
		"a listed segment alone": alone("!segment example,a)/part 2", "example,a)/part 2"),
		"an unlisted segment":    swap("!segment example,a)/part -", "!unlisted example,a)/part -"),
		"a segment of none":      swap(`"segment":2`, `"segment":0`),
		"a segment below 1":      swap(`"segment":2`, `"segment":-2`),
		"a segment beyond":       swap(`"segment":2`, `"segment":20000000`),
		"a second first":         swap(`"segment":2`, `"segment":1`),
		"the first as second":    swap(`"segment":1`, `"segment":2`),
		"no origin":              swap(`"origin":"<urn:x:18>"`, `"origin":""`),
		"a total below 0":        swap(`"total":24`, `"total":-24`),
		"a total of no segment":  swap(`"order":1,`, `"order":1,"total":5,`),
		"a stated text":          swap(`"stated":"sha1:`, `"stated":"sha1:A`),
		"its date":               swap(`"refersToDate":"2020`, `"refersToDate":"20x0`), "nothing": "",
	} {
		_, _, err := read([]byte(zipped(text)), m.of)
		if !errors.As(err, new(*UnusableError)) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for what, file := range map[string][]byte{"cut": m.file[:len(m.file)-9],
		"more": append(slices.Clone(m.file), "more"...), "plain": []byte(text), "empty": {}} {
		if _, _, err := read(file, m.of); !errors.As(err, new(*UnusableError)) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, _, err := read(m.file, Container{Path: m.of.Path, Size: m.of.Size}); !errors.As(err, new(*UnusableError)) {
		t.Errorf("of an unknown container: %v", err)
	}
}

// headed sets the size of the first record's head, and makes room for it in the record.
func headed(t *testing.T, text string, n int64) string {
	t.Helper()
	lengths := regexp.MustCompile(`"record":\d+,"head":[1-9]\d*`)
	at := lengths.FindStringIndex(text)
	if at == nil {
		t.Fatal("no record has a head")
	}
	return text[:at[0]] + fmt.Sprintf(`"record":%d,"head":%d`, n+1<<20, n) + text[at[1]:]
}

func reversed(text string) []string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	slices.Reverse(lines)
	return lines
}

// A disk error is not an error of the file: a later reading may succeed.
func TestDisk(t *testing.T) {
	m := makeOf(t, "a.warc", []byte(odd()))
	gone := errors.New("gone")
	for _, n := range []int{0, 5, len(m.file) / 2, len(m.file) - 1} {
		_, err := Read(io.MultiReader(bytes.NewReader(m.file[:n]), failing{gone}), m.of, func(*Line) error {
			return nil
		})
		if !errors.Is(err, gone) || errors.As(err, new(*UnusableError)) {
			t.Errorf("after %d bytes: %v", n, err)
		}
	}
	if _, err := Read(bytes.NewReader(m.file), m.of, func(*Line) error { return gone }); !errors.Is(err, gone) {
		t.Errorf("%v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// For any file content, the lines read are possible for the container, and nothing panics.
func FuzzRead(f *testing.F) {
	m := makeOf(f, "a.warc", []byte(odd()))
	text := unzip(f, m.file)
	f.Add(text)
	for i := range strings.Count(text, "\n") {
		lines := strings.SplitAfter(text, "\n")
		f.Add(lines[0] + lines[i])
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, lines, err := read([]byte(zipped(text)), m.of)
		if err != nil && !errors.As(err, new(*UnusableError)) {
			t.Error(err)
		}
		for _, l := range lines {
			if l.Offset < 0 || l.Offset >= m.of.Size || l.Stored > m.of.Size-l.Offset || len(l.URL) > MaxURL ||
				len(l.Timestamp) != 14 && !l.Unlisted || len(l.SHA256) != 64 {
				t.Errorf("%+v", l)
			}
		}
	})
}
