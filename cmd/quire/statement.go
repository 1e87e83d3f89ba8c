package main

import (
	"fmt"
	"io"
	"os"

	signing "quire/access/statement"
)

type checkStatementCmd struct {
	File string `arg:"" help:"A statement, as readers download it from the page Provenance of a capture."`
	Key  string `required:"" placeholder:"FILE" help:"@verifyStatementKey"`
	jsonFlag
}

// Run verifies the signature of a statement, and prints the statement.
func (c *checkStatementCmd) Run(t *terminal) error {
	keys, err := signing.ReadPublished(c.Key)
	if err != nil {
		return err
	}
	f, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // only read
	text, err := io.ReadAll(io.LimitReader(f, signing.MaxEnvelope+1))
	if err != nil {
		return err
	}
	s, v, err := keys.Verify(text)
	if err != nil {
		t.printf("%s: not valid: %v\n", c.File, err)
		return errContent
	}
	if c.JSON {
		if err := t.json(statementShown{s, v.Key.ID(), v.Doubts, v.Note}); err != nil {
			return err
		}
		return doubtful(v)
	}
	c.print(t, s, v)
	return doubtful(v)
}

// statementShown is a verified statement for JSON, with the result of the check.
type statementShown struct {
	*signing.Statement
	KeyID  string   `json:"keyid"`
	Doubts []string `json:"doubts,omitempty"`
	Note   string   `json:"note,omitempty"`
}

// doubtful returns the exit status of a statement with a good signature.
func doubtful(v *signing.Verdict) error {
	if len(v.Doubts) > 0 {
		return errContent
	}
	return nil
}

func (c *checkStatementCmd) print(t *terminal, s *signing.Statement, v *signing.Verdict) {
	if len(v.Doubts) == 0 {
		t.printf("%s: the archive signed this\n", c.File)
	}
	for _, d := range v.Doubts {
		t.printf("%s: doubtful, though the signature is good: %s\n", c.File, d)
	}
	if v.Note != "" {
		t.printf("  note: %s\n", v.Note)
	}
	for _, row := range [][2]string{{"archive", s.Archive}, {"made", s.Made}, {"url", s.URL}, {"captured", s.Timestamp},
		{"digest", s.Digest}, {"package", s.Package}, {"record", s.Record.ID}, {"place", placeOf(&s.Record)},
		{"address", s.Address}} {
		if row[1] != "" {
			t.printf("  %-9s %s\n", row[0], row[1])
		}
	}
}

// placeOf names the place of a record, if the statement has it.
func placeOf(p *signing.Place) string {
	if p.Container == "" || p.Offset == nil {
		return ""
	}
	return fmt.Sprintf("%s, record %d, byte %d", p.Container, p.Order, *p.Offset)
}
