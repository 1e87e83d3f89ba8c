package store

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"quire/model"
	"quire/repository/catalogue"
	"quire/repository/register"
)

// The register has one leaf for each run: the digest over the lines of its file
// (docs/reference/370_register.md). The head has the salt of the digests. Lines with good results and
// checkpoints may be left out later: a line with the hashes over them takes their place. The digest does
// not cover such lines, nor signatures and the line about the last compaction.

// signatureLine follows each checkpoint and the foot: the register's key signs the digest so far.
type signatureLine struct {
	Signature string `json:"signature"`
}

// omittedLine stands for lines that compaction left out.
type omittedLine struct {
	Omitted *omitted `json:"omitted"`
}

type omitted struct {
	Lines  uint64   `json:"lines"`
	Hashes [][]byte `json:"hashes"`
}

// compactedLine follows the head of a file in which lines were left out.
type compactedLine struct {
	Compacted *compacted `json:"compaction"`
}

type compacted struct {
	At    time.Time `json:"at"`
	Lines int64     `json:"lines"` // lines of good results that the file has since
}

// covered reports whether the digest covers a line behind the head.
func (l *runText) covered() bool {
	return l.Package != "" || l.Checkpoint != nil || l.Copied != nil || !l.Finished.IsZero() ||
		l.Signature == "" && l.Omitted == nil && l.Compacted == nil
}

// stays reports whether compaction keeps a line that the digest covers.
func (l *runText) stays() bool {
	if l.Package != "" {
		return l.Status != catalogue.Good || l.Problems != 0
	}
	return l.Checkpoint == nil
}

// runProof computes the digest over the lines of a run's file.
type runProof struct {
	salt   register.Salt
	salted bool   // the run has a leaf
	kind   string // type of the events that the lines stand for
	lines  register.Run
}

// add adds a line without its end. n is its number in the file.
func (p *runProof) add(n int, text []byte, line *runText) error {
	switch {
	case n == 0:
		var head runHead
		if err := json.Unmarshal(text, &head); err != nil {
			return err
		}
		if p.salted = head.Format >= saltedFormat; !p.salted {
			return nil
		}
		salt, err := register.ParseSalt(head.Salt)
		p.salt, p.kind = salt, cmp.Or(head.Type, string(model.FixityCheck))
		p.lines.Add(salt.Line(text))
		return err
	case !p.salted:
	case !line.covered():
		if o := line.Omitted; o != nil {
			return p.lines.May.Omit(o.Lines, o.Hashes)
		}
	case line.stays():
		p.lines.Add(p.salt.Line(text))
	default:
		p.lines.May.Add(p.salt.Line(text))
	}
	return nil
}

func (p *runProof) clone() runProof { return runProof{p.salt, p.salted, p.kind, p.lines.Clone()} }

// auditPurpose is the purpose of the signatures in a run's file.
const auditPurpose = "audit"

// signed returns the document that the signature at this place is for.
func (p *runProof) signed(run string) []byte {
	return fmt.Appendf(nil, "%s\n%d\n%s\n", run, p.lines.Lines(), p.lines.Root())
}

// leaf returns the leaf of the run, after all its lines.
func (p *runProof) leaf(run string, f *runFoot) (register.Batch, error) {
	b := register.Batch{Time: f.Finished.UTC().Truncate(time.Microsecond), Root: p.lines.Root(),
		Lines: p.lines.Lines(), Objects: uint64(max(f.Done, 0)), Type: leafType(p.kind)}
	for _, c := range f.Copies {
		b.Problems += uint64(max(c.Problems, 0))
	}
	id, ok := runID(run)
	if !ok {
		return b, fmt.Errorf("%q is not the id of a run", run)
	}
	b.Run = id
	return b, nil
}

// runID returns the id of a run in the form of a leaf.
func runID(run string) (id [16]byte, ok bool) {
	b, err := hex.DecodeString(strings.ReplaceAll(run, "-", ""))
	if err != nil || len(b) != len(id) {
		return id, false
	}
	return [16]byte(b), true
}

// runRecord is a complete run file, as it was read.
type runRecord struct {
	head      runHead
	foot      runFoot
	leaf      register.Batch
	signature string // of the whole
	signed    []byte
}

// readRecord reads a complete run file, and computes its leaf if it has one.
func readRecord(path string) (*runRecord, error) {
	var r runRecord
	var p runProof
	ended := false
	err := eachLine(path, func(n int, text []byte) error {
		var line runText
		if err := json.Unmarshal(text, &line); err != nil {
			return err
		}
		if n == 0 {
			if err := json.Unmarshal(text, &r.head); err != nil {
				return err
			}
		}
		switch {
		case n > 0 && line.Signature != "" && !line.covered():
			r.signature = line.Signature
		case n > 0 && !line.Finished.IsZero():
			if ended = true; json.Unmarshal(text, &r.foot) != nil {
				return fmt.Errorf("the foot is damaged")
			}
			r.signature = ""
		}
		return p.add(n, text, &line)
	})
	if err == nil && (!ended || len(r.foot.Copies) == 0) {
		err = fmt.Errorf("%s is not a complete record of a run", path)
	}
	if err != nil || !p.salted {
		return &r, err
	}
	r.signed = p.signed(r.head.Run)
	r.leaf, err = p.leaf(r.head.Run, &r.foot)
	return &r, err
}
