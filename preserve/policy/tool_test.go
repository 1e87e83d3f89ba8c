package policy

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"quire/model"
	"quire/preserve/inspect"
)

// validator is a tool for tests: it finds a file invalid that has the word BAD, breaks down at the
// word CRASH, and prints nonsense at NONSENSE.
const validator = `
- label: checker
  formats: [fmt/18]
  command:
  - sh
  - -c
  - |
    if grep -q CRASH {input.pdf}; then echo broken >&2; exit 9; fi
    if grep -q NONSENSE {input.pdf}; then echo '<report>'; exit; fi
    if grep -q BAD {input.pdf}; then valid=false; else valid=true; fi
    echo "<report size='$(wc -c < {input.pdf})'><job valid='$valid'>"
    test $valid = true || echo '<message severity="error">no &lt;font&gt;</message>'
    echo "</job></report>"
    test $valid = true
  version: [echo, checker 2.1]
  prints: text/xml
  statuses: [0, 1]
  timeout: 5m
  lists: [message]
  facts:
    valid: output.report.job.valid == "true"
    bytes: int(output.report.size)
    first_message: string(output.report.job.message[0]["#text"])
`

// withTool is a policy with the validator, and a rule.
func withTool(when string, more ...string) string {
	return minimal + "tools:" + validator + strings.Join(more, "") + "rules:\n- id: r\n  scope: record\n" +
		"  severity: refuse\n  message: m\n  when: |\n    " + when + "\n"
}

func pdf(content string) string { return "%PDF-1.4\n" + content + "\n%%EOF\n" }

// captures writes a WARC, and returns its path. A record is a type; its further WARC fields, an empty
// line, and the HTTP head, with another status before "|"; and a body.
func captures(t *testing.T, records ...[3]string) string {
	t.Helper()
	var b strings.Builder
	for i, r := range records {
		fields, head, _ := strings.Cut(r[1], "\n\n")
		status := "200 OK"
		if fields != "" {
			fields += "\n"
		}
		if s, rest, other := strings.Cut(head, "|"); other {
			status, head = s, rest
		}
		block := "HTTP/1.1 " + status + "\r\n" + strings.ReplaceAll(head, "\n", "\r\n") + "\r\n\r\n" + r[2]
		fmt.Fprintf(&b,
			"WARC/1.1\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:x:%d>\r\nWARC-Date: 2024-01-02T03:04:05Z\r\n"+
				"WARC-Target-URI: http://x.example/%d\r\nContent-Type: application/http;msgtype=response\r\n%s"+
				"Content-Length: %d\r\n\r\n%s\r\n\r\n", r[0], i, i, strings.ReplaceAll(fields, "\n",
				"\r\n"), len(block), block)
	}
	path := filepath.Join(t.TempDir(), "c.warc")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func zipped(t *testing.T, s string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(s))
	if err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	return b.String()
}

// judgeCrawl judges a container by a policy.
func judgeCrawl(t *testing.T, doc, path string) *Judgement {
	t.Helper()
	p, err := Read(strings.NewReader(doc))
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	j, err := JudgeFiles(ctx, []string{path}, p, nil, func(path string, o inspect.Options) (*model.Container, error) {
		return inspect.File(ctx, path, o)
	})
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// places lists the records that break the first rule, by the last part of their URLs, and the
// reason why others are not judged.
func places(j *Judgement) string {
	r := &j.Rules[0]
	said := string(j.Outcome) + " " + string(r.Outcome)
	for _, p := range r.First {
		said += " " + strings.TrimPrefix(p.What, "http://x.example/")
	}
	if r.NotJudged > 0 {
		said += fmt.Sprintf(", not judged %d: %s", r.NotJudged, r.Why)
	}
	return said
}

// TestToolsJudge has all kinds of records: only those of the tool's formats are judged, by their
// content as it was served.
func TestToolsJudge(t *testing.T) {
	const asPDF = "\n\nContent-Type: application/pdf"
	path := captures(t,
		[3]string{"response", asPDF, pdf("good")},
		[3]string{"response", asPDF, pdf("BAD")},
		[3]string{"response", "\n\nContent-Type: text/html", pdf("BAD")}, // whatever the server states
		[3]string{"response", "\n\nContent-Type: text/html", "<html>BAD</html>"},
		[3]string{"revisit", asPDF, ""},
		[3]string{"response", asPDF + "\nContent-Encoding: gzip", zipped(t, pdf("BAD"))},
		[3]string{"response", asPDF + "\nTransfer-Encoding: chunked", "15\r\n" + pdf("BAD") + " \r\n0\r\n\r\n"},
		[3]string{"request", asPDF, pdf("BAD")},
	)
	for _, c := range []struct{ name, when, want string }{
		{"a fact", "tool.checker.valid == false",
			"refused broken 1; tool.checker.valid is false 2; tool.checker.valid is false " +
				"5; tool.checker.valid is false 6; tool.checker.valid is false"},
		{"kept", "tool.checker.bytes > 1000", "accepted kept"},
		{"with other facts", `tool.checker.bytes == 19 && record.mime == "text/html" && format.puid == "fmt/18"`,
			"refused broken 2; tool.checker.bytes is 19"},
		{"a text", `tool.checker.first_message == "no <font>" && record.mime != "application/pdf"`,
			"refused broken 2; tool.checker.first_message is no <font>"},
		{"a fact that an output lacks",
			`tool.checker.first_message.contains("font") && !tool.checker.valid && record.status == 200`,
			"refused broken 1; tool.checker.first_message is no <font>; tool.checker.valid is false " +
				"2; tool.checker.first_message is no <font>; tool.checker.valid is false " +
				"5; tool.checker.first_message is no <font>; tool.checker.valid is false " +
				"6; tool.checker.first_message is no <font>; tool.checker.valid is false"},
		{"and without another condition", `tool.checker.first_message.contains("image")`,
			"warned not-judged, not judged 1: tool.checker.first_message is not known: no such key: message"},
		{"a rule that needs the harvest", "harvest.start.year == 2024 && !tool.checker.valid && record.status == 200",
			"refused broken 1; tool.checker.valid is false 2; tool.checker.valid is false " +
				"5; tool.checker.valid is false 6; tool.checker.valid is false"},
	} {
		if got := places(judgeCrawl(t, withTool(c.when), path)); got != c.want {
			t.Errorf("%s:\n%s; want\n%s", c.name, got, c.want)
		}
	}
	j := judgeCrawl(t, withTool("!tool.checker.valid"), path)
	want := ToolReport{Label: "checker", Version: "checker 2.1", Formats: []string{"fmt/18"}, Run: 3, Repeated: 2}
	if want.Command = j.Tools[0].Command; !reflect.DeepEqual(j.Tools, []ToolReport{want}) {
		t.Errorf("the tools: %+v; want %+v", j.Tools, want)
	}
	p := j.Rules[0].First[0]
	if p.Container != path || p.Offset == nil || *p.Offset == 0 || j.Rules[0].Payloads != 4 {
		t.Errorf("the first place is %+v of %d payloads", p, j.Rules[0].Payloads)
	}
}

// TestToolsThatFail checks that a failure of a tool is never a result.
func TestToolsThatFail(t *testing.T) {
	const asPDF = "\n\nContent-Type: application/pdf"
	missing := "- label: gone\n  formats: [application/pdf]\n  command: [validator-that-is-not-here, '{input}']\n" +
		"  version: [validator-that-is-not-here, -v]\n  facts: {valid: output == 'valid'}\n"
	path := captures(t,
		[3]string{"response", asPDF, pdf("good")},
		[3]string{"response", asPDF, pdf("CRASH")},
		[3]string{"response", asPDF, pdf("CRASH")},
		[3]string{"response", asPDF, pdf("NONSENSE")},
		[3]string{"response", "\n\n206 Partial Content|Content-Type: application/pdf", pdf("BAD")},
		[3]string{"response", "WARC-Truncated: length" + asPDF, pdf("BAD")},
		[3]string{"response", asPDF, "%PDF-1.4 without an end"},
		[3]string{"response", "\n\nContent-Type: text/html", "<html></html>"},
	)
	j := judgeCrawl(t, withTool("!tool.checker.valid"), path)
	if got, want := places(j), "warned not-judged, not judged 5: tool.checker.valid is not known: the tool checker "+
		"failed: sh ended with status 9; it said: broken"; got != want {
		t.Errorf("%s; want %s", got, want)
	}
	if got, want := j.Tools[0].String(), "tool checker (sh, version checker 2.1): run on 1 bytestream, 3 failed, "+
		"2 not run; the first reason: sh ended with status 9; it said: broken"; got != want {
		t.Errorf("%s; want %s", got, want)
	}
	if w := j.Tools[0].WhyWhere; w == nil || w.What != "http://x.example/1" || w.Offset == nil {
		t.Errorf("the place of the failure is %v", w)
	}
	j = judgeCrawl(t, withTool("!tool.checker.valid && !tool.gone.valid", missing), path)
	if r := j.Tools[1]; !r.Missing || r.NotRun == 0 || r.Run != 0 || r.Version != "" ||
		!strings.Contains(r.Why, "validator-that-is-not-here") || j.Outcome == Accepted {
		t.Errorf("a missing tool: %s, %+v", j.Outcome, r)
	}
	none := captures(t, [3]string{"response", "\n\nContent-Type: text/html", "<html></html>"})
	if j = judgeCrawl(t, withTool("!tool.checker.valid && !tool.gone.valid", missing), none); j.Outcome != Accepted ||
		j.Tools[1].Missing || j.Tools[1].NotRun != 0 {
		t.Errorf("a missing tool that nothing needs: %s, %+v", j.Outcome, j.Tools[1])
	}
}

// TestToolFormats checks which payloads a tool examines: by their identified formats and, without
// one, by the declared type.
func TestToolFormats(t *testing.T) {
	path := captures(t,
		[3]string{"response", "\n\nContent-Type: text/plain", pdf("one")},
		[3]string{"response", "\n\nContent-Type: Application/PDF; x=y", "\x00\x01no PDF"},
		[3]string{"response", "\n\nContent-Type: image/unheard-of", "\x00\x02nothing"},
		[3]string{"response", "\n\nContent-Type: application/pdf", "GIF89a" + strings.Repeat("\x00", 20) + ";"},
		[3]string{"metadata", "\n\nContent-Type: image/unheard-of", "\x00\x03about the crawl"},
	)
	for formats, want := range map[string]int64{
		"fmt/18": 1, "fmt/4": 1, "application/pdf": 2, "[application/pdf, fmt/18]": 2, "image/*": 2, "unknown": 2,
		"'*/*'": -1,
	} {
		doc := strings.Replace(withTool("!tool.checker.valid"), "[fmt/18]", formats, 1)
		if want < 0 {
			if _, err := Read(strings.NewReader(doc)); err == nil {
				t.Errorf("%s is no format, but it is accepted", formats)
			}
			continue
		}
		if r := judgeCrawl(t, doc, path).Tools[0]; r.Run != want || r.NotRun > 0 {
			t.Errorf("formats %s: run on %d, not run on %d; want %d, 0", formats, r.Run, r.NotRun, want)
		}
	}
}

// TestRulesOfTwoTools checks that a rule is judged for the formats of its own tools only, and a rule
// with two tools for the formats that both examine.
func TestRulesOfTwoTools(t *testing.T) {
	gif := strings.NewReplacer("label: checker", "label: pictures", "[fmt/18]", "[fmt/4, fmt/18]").Replace(validator)
	path := captures(t,
		[3]string{"response", "\n\nContent-Type: application/pdf", pdf("BAD")},
		[3]string{"response", "\n\nContent-Type: image/gif", "GIF89aBAD" + strings.Repeat("\x00", 20) + ";"},
	)
	for when, want := range map[string]string{
		"!tool.checker.valid":  "refused broken 0; tool.checker.valid is false",
		"!tool.pictures.valid": "refused broken 0; tool.pictures.valid is false 1; tool.pictures.valid is false",
		"!tool.checker.valid && !tool.pictures.valid": "refused broken 0; tool.checker.valid is false; " +
			"tool.pictures.valid is false",
	} {
		doc := withTool(when, gif) +
			"- {id: also, scope: record, severity: note, message: m, when: '!tool.checker.valid'}\n" +
			"- {id: too, scope: record, severity: note, message: m, when: '!tool.pictures.valid'}\n"
		if got := places(judgeCrawl(t, doc, path)); got != want {
			t.Errorf("%s: %s; want %s", when, got, want)
		}
	}
}
