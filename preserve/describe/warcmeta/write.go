package warcmeta

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"quire/format/warc"
	"quire/internal/atomicdir"
	"quire/internal/disk"
	"quire/internal/warcbuild"
	"quire/metadata/oclc"
)

// write brings the new descriptions to where they shall be.
func (j *job) write(ctx context.Context) error {
	switch {
	case j.result.New == 0:
		return j.sweep()
	case j.o.InPlace:
		return j.writeInPlace(ctx)
	case j.o.Out != "":
		return j.writeFile(ctx)
	}
	return nil
}

// sweep removes what a run left that was killed behind its last step: nobody else comes to write
// here again.
func (j *job) sweep() error {
	folders := map[string]bool{}
	if j.o.InPlace {
		for _, c := range j.containers {
			if path, ok := c.OnDisk(); ok {
				if where, err := filepath.EvalSymlinks(path); err == nil {
					folders[filepath.Dir(where)] = true
				}
			}
		}
	}
	if _, err := os.Stat(j.o.Out); j.o.Out != "" && err == nil {
		folders[j.o.Out] = true
	}
	for folder := range folders {
		if err := atomicdir.Sweep(folder); err != nil {
			return err
		}
	}
	return nil
}

// writeFile writes a new WARC file into the folder: it appears there whole, or not at all.
func (j *job) writeFile(ctx context.Context) (err error) {
	if err := os.Mkdir(j.o.Out, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	work, err := atomicdir.New(j.o.Out)
	if err != nil {
		return err
	}
	defer work.End(&err)
	name, err := j.freeName()
	if err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(work.Path(), name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	all := make([]*planned, 0, j.result.New)
	for i := range j.planned {
		if !j.planned[i].done {
			all = append(all, &j.planned[i])
		}
	}
	size, err := j.writeRecords(ctx, f, name, true, all)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	final := filepath.Join(j.o.Out, name)
	if err := disk.Absent(final); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), final); err != nil {
		return err
	}
	j.wrote(all, File{Path: final, Bytes: size, Added: size})
	return disk.SyncFolder(j.o.Out)
}

// freeName is a name for the new file that says when it was made.
func (j *job) freeName() (string, error) {
	base := "descriptions-" + j.now.Format("20060102150405")
	for n := 1; n < 1000; n++ {
		name := base + ".warc.gz"
		if n > 1 {
			name = fmt.Sprintf("%s-%d.warc.gz", base, n)
		}
		switch err := disk.Absent(filepath.Join(j.o.Out, name)); {
		case err == nil:
			return name, nil
		case !errors.Is(err, fs.ErrExist):
			return "", err
		}
	}
	return "", fmt.Errorf("%s has a thousand files %s already", j.o.Out, base)
}

// writeRecords writes a warcinfo, which says who made the descriptions behind it, and the
// descriptions. It gives the bytes written.
func (j *job) writeRecords(ctx context.Context, out io.Writer, name string, zip bool, all []*planned) (int64, error) {
	w, err := warc.NewWriter(out, warc.WriterOptions{Gzip: zip})
	if err != nil {
		return 0, err
	}
	info, size, err := j.writeInfo(w, name, all)
	if err != nil {
		return 0, err
	}
	for _, p := range all {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		document, err := j.document(p)
		if err != nil {
			return 0, err
		}
		_, n, err := w.WriteBytes(p.fields(p.target, info, j.now), document)
		if err != nil {
			return 0, fmt.Errorf("row %d: %w", j.o.Rows[p.row].Row, err)
		}
		size += n
	}
	return size, nil
}

// writeInfo writes the warcinfo (6.2). Its id is made of the descriptions, too, so that no two in
// one file are the same.
func (j *job) writeInfo(w *warc.Writer, name string, all []*planned) (id string, size int64, err error) {
	b := warcbuild.AppendField(nil, "software", j.o.Agent.Name+"/"+j.o.Agent.Version)
	b = warcbuild.AppendField(b, "format", "WARC File Format 1.1")
	b = warcbuild.AppendField(b, "conformsTo",
		"http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/")
	b = warcbuild.AppendField(b, "description", oclc.InfoOfDescriptions)
	fields := []warc.NameValue{
		{Name: warc.FieldType, Value: warc.TypeWarcinfo},
		{Name: warc.FieldDate, Value: warc.FormatDate(j.now)},
		{Name: warc.FieldContentType, Value: "application/warc-fields"},
		{Name: warc.FieldFilename, Value: warcbuild.Escape(name)},
	}
	values := append(slices.Clone(fields), warc.NameValue{Name: "block", Value: string(b)})
	for _, p := range all {
		values = append(values, warc.NameValue{Name: warc.FieldRecordID, Value: p.ID})
	}
	id = warcbuild.RecordID(values)
	_, size, err = w.WriteBytes(append(fields, warc.NameValue{Name: warc.FieldRecordID, Value: id}), b)
	return id, size, err
}

// wrote takes into account what is on the disk now.
func (j *job) wrote(all []*planned, f File) {
	for _, p := range all {
		p.done = true
		j.result.Described[p.described].Records[p.record].Is = IsWritten
	}
	f.Records = int64(len(all))
	j.result.Written += f.Records
	j.result.Files = append(j.result.Files, f)
}
