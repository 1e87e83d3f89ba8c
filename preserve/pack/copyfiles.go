package pack

import (
	"bufio"
	"context"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"quire/internal/archivefs"
	"quire/internal/disk"
	"quire/internal/secret"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/convert"
	"quire/preserve/inspect"
)

// addFile copies one file into the package and keeps its data.
func (b *builder) addFile(ctx context.Context, it item, n int) error {
	p := packed{N: n, Group: it.group, Harvest: it.Harvest + 1, Dest: it.dest, Name: it.Name, Role: it.File.Role,
		Restricted: it.File.Restricted, source: it.File.Path}
	var err error
	switch {
	case it.Mirror != nil:
		err = b.normalizeMirror(ctx, it, &p)
	case it.Action == convert.ConvertARC:
		err = b.normalizeARC(ctx, it, &p)
	default:
		err = b.copyFile(ctx, it, &p)
	}
	var torn *convert.Torn
	if errors.As(err, &torn) {
		return b.torn(it, torn)
	}
	if err != nil {
		return fmt.Errorf("packing %s: %w", it.Name, err)
	}
	return b.keep(p)
}

// keep records a file in the package.
func (b *builder) keep(p packed) error {
	p.Done = b.now()
	if p.Container != nil {
		if err := b.writeLines(&p); err != nil {
			return fmt.Errorf("writing the CDXJ index of %s: %w", p.Dest, err)
		}
	}
	b.restrict(p.Restricted)
	b.content.Write([]byte(p.SHA512 + "  " + p.Dest + "\n")) // a hash never fails
	b.result.Bytes += p.Size
	switch {
	case p.Group == originals:
		b.result.Originals++
	case p.Container == nil:
		b.result.OtherFiles++
	case p.Made != nil:
		b.result.Converted++
	}
	return b.spool.Add(p)
}

// copyFile copies a file unchanged. A container is inspected in the same pass.
func (b *builder) copyFile(ctx context.Context, it item, p *packed) (err error) {
	src, err := it.Open()
	if err != nil {
		return err
	}
	defer func() { _ = src.Close() }() // it was only read
	return b.write(it.dest, it.Modified, func(dst io.Writer) error {
		if it.group == containers {
			err = b.inspect(ctx, src, dst, b.o.Progress, p)
		} else {
			err = b.copy(ctx, src, dst, p)
		}
		if err != nil {
			return err
		}
		return unchanged(src, it, p.Size)
	})
}

// write makes a file of the package, and passes it to the syncer.
func (b *builder) write(dest string, modified time.Time, content func(io.Writer) error) (err error) {
	dst, err := b.create(dest)
	if err != nil {
		return err
	}
	if err := content(dst); err != nil {
		_ = dst.Close() // the package is abandoned
		return err
	}
	if !modified.IsZero() {
		_ = os.Chtimes(dst.Name(), modified, modified) // for convenience: the time is not part of the package
	}
	return b.sync.add(dst)
}

// unchanged checks that a file did not change between listing and reading: a package must never
// contain half of a file that a crawler was still writing. Files in an archive do not change.
func unchanged(src archivefs.Content, it item, read int64) error {
	file, ok := src.(interface{ Stat() (fs.FileInfo, error) })
	if !ok || it.Tree.Kind() != archivefs.Folder && it.Tree.Kind() != archivefs.Virtual {
		return nil
	}
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if read == it.File.Size && info.Size() == it.File.Size && info.ModTime().Equal(it.Modified) {
		return nil
	}
	return fmt.Errorf("%s was changed while it was packed (%d bytes when it was listed, %d when it was read): wait "+
		"until the crawler has finished with it", it.Name, it.File.Size, read)
}

// inspect reads a container from its beginning, and copies each byte to copyTo.
func (b *builder) inspect(ctx context.Context, src io.ReadSeeker, copyTo io.Writer, progress func(int64),
	p *packed) error {
	p.Contents.Rows.From = b.contents.at
	b.web.begin(&p.Contents)
	if err := b.lines.Begin(); err != nil {
		return err
	}
	c, err := inspect.Reader(ctx, src, b.lines.Options(inspect.Options{
		CopyTo: copyTo, Progress: progress, MaxFindings: 1, Scan: b.o.Scan, Identify: b.formats, Bodies: b.o.bodies(),
		SHA512: b.o.Profile.itemized(), Languages: true,
		Record: func(r model.Record) error {
			return errors.Join(b.judgeRecord(p, &r), b.collect(p, &r), b.completeRecord(p, &r))
		},
		Served: b.listeners(ctx, p),
	}))
	if err != nil {
		return err
	}
	p.Contents.Rows.To = b.contents.at
	b.web.end(&p.Contents)
	c.Path = p.Dest
	p.Container, p.Size, p.SHA512 = c, c.Bytes, c.SHA512
	b.result.Containers++
	b.result.Records += c.Records.Total
	if c.Outcome != model.Valid {
		b.result.Outcome = model.Invalid
	}
	if len(b.result.Checked) < MaxChecked {
		b.result.Checked = append(b.result.Checked,
			Checked{Path: p.Dest, Outcome: c.Outcome, Records: c.Records.Total, Findings: c.FindingsTotal,
				Worst: worst(c)})
	}
	b.scanned(c.Scan)
	b.facts.add(c, p.capturedIn(), p.Made != nil)
	b.completeContainer(p)
	return nil
}

// worst returns the text of the first of the most severe findings.
func worst(c *model.Container) string {
	for _, severity := range []model.Severity{model.Error, model.Warning} {
		for _, f := range c.Findings {
			if f.Severity == severity {
				return f.String()
			}
		}
	}
	return ""
}

// copy copies a file that is no container. A text with passwords in its URLs, such as a log, is
// restricted, whatever the reader of the crawler says.
func (b *builder) copy(ctx context.Context, src io.Reader, dst io.Writer, p *packed) error {
	h, passwords := sha512.New(), &secret.Finder{}
	counted := &disk.Counted{Ctx: ctx, From: src, Progress: b.o.Progress}
	n, err := io.CopyBuffer(io.MultiWriter(dst, h, passwords), counted, b.buffer)
	p.Size, p.SHA512 = n, hex.EncodeToString(h.Sum(nil))
	if err := passwords.Close(); err != nil {
		return err
	}
	if passwords.Found && p.Restricted == "" {
		p.Restricted = "holds a password in a URL"
	}
	return err
}

// create makes a file of the package and its folders.
func (b *builder) create(dest string) (*os.File, error) {
	p := filepath.Join(b.temp, filepath.FromSlash(dest))
	if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
		return nil, err
	}
	return os.OpenFile(p, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}

// describe writes the METS documents, and the digest of mets.xml.
func (b *builder) describe() (err error) {
	if err := b.writeDocuments(); err != nil {
		return fmt.Errorf("describing the package: %w", err)
	}
	f, err := b.create(aip.METSName)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	h := sha512.New()
	out := bufio.NewWriterSize(io.MultiWriter(f, h), 256<<10)
	if err := b.writeMETS(out); err != nil {
		return fmt.Errorf("describing the package: %w", err)
	}
	if err := errors.Join(out.Flush(), f.Sync()); err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	line := aip.DigestLine(hex.EncodeToString(h.Sum(nil)))
	b.result.Bytes += info.Size() + int64(len(line))
	return b.writeSmall(aip.DigestName, line)
}

func (b *builder) writeSmall(dest string, content []byte) (err error) {
	f, err := b.create(dest)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.Write(content); err != nil {
		return err
	}
	return f.Sync()
}
