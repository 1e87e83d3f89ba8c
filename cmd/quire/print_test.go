package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"quire/internal/humanize"
	"quire/internal/prove"
	"quire/model"
)

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"plain, ü, 漢字, 🛶": "plain, ü, 漢字, 🛶",
		"\x1b[31mred":     `\x1b[31mred`,
		"two\nlines\r":    `two\nlines\r`,
		"title\x1b]0;x\a": `title\x1b]0;x\a`,
		"\u009b2J":        `\u009b2J`,
		"a\u202egnp.exe":  `a\u202egnp.exe`,
		"می\u200cخواهم":   "می\u200cخواهم",
		"bad\xff byte":    `bad\xff byte`,
		"lost \ufffd":     "lost \ufffd",
		"":                "",
	} {
		if got := humanize.Visible(in); got != want {
			t.Errorf("%q is shown as %q, want %q", in, got, want)
		}
	}
}

func TestJSONRules(t *testing.T) {
	type inner struct {
		ID    string    `json:"id"`
		Known time.Time `json:"known"`
	}
	type outer struct {
		inner
		Inner   inner
		Never   time.Time        `json:"never"`
		Pointer *time.Time       `json:"pointer"`
		List    []inner          `json:"list"`
		Map     map[string]int64 `json:"map"`
		Left    string           `json:"left,omitempty"`
		Hidden  string           `json:"-"`
	}
	var out bytes.Buffer
	term := &terminal{out: &out}
	east := time.Date(2024, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600))
	if err := term.json(outer{inner: inner{"<a>", east}, Hidden: "x"}); err != nil {
		t.Fatal(err)
	}
	want := `{"id":"<a>","known":"2024-01-02T02:04:05Z","Inner":{"id":"","known":null},"never":null,"pointer":null,` +
		`"list":[],"map":{}}` + "\n"
	if out.String() != want {
		t.Errorf("printed %s, want %s", out.String(), want)
	}
}

// TestNoDatesAndATitleForTerminals has a package with records without dates, and with terminal
// control codes in its title.
func TestNoDatesAndATitleForTerminals(t *testing.T) {
	prove.Serial(t)
	workplace(t)
	undated := strings.Replace(container, "WARC-Date: 2024-01-02T03:04:05Z\r\n", "", 1)
	if err := os.WriteFile("u.warc", []byte(undated), 0o666); err != nil {
		t.Fatal(err)
	}
	title := "a\x1b[2Jb\nquire: stored"
	if status, _, errs := call(t, "pack", "u.warc", "--out", "p", "--id", "u", "--title",
		title); status != exitContent || errs != "" {
		t.Fatalf("pack: status %d: %s", status, errs)
	}
	for _, args := range []string{"init r", "ingest p --repo r"} {
		if status, out, errs := call(t, strings.Fields(args)...); status != exitGood {
			t.Fatalf("quire %s: %d %s%s", args, status, out, errs)
		}
	}
	for _, args := range []string{"list --repo r", "show u --repo r", "validate p", "audit --repo r"} {
		_, out, errs := call(t, strings.Fields(args)...)
		if strings.ContainsRune(out+errs, '\x1b') || strings.Contains(out, "\nquire: stored") {
			t.Errorf("quire %s: the terminal would obey %q", args, out+errs)
		}
		_, out, _ = call(t, append(strings.Fields(args), "--json")...)
		if strings.Contains(out, "0001-01-01") || strings.Contains(out, ":null,\"copies") ||
			strings.Contains(out, `"audits":null`) {
			t.Errorf("quire %s: a zero time, or no list, in %s", args, out)
		}
	}
}

// TestErrorsAreShownSafely checks an error of several lines, and a name with terminal control
// codes.
func TestErrorsAreShownSafely(t *testing.T) {
	workplace(t)
	status, _, errs := call(t, "validate", "no\x1b[31m")
	if status != exitCall || strings.ContainsRune(errs, '\x1b') || !strings.HasPrefix(errs, "quire: ") {
		t.Errorf("status %d: %q", status, errs)
	}
}

func TestCopiesAreNamedOneByOne(t *testing.T) {
	workplace(t)
	if status, out, errs := call(t, "init", "r", "--copy", "one,two", "--copy", "three"); status != exitGood ||
		!strings.Contains(out, "one,two") || strings.Contains(out, "copy-3") {
		t.Errorf("status %d:\n%s%s", status, out, errs)
	}
}

// TestResultThatCannotBePrinted checks that a partial result cannot be mistaken for the whole.
func TestResultThatCannotBePrinted(t *testing.T) {
	workplace(t)
	for _, args := range []string{"version", "help", "version --json", "inspect crawl", "inspect crawl --json"} {
		var errs bytes.Buffer
		status := run(context.Background(), strings.Fields(args), full{}, &errs)
		if status != exitCall || !strings.Contains(errs.String(), "printing the re") ||
			!strings.Contains(errs.String(), "no room") {
			t.Errorf("quire %s: status %d: %s", args, status, errs.String())
		}
	}
}

// full is a writer like a full disk.
type full struct{}

// Write implements io.Writer.
func (full) Write([]byte) (int, error) { return 0, errors.New("no room") }

// TestTextThatIsNotUTF8HasItsBytesBesideIt checks file names that are not valid Unicode, although
// JSON requires Unicode. Two names that differ only in such bytes remain distinct.
func TestTextThatIsNotUTF8HasItsBytesBesideIt(t *testing.T) {
	record := "\xe9"
	var out bytes.Buffer
	term := &terminal{out: &out}
	if err := term.json(model.Finding{Code: "X", Path: "caf\xe9.warc", Record: &record, Message: "fine"}); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Path        string  `json:"path"`
		PathBytes   []byte  `json:"path_base64"`
		Record      *string `json:"record"`
		RecordBytes []byte  `json:"record_base64"`
		Message     any     `json:"message_base64"`
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Path != "caf�.warc" || string(got.PathBytes) != "caf\xe9.warc" || string(got.RecordBytes) != record ||
		got.Message != nil {
		t.Errorf("printed as %s", out.String())
	}
}
