package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"quire/internal/disk"
	"quire/preserve/convert/arcwarc"
)

// verify proves that a WARC holds all content of the ARC it was made from. With --out it also
// restores the ARC.
func (c *convertCmd) verify(ctx context.Context, t *terminal) (err error) {
	if len(c.Source) != 2 {
		return errors.New("verify takes an ARC and the WARC made from it: quire convert verify ARC WARC")
	}
	var files [2]*os.File
	total := int64(0)
	for i, name := range c.Source {
		if files[i], err = os.Open(name); err != nil {
			return err
		}
		defer files[i].Close() //nolint:errcheck // it was only read
		info, err := files[i].Stat()
		if err != nil {
			return err
		}
		total += info.Size()
	}
	t.begin("comparing", total)
	proof, err := arcwarc.Verify(ctx, watchedFile{files[0], t}, watchedFile{files[1], t})
	if err != nil {
		return err
	}
	t.clear()
	if err := c.tellProof(t, proof); err != nil {
		return err
	}
	if c.Restore {
		return c.restore(ctx, t, c.Source[1])
	}
	return nil
}

// watchedFile is a file that adds each read to the progress display.
type watchedFile struct {
	*os.File
	t *terminal
}

// Read implements io.Reader.
func (f watchedFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	f.t.progress(int64(n))
	return n, err
}

// proof is the JSON of "quire convert verify --json", a contract.
type proof struct {
	ARC         string       `json:"arc"`
	WARC        string       `json:"warc"`
	Sound       bool         `json:"sound"`
	Records     int64        `json:"records"`
	Bytes       int64        `json:"inflated_bytes"`
	Damaged     int64        `json:"damaged_members"`
	Differences []difference `json:"differences"`
	More        int64        `json:"more_differences"`
}

type difference struct {
	Record string `json:"record"`
	Offset int64  `json:"offset"`
	Detail string `json:"detail"`
}

func (c *convertCmd) tellProof(t *terminal, p *arcwarc.Proof) error {
	result := proof{ARC: c.Source[0], WARC: c.Source[1], Sound: p.Sound(), Records: p.Records, Bytes: p.Bytes,
		Damaged: p.Damaged, Differences: []difference{}, More: p.More}
	for _, d := range p.Differences {
		result.Differences = append(result.Differences, difference(d))
	}
	if c.JSON {
		if err := t.json(result); err != nil {
			return err
		}
	} else {
		printProof(t, result)
	}
	if !result.Sound {
		return errContent
	}
	return nil
}

func printProof(t *terminal, p proof) {
	if p.Sound {
		t.printf("%s holds all of %s: %d records, %d inflated bytes, compared one by one\n", p.WARC, p.ARC, p.Records,
			p.Bytes)
	} else {
		t.printf("%s is not %s\n", p.WARC, p.ARC)
	}
	for _, d := range p.Differences {
		t.printf("  at byte %d of the WARC: %s\n", d.Offset, d.Detail)
	}
	if p.More > 0 {
		t.printf("  and %d more differences\n", p.More)
	}
	if p.Damaged > 0 {
		t.printf("  %d members of the ARC are damaged: no WARC holds their lost bytes, so keep the ARC\n", p.Damaged)
	}
}

// restore writes the inflated ARC that a WARC was made from.
func (c *convertCmd) restore(ctx context.Context, t *terminal, name string) (err error) {
	if c.Out == "" {
		return errors.New("no file for the ARC: add --out")
	}
	in, err := os.Open(name)
	if err != nil {
		return err
	}
	defer in.Close() //nolint:errcheck // it was only read
	info, err := in.Stat()
	if err != nil {
		return err
	}
	t.begin("restoring", info.Size())
	restored, err := c.restored(ctx, watchedFile{in, t})
	if errors.Is(err, arcwarc.ErrNotConverted) {
		t.printError(fmt.Errorf("%s: %w", name, err))
		return errContent
	}
	if err != nil {
		return err
	}
	t.clear()
	if c.JSON {
		return c.result(t, struct {
			Out     string `json:"out"`
			Records int64  `json:"records"`
			Bytes   int64  `json:"bytes"`
			SHA512  string `json:"sha512"`
		}{c.Out, restored.Records, restored.Size, restored.SHA512})
	}
	if c.DryRun {
		t.dry()
		t.printf("would restore %s: %d records, %d bytes, SHA-512 %s\n", c.Out, restored.Records, restored.Size,
			restored.SHA512)
		return nil
	}
	t.printf("restored %s: %d records, %d bytes, SHA-512 %s\n", c.Out, restored.Records, restored.Size, restored.SHA512)
	return nil
}

// restored restores the ARC. In a dry run it only reads the content needed for this.
func (c *convertCmd) restored(ctx context.Context, in watchedFile) (*arcwarc.Restored, error) {
	if !c.DryRun {
		return arcwarc.RestoreFile(ctx, in, c.Out)
	}
	if err := disk.CheckNew(c.Out); err != nil {
		return nil, err
	}
	return arcwarc.Restore(ctx, in, io.Discard)
}
