package arcwarc

import (
	"context"
	"errors"
	"fmt"
	"io"

	"quire/format/arc"
	"quire/format/inflate"
	"quire/format/warc"
)

// maxDifferences bounds how many differences are kept.
const maxDifferences = 100

// Difference is one way in which a WARC is not the ARC.
type Difference struct {
	Record string // WARC-Record-ID; "" when it is about the file
	Offset int64  // of the record in the WARC file
	Detail string
}

// Proof is the outcome of Verify.
type Proof struct {
	Records     int64 // that were compared
	Bytes       int64 // of the inflated ARC that were compared
	Damaged     int64 // members of the ARC that could not be inflated whole, so that the WARC cannot hold all of them
	Differences []Difference
	More        int64 // differences beyond those
}

// Sound says whether the WARC is the ARC, record by record and byte by byte.
func (p *Proof) Sound() bool { return len(p.Differences) == 0 }

// Verify compares an ARC file with the WARC that Convert made of it. Each record must have the
// bytes that stand at its place in the inflated ARC (line, block and what stands behind), the
// fields that follow from its line, and digests that fit. What differs is in the Proof; an error is
// one of reading.
func Verify(ctx context.Context, arcFile, warcFile io.Reader) (*Proof, error) {
	t := newTap(ctx, arcFile, nil)
	in := inflate.NewReader(t.reader(), inflate.Options{Holds: arc.Sniff})
	v := &verification{proof: &Proof{}, original: &plain{in: in}, sums: newSums()}
	err := v.run(ctx, warcFile)
	if closed := in.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = v.compareSource(t)
	}
	if err != nil {
		return nil, fmt.Errorf("verifying: %w", err)
	}
	v.proof.Damaged = v.original.damaged
	return v.proof, nil
}

// verification is the state of one Verify.
type verification struct {
	proof     *Proof
	original  *plain
	sums      *sums
	rec       *warc.Record // at hand
	id        string
	converted string // date of the conversion
	summary   map[string]string
	differs   bool // the record at hand was told to differ
	buffer    [32 << 10]byte
}

func (v *verification) run(ctx context.Context, file io.Reader) error {
	if err := eachRecord(ctx, file, v.record); err != nil {
		return err
	}
	v.rec = nil
	rest, err := io.Copy(io.Discard, v.original)
	if err != nil {
		return err
	}
	if rest > 0 {
		v.tell("%d bytes at the end of the ARC are not in the WARC", rest)
	}
	return nil
}

// compareSource compares the file with what the summary says of it.
func (v *verification) compareSource(t *tap) error {
	_, sum, err := t.finish()
	if err != nil {
		return err
	}
	v.rec = nil
	switch {
	case v.summary == nil:
		v.tell("the WARC has no summary at its end")
	case v.summary["source-sha512"] != sum:
		v.tell("the WARC was made of a file with SHA-512 %.140q; that of the ARC is %s", v.summary["source-sha512"],
			sum)
	case v.summary[summaryRecords] != fmt.Sprint(v.proof.Records):
		v.tell("%d records; the summary says %.20q", v.proof.Records, v.summary[summaryRecords])
	}
	return nil
}

func (v *verification) record(rec *warc.Record) (err error) {
	v.rec, v.id, v.differs = rec, rec.ID(), false
	switch part := rec.Get(FieldPart); {
	case part == PartRecord, part == PartBetween:
		return v.part(rec)
	case part == PartSummary:
		if v.summary, err = readSummary(rec); errors.Is(err, io.ErrUnexpectedEOF) {
			v.tell("the summary breaks off")
			return nil
		}
		return err
	case rec.Type() == warc.TypeWarcinfo && rec.Offset == 0:
		v.converted = rec.Get(warc.FieldDate)
		return nil
	}
	v.tell("a record that is no part of an ARC")
	return nil
}

// part compares one record with its place in the ARC.
func (v *verification) part(rec *warc.Record) error {
	p, err := readPart(rec)
	if err != nil {
		v.tell("%v", err)
		return nil
	}
	v.sums.reset()
	if err := v.compareText(p.before); err != nil {
		return err
	}
	for {
		chunk, err := rec.Chunk(int64(len(v.buffer)))
		if errors.Is(err, io.EOF) {
			break
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			v.tell("the block breaks off")
			break
		}
		if err != nil {
			return err
		}
		_, _ = v.sums.Write(chunk) // a hash takes everything
		if err := v.compare(chunk); err != nil {
			return err
		}
	}
	v.sums.finish()
	v.compareFields(rec, &p)
	return v.compareText(p.behind)
}

func (v *verification) compareText(s string) error {
	for len(s) > 0 {
		n := min(len(s), len(v.buffer))
		if err := v.compare([]byte(s[:n])); err != nil {
			return err
		}
		s = s[n:]
	}
	return nil
}

// compare compares at most a buffer of bytes with the next of the ARC.
func (v *verification) compare(b []byte) error {
	n, err := io.ReadFull(v.original, v.buffer[:len(b)])
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	if string(v.buffer[:n]) != string(b) && !v.differs {
		v.differs = true
		v.tell("its bytes are not those of the ARC at %d of the inflated file", v.proof.Bytes)
	}
	v.proof.Bytes += int64(n)
	return nil
}

// compareFields holds the fields of a record against its line and its block.
func (v *verification) compareFields(rec *warc.Record, p *part) {
	kind := warc.TypeMetadata
	if p.line != "" {
		v.proof.Records++
		h, ok := arc.ParseLine(p.line)
		if !ok {
			v.tell("%s holds no URL-record line", FieldLine)
			return
		}
		want := describe(&h, v.sums.answered(), v.converted)
		kind = want[0].Value
		v.compareValues(rec, want)
	}
	v.compareValues(rec, v.sums.fields(kind))
}

func (v *verification) compareValues(rec *warc.Record, want []warc.NameValue) {
	for _, f := range want {
		if got := rec.Get(f.Name); got != f.Value {
			v.tell("%s is %.140q; the ARC gives %.140q", f.Name, got, f.Value)
		}
	}
}

// tell notes a difference of the record at hand, or of the file.
func (v *verification) tell(format string, args ...any) {
	if len(v.proof.Differences) == maxDifferences {
		v.proof.More++
		return
	}
	d := Difference{Detail: fmt.Sprintf(format, args...)}
	if v.rec != nil {
		d.Record, d.Offset = v.id, v.rec.Offset
	}
	v.proof.Differences = append(v.proof.Differences, d)
}
