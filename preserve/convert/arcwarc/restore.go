package arcwarc

import (
	"bufio"
	"context"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"strconv"
	"strings"

	"quire/format/inflate"
	"quire/format/warc"
	"quire/internal/disk"
	"quire/internal/warcbuild"
)

// ErrNotConverted is in the error for a WARC that Convert did not make, that is incomplete, or that
// has changed since.
var ErrNotConverted = errors.New("not a complete WARC file that this conversion made from an ARC file")

// Restored describes the file that Restore wrote.
type Restored struct {
	Records int64
	Size    int64
	SHA512  string
}

// Restore writes the inflated content of the ARC from which Convert made a WARC. It fails if a
// block does not match its digest, or if the whole does not match the summary. In this case the
// bytes that were already written are not the ARC.
func Restore(ctx context.Context, file io.Reader, out io.Writer) (*Restored, error) {
	s := &restoring{out: out, sums: newSums(), whole: sha512.New()}
	if err := eachRecord(ctx, file, s.record); err != nil {
		return nil, fmt.Errorf("restoring: %w", err)
	}
	if !s.complete {
		return nil, fmt.Errorf("restoring: no summary at the end: %w", ErrNotConverted)
	}
	return &s.got, nil
}

// eachRecord visits the records of a WARC.
func eachRecord(ctx context.Context, file io.Reader, visit func(*warc.Record) error) (err error) {
	in := inflate.NewReader(newTap(ctx, file, nil).reader(), inflate.Options{})
	defer func() {
		if closed := in.Close(); err == nil {
			err = closed
		}
	}()
	r := warc.NewReader(in)
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := visit(rec); err != nil {
			return fmt.Errorf("record %s at %d: %w", rec.ID(), rec.Offset, ofContent(err))
		}
	}
}

// ofContent marks an error as one of the WARC, not of the machine.
func ofContent(err error) error {
	var damage *inflate.Damage
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &damage) {
		return fmt.Errorf("%w: %w", ErrNotConverted, err)
	}
	return err
}

// RestoreFile restores into a new file, which appears only when it is complete.
func RestoreFile(ctx context.Context, file io.Reader, path string) (restored *Restored, err error) {
	err = disk.WriteNew(path, func(out io.Writer) error {
		buffered := bufio.NewWriterSize(out, 256<<10)
		restored, err = Restore(ctx, file, buffered)
		return errors.Join(err, buffered.Flush())
	})
	return restored, err
}

// restoring is the state of one Restore call.
type restoring struct {
	out      io.Writer
	sums     *sums
	whole    hash.Hash
	got      Restored
	complete bool
}

func (s *restoring) record(rec *warc.Record) error {
	if s.complete {
		return fmt.Errorf("a record follows the summary: %w", ErrNotConverted)
	}
	switch part := rec.Get(FieldPart); {
	case part == PartRecord, part == PartBetween:
		return s.part(rec)
	case part == PartSummary:
		return s.summary(rec)
	case rec.Type() == warc.TypeWarcinfo && rec.Offset == 0:
		return nil
	}
	return fmt.Errorf("the record is not part of a converted ARC file: %w", ErrNotConverted)
}

// part writes the bytes that one record was in the ARC.
func (s *restoring) part(rec *warc.Record) error {
	p, err := readPart(rec)
	if err != nil {
		return err
	}
	if rec.Get(FieldPart) == PartRecord {
		s.got.Records++
	}
	stated := rec.Get(warc.FieldBlockDigest)
	s.sums.reset()
	if err := s.write(p.before); err != nil {
		return err
	}
	n, err := rec.WriteTo(io.MultiWriter(s.out, s.whole, s.sums))
	if err != nil {
		return err
	}
	s.got.Size += n
	if is := warc.FormatDigest(algorithm, s.sums.block.Sum(nil)); is != stated {
		return fmt.Errorf("the block gives %s, WARC-Block-Digest is %.80q: %w", is, stated, ErrNotConverted)
	}
	return s.write(p.behind)
}

func (s *restoring) write(text string) error {
	n, err := io.WriteString(io.MultiWriter(s.out, s.whole), text)
	s.got.Size += int64(n)
	return err
}

// summary compares the written bytes with the summary.
func (s *restoring) summary(rec *warc.Record) error {
	sum, err := readSummary(rec)
	if err != nil {
		return err
	}
	s.got.SHA512 = hex.EncodeToString(s.whole.Sum(nil))
	if sum[summarySize] != strconv.FormatInt(s.got.Size, 10) || sum[summarySHA512] != s.got.SHA512 ||
		sum[summaryRecords] != strconv.FormatInt(s.got.Records, 10) {
		return fmt.Errorf("%d records and %d bytes with SHA-512 %s were restored, but the summary states "+
			"%.20q, %.20q and %.140q: %w",
			s.got.Records, s.got.Size, s.got.SHA512, sum[summaryRecords], sum[summarySize], sum[summarySHA512],
			ErrNotConverted)
	}
	s.complete = true
	return nil
}

// readSummary reads the block of the last record.
func readSummary(rec *warc.Record) (map[string]string, error) {
	b, err := io.ReadAll(io.LimitReader(rec, maxFacts))
	if err != nil {
		return nil, err
	}
	sum := map[string]string{}
	for _, f := range warc.ParseFields(b) {
		sum[f.Name] = f.Value
	}
	return sum, nil
}

// part is the bytes around the block of a record in the ARC.
type part struct {
	line   string // of a record
	before string // the line with its end
	behind string
}

// readPart reads Quire's own fields. A part with the bytes between two records has neither a
// URL-record line nor a separator.
func readPart(rec *warc.Record) (p part, err error) {
	if rec.Get(FieldPart) == PartBetween {
		return p, nil
	}
	if p.line, err = warcbuild.Unescape(rec.Get(FieldLine)); err != nil {
		return p, err
	}
	if strings.ContainsAny(p.line, "\n") || p.line == "" {
		return p, fmt.Errorf("no URL-record line in %s: %w", FieldLine, ErrNotConverted)
	}
	end, err := fieldOr(rec, FieldLineEnd)
	if err != nil {
		return p, err
	}
	p.before = p.line + end
	p.behind, err = fieldOr(rec, FieldSeparator)
	return p, err
}

// fieldOr returns the value of a field that is present only if it is not one LF.
func fieldOr(rec *warc.Record, name string) (string, error) {
	if !rec.Has(name) {
		return "\n", nil
	}
	return warcbuild.Unescape(rec.Get(name))
}
