package store

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"quire/repository/catalogue"
	"quire/repository/register"
)

// pruner reads a run file and leaves out the superseded lines.
type pruner struct {
	store   *Store
	path    string
	head    runHead
	foot    runFoot
	good    int64 // lines of good results that stay
	dropped int64
	waiting []waitingLine
	kept    bool // a line since the last checkpoint
	ended   bool // the foot was read

	gap  *register.LineTree // lines that are left out; nil: none
	from uint64             // lines before this place that may be left out
	emit func(text []byte) error
}

// waitingLine is a line whose time is not known yet.
type waitingLine struct {
	text    []byte
	line    runLine
	omitted *omitted // lines that an earlier compaction left out
}

// prune calls emit with each line that stays.
func (p *pruner) prune(ctx context.Context, emit func(text []byte) error) error {
	limit := maxUntimed
	if p.head.Format == 1 {
		limit = 3 * batchPackages // all its lines have the time of the foot
	}
	good := p.good
	p.good, p.emit = 0, emit
	return eachLine(p.path, func(n int, text []byte) error {
		if n == 0 {
			return p.emitHead(text, good)
		}
		var line runText
		if err := json.Unmarshal(text, &line); err != nil {
			return err
		}
		switch {
		case line.Package != "" || line.Omitted != nil && !line.covered():
			p.waiting = append(p.waiting, waitingLine{slices.Clone(text), line.runLine, line.Omitted})
			if len(p.waiting) < limit {
				return nil
			}
			if p.head.Format != 1 {
				return errors.New("too many results without a checkpoint")
			}
			return p.decide(ctx, p.foot.Finished)
		case line.Checkpoint != nil:
			p.kept = false
			if err := p.decide(ctx, line.Checkpoint.At); err != nil {
				return err
			}
			return p.may(p.kept, text)
		case !line.covered() && (line.Compacted != nil || !p.ended):
			return nil // a signature of lines that may be left out; the last one is for all
		case !line.Finished.IsZero():
			p.ended = true
			if err := errors.Join(p.decide(ctx, p.foot.Finished), p.close()); err != nil {
				return err
			}
		}
		return emit(slices.Clone(text)) // also a kind of line that this program does not know
	})
}

// emitHead emits the head, with the time of this compaction and the number of lines. A head that the digest
// covers stays as it is: a line of its own follows.
func (p *pruner) emitHead(text []byte, good int64) error {
	now := p.store.moment()
	if p.head.Format >= saltedFormat {
		line, err := json.Marshal(compactedLine{&compacted{now, good}})
		if err != nil {
			return err
		}
		return errors.Join(p.emit(slices.Clone(text)), p.emit(line))
	}
	raw := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &raw); err != nil {
		return err
	}
	for name, value := range map[string]any{"compacted": now, "lines": good} {
		b, err := json.Marshal(value)
		if err != nil {
			return err
		}
		raw[name] = b
	}
	head, err := json.Marshal(raw)
	if err != nil {
		return err
	}
	return p.emit(head)
}

// decide emits the waiting lines that stay. All were read at the same time.
func (p *pruner) decide(ctx context.Context, at time.Time) error {
	for part := range slices.Chunk(p.waiting, batchPackages) {
		var ids []string
		for _, w := range part {
			if w.omitted == nil {
				ids = append(ids, w.line.Package)
			}
		}
		slices.Sort(ids)
		var newest map[catalogue.Check]time.Time
		var err error
		if len(ids) > 0 {
			newest, err = p.store.catalogue.Newest(ctx, slices.Compact(ids))
		}
		if err != nil {
			return err
		}
		for _, w := range part {
			if err := p.one(w, newest, at); err != nil {
				return err
			}
		}
	}
	p.waiting = p.waiting[:0]
	return nil
}

// one emits a waiting line, or leaves it out.
func (p *pruner) one(w waitingLine, newest map[catalogue.Check]time.Time, at time.Time) error {
	if w.omitted != nil {
		return p.gapHere().Omit(w.omitted.Lines, w.omitted.Hashes)
	}
	good := w.line.Status == catalogue.Good && w.line.Problems == 0
	if !good {
		p.kept = true
		return p.emit(w.text)
	}
	if newest[catalogue.Check{Package: w.line.Package, Copy: w.line.Copy}].After(at) {
		p.dropped++
		return p.may(false, w.text)
	}
	p.good++
	p.kept = true
	return p.may(true, w.text)
}

// gapHere returns the gap that the next line left out is added to.
func (p *pruner) gapHere() *register.LineTree {
	if p.gap == nil {
		p.gap = register.LinesFrom(p.from)
	}
	return p.gap
}

// may emits a line that may be left out, or adds it to the gap.
func (p *pruner) may(stays bool, text []byte) error {
	if stays {
		if err := p.close(); err != nil {
			return err
		}
		p.from++
		return p.emit(slices.Clone(text))
	}
	if p.head.Format >= saltedFormat {
		salt, err := register.ParseSalt(p.head.Salt)
		if err != nil {
			return err
		}
		p.gapHere().Add(salt.Line(text))
	}
	return nil
}

// close ends a gap: a line has the hashes over the lines in it.
func (p *pruner) close() error {
	if p.gap == nil {
		return nil
	}
	line, err := json.Marshal(omittedLine{&omitted{p.gap.Len(), p.gap.Hashes()}})
	if err != nil {
		return err
	}
	p.from, p.gap = p.gap.End(), nil
	return p.emit(line)
}
