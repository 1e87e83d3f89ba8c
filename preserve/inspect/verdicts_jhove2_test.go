package inspect

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/internal/testsamples"
	"quire/model"
)

// sameDefect lists the codes for the defect in a message of JHOVE2. A message is recognized by its
// start, after its severity; the first match counts. One of the codes is enough, because JHOVE2
// checks one field where Quire checks several.
var sameDefect = []struct {
	message string
	codes   string
}{
	{"Error in ARC file, expected 'One or more records'", "ARC-EMPTY"},
	{"Error in WARC file, expected 'One or more records'", "WARC-EMPTY"},
	{"Error in ARC file, expected 'Expected a version block as the first record.'", "ARC-NO-VERSION-BLOCK"},
	{"Error in ARC file, expected 'Expected an ARC record not version block.'", "ARC-ANOTHER-VERSION-BLOCK"},
	{"Error in ARC file, expected 'Expected metadata payload not found", "ARC-NO-METADATA"},
	{"Error in ARC file, expected 'Expected payload not found", "ARC-LENGTH ARC-TRUNCATED HTTP-NO-START-LINE"},
	{"Undesired version block metadata payload", "ARC-UNDUE-METADATA"},
	{"Error in ARC version block, reason 'Version line empty'", "ARC-VERSION"},
	{"Error in ARC version block, reason 'Block definition empty'", "ARC-DEFINITION"},
	{"Error in ARC version block, reason 'Version block is not valid!'", "ARC-VERSION ARC-DEFINITION"},
	{"Invalid 'Version-number' value", "ARC-VERSION"},
	{"Invalid ARC version block", "ARC-VERSION ARC-DEFINITION"},
	{"Invalid ARC file", "ARC-VERSION-LENGTH ARC-LENGTH ARC-VERSION ARC-DEFINITION"},
	{"Invalid ARC record does not match the version block definition", "ARC-FIELDS ARC-DEFINITION"},
	{"Required 'Archive-length' value is missing", "ARC-LENGTH"},
	{"Required 'Content-type' value is missing", "ARC-CONTENT-TYPE"},
	{"Invalid 'IP-address' value", "ARC-IP"},
	{"Invalid 'Archive-date' value", "ARC-DATE"},
	{"Invalid 'Archive-length' value", "ARC-LENGTH"},
	{"Invalid 'Offset' value", "ARC-OFFSET"},
	{"Invalid 'Content-type' value", "ARC-CONTENT-TYPE"},
	{"Invalid Content-type, value", "ARC-CONTENT-TYPE"},
	{"Error in Content-type", "ARC-CONTENT-TYPE"},
	{"Error in Misplaced", "ARC-NEWLINE ARC-GARBAGE ARC-LINE-END"},
	{"Invalid Empty lines before ARC record", "ARC-NEWLINE ARC-GARBAGE"},
	{"Invalid Data before ARC record", "ARC-GARBAGE ARC-LENGTH"},

	{"Invalid Empty lines before WARC version", "WARC-GARBAGE WARC-SEPARATOR"},
	{"Invalid Data before WARC version", "WARC-GARBAGE"},
	{"Invalid Magic Version string", "WARC-GARBAGE"},
	{"Unknown Magic version number: 'x.x'", "WARC-GARBAGE"}, // no number: no version line
	{"Unknown Magic version number: '1.1'", ""},             // see docs/explanation/730_verdicts.md
	{"Unknown Magic version number", "WARC-VERSION"},
	{"Required and invalid 'Content-Length'", "WARC-LENGTH WARC-HEADER-TRUNCATED WARC-EMPTY"},
	{"Invalid 'Content-Length' value", "WARC-LENGTH"},
	{"Empty 'Content-Length' field", "WARC-LENGTH"},
	{"Required and invalid",
		"WARC-FIELD-MISSING WARC-DATE WARC-RECORD-ID WARC-TARGET-URI WARC-HEADER-TRUNCATED WARC-EMPTY"},
	{"Empty 'WARC-Type' field", "WARC-FIELD-MISSING"},
	{"Empty 'WARC-Record-ID' field", "WARC-FIELD-MISSING"},
	{"Empty 'WARC-Date' field", "WARC-FIELD-MISSING"},
	{"Empty Header line", "WARC-HEADER-SYNTAX"},
	{"Unknown Header line", "WARC-HEADER-SYNTAX"},
	{"Empty '", "WARC-FIELD-EMPTY"},
	{"Unknown 'WARC-Type' value", "WARC-TYPE"},
	{"Invalid 'WARC-Target-URI' value", "WARC-TARGET-URI"},
	{"Invalid 'WARC-IP-Address' value", "WARC-IP-ADDRESS"},
	{"Invalid 'WARC-Date' value", "WARC-DATE"},
	{"Invalid 'WARC-Record-ID' value", "WARC-RECORD-ID"},
	{"Invalid 'Content-Type' value", "WARC-CONTENT-TYPE"},
	{"Invalid 'WARC-Block-Digest' value", "DIGEST-FORM DIGEST-ALGORITHM"},
	{"Invalid 'WARC-Segment-Number' value", "WARC-SEGMENT-NUMBER"},
	{"Invalid Payload length mismatch", "WARC-TRUNCATED ARC-TRUNCATED ARC-LENGTH"},
	{"Invalid Trailing newlines", "WARC-SEPARATOR WARC-TRUNCATED WARC-LENGTH WARC-HEADER-TRUNCATED WARC-EMPTY"},
	{"Invalid Incorrect payload digest", "WARC-DIGEST-PAYLOAD"},
	{"Recommend 'Content-Type' header missing", "WARC-CONTENT-TYPE-MISSING"},
	{"Recommend 'Content-Type' value", "WARC-CONTENT-TYPE-WARCINFO"},
	{"Error in http header", "HTTP-NO-START-LINE WARC-TRUNCATED"},

	{"Invalid CRC32", "GZIP-CRC32 GZIP-DEFLATE"}, // of a member with both sums wrong,
	{"Invalid ISize", "GZIP-ISIZE GZIP-DEFLATE"},
	{"Reserved FLaGs", "GZIP-FLAGS"},
	{"Reserved eXtra FLags", "GZIP-XFL"},
	{"Unknown Operating System", "GZIP-OS"},
}

// unnamed are the messages of JHOVE2 without a corresponding finding of Quire, by file and start.
// docs/explanation/730_verdicts.md has the reasons.
var unnamed = []string{
	"invalid-empty.gzip, file: Error in GZip file",
	"invalid-magic.gz, record 0: Invalid Magic Value",
	"invalid-warcfile-segment-number-response.warc, record 0: Invalid Incorrect payload digest",
	"invalid-warcfile-segment-number-response.warc, record 1: Invalid Incorrect payload digest",
	"invalid-warcheaderversion-7.warc, record 0: Unknown Magic version number: '1.1'",
	"invalid-arcrecord-1.arc, record 2: Invalid 'IP-address'",
	"invalid-arcrecord-1.arc, record 2: Invalid 'Archive-date'",
	"invalid-arcrecord-1.arc, record 2: Invalid 'Content-type'",
	"invalid-arcrecord-1.arc, record 2: Error in Misplaced",
	"invalid-warcrecord-2.warc, record 4: Error in http header",
}

// jhove2Verdict is the entry of one file in VERDICTS.json.
type jhove2Verdict struct {
	Validity       string
	FileMessages   []string   `json:"file_messages"`
	RecordMessages [][]string `json:"record_messages"`
}

// TestJHOVE2Messages checks that Quire has a finding for each message of JHOVE2 on its own test
// files, at the same record.
func TestJHOVE2Messages(t *testing.T) {
	samples := testsamples.Path(t, "samples")
	raw, err := os.ReadFile(filepath.Join(samples, "VERDICTS.json"))
	if err != nil {
		t.Fatal(err)
	}
	verdicts := map[string]jhove2Verdict{}
	if err := json.Unmarshal(raw, &verdicts); err != nil {
		t.Fatal(err)
	}
	reasons, err := os.ReadFile("../../docs/explanation/730_verdicts.md")
	if err != nil {
		t.Fatal(err)
	}
	compared, met := 0, map[string]bool{}
	for name, v := range verdicts {
		found, err := filepath.Glob(filepath.Join(samples, "opf-labs_jhove2", "*", name))
		if err != nil || len(found) != 1 {
			if found, _ = filepath.Glob(filepath.Join(samples, "openpreserve_jhove", "*", name)); len(found) != 1 {
				t.Errorf("%s is not among the samples", name)
				continue
			}
		}
		saw := see(t, found[0])
		complain := func(about string, messages []string, at int64) {
			for _, m := range messages {
				compared++
				missing := saw.lacks(m, at)
				_, text, _ := strings.Cut(m, "] ")
				key := fmt.Sprintf("%s, %s: %s", name, about, text)
				known := ""
				for _, k := range unnamed {
					if strings.HasPrefix(key, k) {
						known = k
						met[k] = true
					}
				}
				if (missing != "") != (known != "") {
					t.Errorf("%s, %s: %s: %s; listed: %v; found %v", name, about, m, missing, known != "", saw.findings)
				}
			}
		}
		complain("file", v.FileMessages, -1)
		for i, messages := range v.RecordMessages {
			at := int64(-1) // a record that only JHOVE2 sees
			if i < len(saw.offsets) {
				at = saw.offsets[i]
			}
			complain(fmt.Sprintf("record %d", i), messages, at)
		}
	}
	if compared < 200 {
		t.Errorf("only %d messages were compared", compared)
	}
	for _, key := range unnamed {
		file, _, _ := strings.Cut(key, ",")
		if !met[key] || !strings.Contains(string(reasons), file) {
			t.Errorf("%s is listed: met %v; docs/explanation/730_verdicts.md states the reason: %v", key, met[key],
				strings.Contains(string(reasons), file))
		}
	}
}

// sight is Quire's result for a file.
type sight struct {
	offsets  []int64
	findings []model.Finding
}

func see(t *testing.T, file string) (s sight) {
	t.Helper()
	o := Options{Name: path.Base(file), Finding: func(f model.Finding) { s.findings = append(s.findings, f) }}
	o.Record = func(r model.Record) error {
		s.offsets = append(s.offsets, r.Offset)
		return nil
	}
	if _, err := File(context.Background(), file, o); err != nil {
		t.Fatal(err)
	}
	return s
}

// lacks returns an error text if no finding at the position (anywhere if negative) names the defect
// in the message. Bytes before a record have their own position.
func (s *sight) lacks(message string, at int64) string {
	_, text, _ := strings.Cut(message, "] ")
	for _, rule := range sameDefect {
		if !strings.HasPrefix(text, rule.message) {
			continue
		}
		anywhere := at < 0 || strings.Contains(text, " before ")
		for _, f := range s.findings {
			if slices.Contains(strings.Fields(rule.codes), f.Code) && (anywhere || f.Offset == at) {
				return ""
			}
		}
		return fmt.Sprintf("none of %s at %d", rule.codes, at)
	}
	return "no code is known for it"
}
