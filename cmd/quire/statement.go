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
	key, err := signing.ReadPublic(c.Key)
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
	s, err := key.Verify(text)
	if err != nil {
		t.printf("%s: not valid: %v\n", c.File, err)
		return errContent
	}
	if c.JSON {
		return t.json(s)
	}
	t.printf("%s: the archive signed this\n", c.File)
	for _, row := range [][2]string{{"archive", s.Archive}, {"made", s.Made}, {"url", s.URL}, {"captured", s.Timestamp},
		{"digest", s.Digest}, {"package", s.Package}, {"record", s.Record.ID}, {"place", placeOf(&s.Record)},
		{"address", s.Address}} {
		if row[1] != "" {
			t.printf("  %-9s %s\n", row[0], row[1])
		}
	}
	return nil
}

// placeOf names the place of a record, if the statement has it.
func placeOf(p *signing.Place) string {
	if p.Container == "" || p.Offset == nil {
		return ""
	}
	return fmt.Sprintf("%s, record %d, byte %d", p.Container, p.Order, *p.Offset)
}
