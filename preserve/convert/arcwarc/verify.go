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

// maxDifferences bounds the number of differences that are kept.
const maxDifferences = 100

// Difference is a difference between a WARC and its ARC.
type Difference struct {
	Record string // WARC-Record-ID; "" for the file as a whole
	Offset int64  // of the record in the WARC file
	Detail string
}

// Proof is the outcome of Verify.
type Proof struct {
	Records     int64 // compared records
	Bytes       int64 // compared bytes of the inflated ARC
	Damaged     int64 // members of the ARC that could not be fully inflated, so the WARC is not complete
	Differences []Difference
	More        int64 // number of differences not kept
}

// Sound reports whether the WARC matches the ARC, record by record and byte by byte.
func (p *Proof) Sound() bool { return len(p.Differences) == 0 }

// Verify compares an ARC file with the WARC that Convert made of it. Each record must have the
// bytes at its position in the inflated ARC (line, block and separator), the fields derived from
// its line, and correct digests. Differences are in the Proof; an error is from reading.
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

// verification is the state of one Verify call.
type verification struct {
	proof     *Proof
	original  *plain
	sums      *sums
	rec       *warc.Record // the current record
	id        string
	converted string // date of the conversion
	summary   map[string]string
	differs   bool // a difference of the current record was reported
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
		v.addDifference("%d bytes at the end of the ARC are not in the WARC", rest)
	}
	return nil
}

// compareSource compares the file with the summary.
func (v *verification) compareSource(t *tap) error {
	_, sum, err := t.finish()
	if err != nil {
		return err
	}
	v.rec = nil
	switch {
	case v.summary == nil:
		v.addDifference("the WARC has no summary at its end")
	case v.summary["source-sha512"] != sum:
		v.addDifference("the WARC is of a file with SHA-512 %.140q; the ARC has %s", v.summary["source-sha512"],
			sum)
	case v.summary[summaryRecords] != fmt.Sprint(v.proof.Records):
		v.addDifference("%d records; the summary states %.20q", v.proof.Records, v.summary[summaryRecords])
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
			v.addDifference("the summary is incomplete")
			return nil
		}
		return err
	case rec.Type() == warc.TypeWarcinfo && rec.Offset == 0:
		v.converted = rec.Get(warc.FieldDate)
		return nil
	}
	v.addDifference("a record is not part of an ARC")
	return nil
}

// part compares one record with its position in the ARC.
func (v *verification) part(rec *warc.Record) error {
	p, err := readPart(rec)
	if err != nil {
		v.addDifference("%v", err)
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
			v.addDifference("the block is incomplete")
			break
		}
		if err != nil {
			return err
		}
		_, _ = v.sums.Write(chunk) // a hash never fails
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

// compare compares at most one buffer of bytes with the next bytes of the ARC.
func (v *verification) compare(b []byte) error {
	n, err := io.ReadFull(v.original, v.buffer[:len(b)])
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	if string(v.buffer[:n]) != string(b) && !v.differs {
		v.differs = true
		v.addDifference("its bytes differ from those of the ARC at %d of the inflated file", v.proof.Bytes)
	}
	v.proof.Bytes += int64(n)
	return nil
}

// compareFields compares the fields of a record with its line and its block.
func (v *verification) compareFields(rec *warc.Record, p *part) {
	kind := warc.TypeMetadata
	if p.line != "" {
		v.proof.Records++
		h, ok := arc.ParseLine(p.line)
		if !ok {
			v.addDifference("%s holds no URL-record line", FieldLine)
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
			v.addDifference("%s is %.140q; from the ARC it should be %.140q", f.Name, got, f.Value)
		}
	}
}

// addDifference records a difference in the current record, or in the file.
func (v *verification) addDifference(format string, args ...any) {
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
