package salvage

import (
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/format/warc"
	"quire/model"
	"quire/preserve/convert/arcwarc"
	"quire/preserve/inspect"
)

const day = "2024-01-02T03:04:"

// record returns a record with the digest of its block. n is its number, and the seconds of its date.
func record(n int, kind, block string, fields ...string) string {
	sum := sha1.Sum([]byte(block))
	head := fmt.Sprintf("WARC/1.0\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:r:%d>\r\nWARC-Date: %s%02dZ\r\n",
		kind, n, day, n)
	if kind != "warcinfo" {
		head += fmt.Sprintf("WARC-Target-URI: http://example.org/%d\r\n", n)
	}
	for _, f := range fields {
		head += f + "\r\n"
	}
	const rest = "WARC-Block-Digest: sha1:%s\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n"
	return fmt.Sprintf("%s"+rest, head, base32.StdEncoding.EncodeToString(sum[:]), len(block), block)
}

// crawl returns a warcinfo, and records with a body each.
func crawl(bodies ...string) []string {
	all := []string{record(0, "warcinfo", "software: x\r\n")}
	for i, body := range bodies {
		all = append(all, record(i+1, "resource", body))
	}
	return all
}

// salvaged runs the salvage of one file, and returns its result, its lines, and the records of the
// new WARC.
func salvaged(t *testing.T, name string, file []byte, o Options) (r Result, all []Line, kept []string) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	o.Out, o.Agent = filepath.Join(dir, "out"), model.Agent{Name: "Quire", Version: "test"}
	o.Date = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	plan := planned(t, path, o)
	results, err := Run(t.Context(), []string{path}, o)
	if err != nil {
		t.Fatal(err)
	}
	if r = results[0]; !reflect.DeepEqual(plan, r) {
		t.Errorf("a dry run says %+v\nand the salvage %+v", plan, r)
	}
	report, err := os.ReadFile(filepath.Join(o.Out, r.Report))
	if err != nil {
		t.Fatal(err)
	}
	for d := json.NewDecoder(bytes.NewReader(report)); d.More(); {
		var l Line
		if err := d.Decode(&l); err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
	if r.Output != "" {
		kept = recordsOf(t, filepath.Join(o.Out, r.Output))
	}
	if r.Aside != "" {
		recordsOf(t, filepath.Join(o.Out, r.Aside))
	}
	return r, all, kept
}

// planned returns the result of a dry run, which must leave nothing behind.
func planned(t *testing.T, path string, o Options) Result {
	t.Helper()
	o.DryRun = true
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	results, err := Run(t.Context(), []string{path}, o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(o.Out); err == nil {
		t.Error("a dry run wrote its results")
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("a dry run left %v, %v", left, err)
	}
	return results[0]
}

// recordsOf returns the records of a WARC as they are in the file. The file must be valid.
func recordsOf(t *testing.T, path string) (all []string) {
	t.Helper()
	if c, err := inspect.File(t.Context(), path, inspect.Options{}); err != nil || c.Outcome != model.Valid {
		t.Errorf("%s: %v, %v", path, c, err)
	}
	r, err := warc.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for rec, err := range r.Records() {
		if err != nil {
			t.Fatal(err)
		}
		head := string(rec.Raw())
		block, err := io.ReadAll(rec)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, head+string(block)+"\r\n\r\n")
	}
	return all
}

// lost returns the URLs that are reported as lost, with a question mark if that is only possible.
func lost(all []Line) (urls []string) {
	for _, l := range all {
		if l.Kind == Lost && l.Certain {
			urls = append(urls, l.URL)
		} else if l.Kind == Lost {
			urls = append(urls, l.URL+"?")
		}
	}
	return urls
}

// TestWrongLengthOverRecords checks a plain file with a length that reaches over the records behind.
func TestWrongLengthOverRecords(t *testing.T) {
	all := crawl("one", "two", "three", "four", "five")
	for name, length := range map[string]int{"to the middle of one": 500, "over the end": 1 << 40,
		"to the end of the header behind": 3 + 4 + strings.Index(all[3], "\r\n\r\n")} {
		wrong := slices.Clone(all)
		wrong[2] = strings.Replace(all[2], "Content-Length: 3", fmt.Sprintf("Content-Length: %d", length), 1)
		r, lines, kept := salvaged(t, "a.warc", []byte(strings.Join(wrong, "")), Options{})
		for i, text := range all {
			if slices.Contains(kept, text) != (i != 2) {
				t.Errorf("%s: record %d is kept: %v", name, i, i == 2)
			}
		}
		if r.Kept != 5 || r.Inferred != 1 || r.Behind != 2 || r.Damaged != 1 || r.Gaps != 0 ||
			fmt.Sprint(lost(lines)) != "[http://example.org/2]" {
			t.Errorf("%s: %+v, lost %v", name, r, lost(lines))
		}
		marks := 0
		for _, k := range kept {
			if strings.Contains(k, "salvage-found: search") && strings.Contains(k, "WARC-Refers-To: <urn:r:3>") {
				marks++
			}
		}
		if marks != 1 {
			t.Errorf("%s: %d records are marked as inferred, not the one", name, marks)
		}
	}
}

// TestWrongLengthToTheEndOfARecord checks a length that ends exactly where a later record ends. The
// digest shows that it is wrong. A record with a container as its content stays whole.
func TestWrongLengthToTheEndOfARecord(t *testing.T) {
	all := crawl("one", "two", "three", strings.Join(crawl("inner"), ""), "five")
	wrong := slices.Clone(all)
	wrong[2] = strings.Replace(all[2], "Content-Length: 3",
		fmt.Sprintf("Content-Length: %d", 3+4+len(all[3])+len(all[4])-4), 1)
	r, lines, kept := salvaged(t, "a.warc", []byte(strings.Join(wrong, "")), Options{})
	for i, text := range all {
		if slices.Contains(kept, text) != (i != 2) {
			t.Errorf("record %d is kept: %v", i, i == 2)
		}
	}
	if r.Kept != 5 || r.Inferred != 1 || r.Behind != 2 || r.Damaged != 1 || r.LostBytes != int64(len(wrong[2])) ||
		slices.Contains(kept, record(1, "resource", "inner")) {
		t.Errorf("%+v, lost %v", r, lost(lines))
	}
	other := strings.Join(all, "")
	other = strings.Replace(other, "\r\n\r\ninner\r\n", "\r\n\r\nINNER\r\n", 1)
	if r, lines, kept := salvaged(t, "a.warc", []byte(other), Options{}); r.Kept != 5 || r.Damaged != 1 ||
		r.Inferred != 0 || slices.Contains(kept, record(0, "warcinfo", "inner")) {
		t.Errorf("a damaged container in a record: %+v, lost %v", r, lost(lines))
	}
}

// TestFirstBytesOfAGzip checks a gzip file whose first bytes are overwritten.
func TestFirstBytesOfAGzip(t *testing.T) {
	all := crawl("one", "two")
	file := zip(t, all...)
	first := len(zip(t, all[0]))
	r, _, kept := salvaged(t, "a.warc.gz", append(make([]byte, 10), file[10:]...), Options{})
	if r.Kept != 3 || !r.Whole() || !slices.Contains(kept, all[0]) {
		t.Errorf("without its header: %+v", r)
	}
	r, lines, kept := salvaged(t, "a.warc.gz", append(make([]byte, 30), file[30:]...), Options{})
	if r.Kept != 2 || r.Gaps != 1 || r.LostBytes != int64(first) || r.Whole() || !slices.Contains(kept, all[1]) ||
		!slices.Contains(kept, all[2]) {
		t.Errorf("without its first bytes: %+v, %v", r, lines)
	}
	joined := member(t, strings.Join(all, ""))
	r, lines, kept = salvaged(t, "a.warc.gz", append(make([]byte, 10), joined[10:]...), Options{})
	if r.Kept != 3 || !r.Whole() || !slices.Contains(kept, all[2]) {
		t.Errorf("of one member: %+v, %v", r, lines)
	}
}

// TestNamesOfTheLost checks a member that is lost in the middle: an index, a log and other records
// name it.
func TestNamesOfTheLost(t *testing.T) {
	noise := strings.Repeat("many words ", 300)
	all := []string{record(0, "warcinfo", "software: x\r\n"),
		record(1, "response", "one", "WARC-Warcinfo-ID: <urn:r:0>"), record(2, "response", noise),
		strings.Replace(record(3, "metadata", "b", "WARC-Concurrent-To: <urn:r:2>"), "org/3", "org/2", 1),
		record(4, "resource", noise+"4"), record(5, "resource", noise+"5"), record(6, "resource", "six"),
		record(7, "revisit", "", "WARC-Refers-To: <urn:r:4>", "WARC-Refers-To-Date: "+day+"04Z",
			"WARC-Refers-To-Target-URI: http://example.org/4",
			"WARC-Profile: http://netpreserve.org/warc/1.0/revisit/identical-payload-digest")}
	file := zip(t, all...)
	at := func(n int) int { return len(zip(t, all[:n]...)) }
	for _, n := range []int{2, 4, 5} { // without their beginning
		clear(file[at(n) : at(n)+40])
	}
	entry := func(n, offset int, file string) string {
		return fmt.Sprintf("org,example)/%d 2024010203040%d http://example.org/%d text/plain - - - - 100 %d %s\n",
			n, n, n, offset, file)
	}
	index := " CDX N b a m s k r M S V g\n" + entry(5, at(5), "a.warc.gz") + entry(6, at(6), "a.warc.gz") +
		entry(9, 9, "other.warc.gz")
	log := func(n int) string {
		return fmt.Sprintf("2024-01-02T03:04:%02d.000Z   200       1234 http://example.org/%d LL http://a.org/ "+
			"text/html #042 202401020304%02d000+12 sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA http://a.org/ -\n", n, n, n)
	}
	dir := t.TempDir()
	cdx, crawlLog := filepath.Join(dir, "a.cdx"), filepath.Join(dir, "crawl.log")
	for path, text := range map[string]string{cdx: index, crawlLog: log(1) + log(5) + log(8) +
		strings.ReplaceAll(log(9), "2024", "2020")} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r, lines, _ := salvaged(t, "a.warc.gz", file, Options{CDX: []string{cdx}, Logs: []string{crawlLog}})
	want := "[http://example.org/2 http://example.org/4? http://example.org/5 http://example.org/8?]"
	if got := lost(lines); fmt.Sprint(got) != want || r.Lost != 2 || r.Possible != 2 || r.Kept != 5 || r.Gaps != 2 {
		t.Errorf("lost %v, want %s; %+v", got, want, r)
	}
	for _, l := range lines {
		if l.Kind == Lost && l.URL == "http://example.org/5" && (len(l.Evidence) != 2 || l.Offset != int64(at(5))) {
			t.Errorf("evidence %+v", l)
		}
	}
}

// TestTruncated checks files that are cut off.
func TestTruncated(t *testing.T) {
	all := crawl("one", "two", strings.Repeat("three ", 100))
	for name, file := range map[string][]byte{"a.warc": []byte(strings.Join(all, "")), "a.warc.gz": zip(t, all...),
		"whole.warc.gz": member(t, strings.Join(all, ""))} {
		r, lines, kept := salvaged(t, name, file[:len(file)-30], Options{})
		if r.Kept != 3 || r.Damaged != 1 || !slices.Contains(kept, all[2]) ||
			fmt.Sprint(lost(lines)) != "[http://example.org/3]" {
			t.Errorf("%s: %+v, lost %v", name, r, lost(lines))
		}
	}
}

// TestOneMemberWithAWrongByte checks a file in one member that inflates to the end, with another byte
// in one record. The digests show which.
func TestOneMemberWithAWrongByte(t *testing.T) {
	all := crawl("one", "two", "three")
	file := stored(t, strings.Join(all, ""))
	at := bytes.Index(file, []byte("\r\n\r\ntwo")) + 4
	file[at] = 'T'
	r, _, kept := salvaged(t, "a.warc.gz", file, Options{})
	if r.Kept != 3 || r.Damaged != 1 || r.Unproven != 3 || slices.Contains(kept, all[2]) ||
		!slices.Contains(kept, all[3]) {
		t.Errorf("%+v", r)
	}
}

// TestWrongChecksumWithoutADigest checks a member of one record that does not match its checksum. No
// digest proves the record.
func TestWrongChecksumWithoutADigest(t *testing.T) {
	all := crawl("one", "two")
	all[1] = strings.Replace(all[1], "WARC-Block-Digest", "X-Digest", 1)
	file := zip(t, all...)
	file[len(zip(t, all[:2]...))-8] ^= 1
	r, lines, kept := salvaged(t, "a.warc.gz", file, Options{})
	if r.Kept != 2 || r.Damaged != 1 || r.Unproven != 0 || slices.Contains(kept, all[1]) ||
		fmt.Sprint(lost(lines)) != "[http://example.org/1]" {
		t.Errorf("%+v, lost %v", r, lost(lines))
	}
}

// TestBytesBehindARecordInItsMember checks a member with a whole record and bytes that are none. The
// record is kept, and the member is kept aside.
func TestBytesBehindARecordInItsMember(t *testing.T) {
	all := crawl("one", "two")
	for name, spoiled := range map[string]string{"behind": all[1] + "bytes", "before": "bytes\r\n" + all[1]} {
		file := zip(t, all[0], spoiled, all[2])
		r, lines, _ := salvaged(t, "a.warc.gz", file, Options{})
		if r.Kept != 3 || r.Damaged != 0 || r.LostBytes != int64(len(zip(t, spoiled))) || r.Whole() {
			t.Errorf("%s: %+v, %v", name, r, lines)
		}
	}
}

// TestAContainerInARecord checks a record with a WARC file as its content. As long as the lengths are
// right, its records are no records of the file.
func TestAContainerInARecord(t *testing.T) {
	inner := strings.Join(crawl("inner one", "inner two"), "")
	all := crawl("one", inner, "three", "four")
	for name, file := range map[string][]byte{
		"a.warc":    []byte(strings.Join(all[:4], "") + "WARC/1.0\r\ngone\r\n\r\n" + all[4]),
		"a.warc.gz": append(zip(t, all[:4]...), zip(t, "gone", all[4])...)} {
		r, lines, kept := salvaged(t, name, file, Options{})
		if r.Kept != 5 || !slices.Contains(kept, all[2]) || slices.Contains(kept, record(1, "resource", "inner one")) ||
			r.LostBytes == 0 {
			t.Errorf("%s: %+v, %+v", name, r, lines)
		}
	}
}

func TestARC(t *testing.T) {
	line := func(url, block string) string {
		return fmt.Sprintf("%s 192.0.2.7 20080430204825 text/plain %d\n%s\n", url, len(block), block)
	}
	version := line("filedesc://a.arc",
		"1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n")
	one, two, three := line("http://a.org/1", "one"), line("http://a.org/2", "two"), line("http://a.org/3", "three")
	wrong := strings.Replace(two, "text/plain 3\n", "text/plain 60\n", 1)
	dir := t.TempDir()
	path := filepath.Join(dir, "a.arc")
	if err := os.WriteFile(path, []byte(version+one+wrong+three), 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out")
	o := Options{Out: out, Agent: model.Agent{Name: "Quire", Version: "test"}}
	results, err := Run(t.Context(), []string{path}, o)
	if err != nil {
		t.Fatal(err)
	}
	if r := results[0]; r.Kept != 3 || r.Damaged != 1 || r.Inferred != 1 || r.Losses[0].URL != "http://a.org/2" {
		t.Errorf("%+v", r)
	}
	made := filepath.Join(out, "a-salvaged.warc.gz")
	if all := recordsOf(t, made); !strings.Contains(all[0], "salvage-damaged: 1\r\n") {
		t.Errorf("warcinfo %s", all[0])
	}
	f, err := os.Open(made)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var restored bytes.Buffer
	if _, err := arcwarc.Restore(t.Context(), f, &restored); err != nil || restored.String() != version+one+three {
		t.Errorf("restored %q, %v", restored.String(), err)
	}
}

func TestNothingIsLost(t *testing.T) {
	all := crawl("one", "two")
	r, lines, kept := salvaged(t, "a.warc.gz", append(zip(t, all...), make([]byte, 512)...), Options{})
	if !r.Whole() || r.Kept != 3 || r.Padding != 512 || r.Aside != "" || len(kept) != 4 || len(lost(lines)) != 0 {
		t.Errorf("%+v", r)
	}
	if !strings.Contains(kept[0], "salvage-kept: 3\r\n") ||
		!strings.Contains(kept[0], "salvage-source-sha512: "+r.SHA512) {
		t.Errorf("warcinfo %s", kept[0])
	}
}

// TestALogNamesTheRecordsBehindTheEnd checks copies that end between two members: no byte is lost,
// and only the crawl log shows that records are. Lines without a container prove nothing then.
func TestALogNamesTheRecordsBehindTheEnd(t *testing.T) {
	all := crawl("one", "two", "three")
	line := func(n int, extra string) string {
		return fmt.Sprintf("2024-01-02T03:04:%02d.000Z   200       1234 http://example.org/%d LL http://a.org/ "+
			"text/html #042 202401020304%02d000+12 sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA http://a.org/ - %s\n",
			n, n, n, extra)
	}
	in := func(file string) string { return `{"warcFilename":"` + file + `","warcFileOffset":1}` }
	log := filepath.Join(t.TempDir(), "crawl.log")
	text := line(1, in("a.warc.gz")) + line(2, in("a.warc.gz")) + line(3, in("a.warc.gz")) +
		line(4, in("b.warc.gz")) + line(5, "")
	if err := os.WriteFile(log, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for records, want := range map[int]string{4: "[]", 3: "[http://example.org/3]",
		2: "[http://example.org/2 http://example.org/3]"} {
		r, lines, _ := salvaged(t, "a.warc.gz", zip(t, all[:records]...), Options{Logs: []string{log}})
		if got := fmt.Sprint(lost(lines)); got != want || r.Whole() != (want == "[]") || r.LostBytes != 0 {
			t.Errorf("%d records: lost %s, want %s; %+v", records, got, want, r)
		}
	}
}

// TestADestroyedMemberIsNoPadding checks a member that cannot be inflated at all.
func TestADestroyedMemberIsNoPadding(t *testing.T) {
	all := crawl("one", "two")
	file := zip(t, all...)
	at := len(zip(t, all[0]))
	for i := range 40 {
		file[at+2+i] = 0xff
	}
	r, lines, _ := salvaged(t, "a.warc.gz", file, Options{})
	if r.Kept != 2 || r.Gaps != 1 || r.Padding != 0 || r.LostBytes != int64(len(zip(t, all[1]))) {
		t.Errorf("%+v, %v", r, lines)
	}
}

func TestNoContainer(t *testing.T) {
	r, lines, kept := salvaged(t, "a.warc.gz", []byte(strings.Repeat("prose ", 1000)), Options{})
	if r.Whole() || r.Output != "" || r.Gaps != 1 || r.LostBytes != 6000 || len(kept) != 0 || len(lines) != 1 {
		t.Errorf("%+v", r)
	}
}

// TestNothingRemainsAfterAnError ends a run by its context.
func TestNothingRemainsAfterAnError(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.warc")
	if err := os.WriteFile(path, []byte(strings.Join(crawl("one"), "")), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	o := Options{Out: filepath.Join(dir, "out"), Agent: model.Agent{Name: "Quire", Version: "test"}}
	o.Progress = func(int64) { cancel() }
	if _, err := Run(ctx, []string{path}, o); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}
