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

// write writes the new descriptions to their files.
func (j *job) write(ctx context.Context) error {
	switch {
	case j.o.DryRun:
		return j.foresee(ctx)
	case j.result.New == 0:
		return j.sweep()
	case j.o.InPlace:
		return j.writeInPlace(ctx)
	case j.o.Out != "":
		return j.writeFile(ctx)
	}
	return nil
}

// sweep removes the leftovers of a run that was killed after its last step: no other run would
// remove them.
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

// writeFile writes a new WARC file into the folder. It appears there only when it is complete.
func (j *job) writeFile(ctx context.Context) (err error) {
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
	all := j.missing()
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

// missing returns the descriptions that are not there yet.
func (j *job) missing() []*planned {
	all := make([]*planned, 0, j.result.New)
	for i := range j.planned {
		if !j.planned[i].done {
			all = append(all, &j.planned[i])
		}
	}
	return all
}

// freeName returns an unused name with the current time for the new file.
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
	return "", fmt.Errorf("%s already has a thousand files %s", j.o.Out, base)
}

// writeRecords writes a warcinfo, which names the author of the descriptions, and the descriptions.
// It returns the number of bytes written.
func (j *job) writeRecords(ctx context.Context, out io.Writer, name string, zip bool, all []*planned) (int64, error) {
	compression := warc.Plain
	if zip {
		compression = warc.Gzip
	}
	w, err := warc.NewWriter(out, warc.WriterOptions{Compression: compression})
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
		document, _, err := j.document(p, j.now)
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

// writeInfo writes the warcinfo (6.2). Its id depends on the descriptions, so no two in one file
// are the same.
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

// wrote records that the descriptions are on disk.
func (j *job) wrote(all []*planned, f File) {
	for _, p := range all {
		p.done = true
		j.result.Described[p.described].Records[p.record].Is = IsWritten
	}
	f.Records = int64(len(all))
	j.result.Written += f.Records
	j.result.Files = append(j.result.Files, f)
}
