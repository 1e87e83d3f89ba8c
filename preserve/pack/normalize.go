package pack

import (
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"quire/internal/humanize"
	"quire/internal/portable"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/convert"
)

// normalizeARC converts an ARC to a WARC. The ARC is read once. The WARC is read back from disk, to
// check that it is complete and that the ARC can be restored, and to inspect its content. Then the
// policy decides whether the ARC is kept, too.
func (b *builder) normalizeARC(ctx context.Context, it item, p *packed) (err error) {
	m := &normalization{Of: it.Name, When: b.now()}
	p.Made = m
	var kept packed
	original := originalOf(&it)
	convert := func(copyTo io.Writer) error {
		src, err := it.Open()
		if err != nil {
			return err
		}
		defer func() { _ = src.Close() }() // it was only read
		return b.written(it.dest, func(dst io.Writer) error {
			m.ARC, err = convert.ARC(ctx, src, path.Base(it.File.Path), it.Modified, dst, convert.FileOptions{
				Software: b.software(), TempDir: b.temp, CopyTo: copyTo, Progress: b.o.Progress,
			})
			if err != nil {
				return err
			}
			return unchanged(src, it, m.ARC.Bytes)
		})
	}
	if b.o.Keep.arc(true) { // whatever the result of the proof
		err = b.write(original, it.Modified, convert)
	} else {
		err = convert(nil)
	}
	if err != nil {
		return err
	}
	if err := b.readBack(ctx, it.dest, p, m); err != nil {
		return err
	}
	if !m.ARC.Sound() || m.ARC.Damaged {
		b.unsound(p.Dest, m.ARC.Findings, m.ARC.FindingCounts)
	}
	if m.Kept = b.o.Keep.arc(m.Proof.Restorable); m.Kept {
		kept = packed{Group: originals, Harvest: p.Harvest, Dest: original, Name: it.Name, Size: m.ARC.Bytes,
			SHA512: m.ARC.SHA512,
			Role:   it.File.Role, Restricted: it.File.Restricted, SourceOf: p.N}
		if !b.o.Keep.arc(true) {
			if err := b.copyOriginal(ctx, it, original); err != nil {
				return err
			}
		}
		b.originals = append(b.originals, kept)
	}
	return nil
}

// originalOf returns the path at which an ARC is kept beside the WARC converted from it.
func originalOf(it *item) string { return path.Join(aip.OriginalsDir, portable.Name(it.Name)) }

// copyOriginal copies an ARC that proved not to be restorable.
func (b *builder) copyOriginal(ctx context.Context, it item, dest string) error {
	src, err := it.Open()
	if err != nil {
		return err
	}
	defer func() { _ = src.Close() }() // it was only read
	return b.write(dest, it.Modified, func(dst io.Writer) error {
		return b.copy(ctx, src, dst, &packed{})
	})
}

// written makes a file of the package and syncs it, because it is read back.
func (b *builder) written(dest string, content func(io.Writer) error) (err error) {
	dst, err := b.create(dest)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dst.Close()) }()
	if err := content(dst); err != nil {
		return err
	}
	return dst.Sync()
}

// readBack inspects a new WARC, and proves in the same pass that the ARC can be restored from it.
func (b *builder) readBack(ctx context.Context, dest string, p *packed, m *normalization) error {
	f, err := os.Open(filepath.Join(b.temp, filepath.FromSlash(dest)))
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	if m.ARC == nil {
		return b.inspect(ctx, f, nil, nil, p)
	}
	r, w := io.Pipe()
	proved := make(chan error, 1)
	go func() {
		var err error
		m.Proof, err = convert.ProveReader(ctx, r, m.ARC)
		_, drained := io.Copy(io.Discard, r) // the inspection continues to the end
		proved <- errors.Join(err, drained)
	}()
	err = b.inspect(ctx, f, w, nil, p)
	_ = w.CloseWithError(err) // nil means the end of the file
	err = errors.Join(err, <-proved)
	if err == nil && p.SHA512 != m.ARC.OutputSHA512 {
		err = errors.New("the disk returned other bytes than were written")
	}
	return err
}

// software returns the name and version of the converting software.
func (b *builder) software() string { return b.o.Agent.Name + " " + b.o.Agent.Version }

// normalizeMirror converts a mirror to a WARC, and reads it back from disk.
func (b *builder) normalizeMirror(ctx context.Context, it item, p *packed) error {
	m := &normalization{Of: it.Name, When: b.now(), Kept: b.o.Keep.mirrors()}
	p.Made = m
	err := b.written(it.dest, func(dst io.Writer) (err error) {
		m.Mirror, err = convert.Mirror(ctx, it.Step, b.facts.harvests[it.Harvest].about, dst, nil, convert.FileOptions{
			Software: b.software(), TempDir: b.temp, Progress: b.o.Progress,
		})
		return err
	})
	if err != nil {
		return err
	}
	if kinds := slices.Sorted(maps.Keys(m.Mirror.Secrets)); len(kinds) > 0 {
		p.Restricted = "its records hold " + strings.Join(kinds, ", ")
	}
	if err := b.readBack(ctx, it.dest, p, m); err != nil {
		return err
	}
	if m.Mirror.Errors > 0 {
		b.unsound(p.Dest, m.Mirror.Findings, m.Mirror.FindingCounts)
	}
	return nil
}

// unsound reports errors in the source of a container, whatever the state of the container.
func (b *builder) unsound(dest string, findings []model.Finding, counts map[string]int64) {
	b.result.Outcome = model.Invalid
	last := len(b.result.Checked) - 1
	if last < 0 || b.result.Checked[last].Path != dest { // only a limited number is listed
		return
	}
	total := int64(0)
	for _, n := range counts {
		total += n
	}
	said := humanize.Count(total, "finding")
	for _, f := range findings {
		if f.Severity == model.Error {
			said += ", the first: " + f.String()
			break
		}
	}
	b.result.Checked[last].Original = said
}
