package migrate

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"quire/format/warc"
	"quire/internal/warcbuild"
	"quire/preserve/aip"
)

// containerName returns the path of the new container, which includes the rule and the date. Names
// are compared without case, as some file systems do.
func (j *job) containerName() string {
	taken := map[string]bool{}
	for _, f := range j.old.Files {
		taken[strings.ToLower(f.Path)] = true
	}
	base := path.Join(aip.ContainersDir, "migration-"+j.o.Rule.Name+"-"+j.o.Date.Format("20060102150405"))
	name := base + ".warc.gz"
	for n := 2; taken[name]; n++ {
		name = fmt.Sprintf("%s-%d.warc.gz", base, n)
	}
	return name
}

// containerWriter writes the new container.
type containerWriter struct {
	j    *job
	file *os.File
	out  *bufio.Writer
	warc *warcbuild.Conversions
}

// newContainer begins the new container with a record that describes it.
func (j *job) newContainer() (w *containerWriter, err error) {
	w = &containerWriter{j: j}
	if w.file, err = create(filepath.Join(j.out, filepath.FromSlash(j.name))); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.file.Close())
		}
	}()
	w.out = bufio.NewWriterSize(w.file, 256<<10)
	tool := j.tool.agent()
	w.warc, err = warcbuild.NewConversions(w.out, path.Base(j.name), j.o.Date, j.o.Agent.Name+" "+j.o.Agent.Version,
		[]warc.NameValue{
			{Name: "isPartOf", Value: j.old.ID},
			{Name: "description", Value: "conversions of records of this package by the rule " + j.o.Rule.Name + ": " +
				j.o.words() + " to " + j.o.Rule.MIME},
			{Name: "migration-tool", Value: tool.Name + " " + tool.Version},
			{Name: "migration-command", Value: j.tool.words()},
		})
	return w, err
}

// words describes the formats to migrate.
func (o *Options) words() string {
	from := formatSet(o.From)
	if len(from) == 0 {
		from = o.Rule.From
	}
	return from.String()
}

// write writes a conversion record, and completes its data.
func (w *containerWriter) write(t *task, d *done) (err error) {
	d.Size, d.ContentType = t.out.Size(), cmp.Or(t.contentType, w.j.o.Rule.MIME)
	d.Record, d.SHA256, err = w.warc.Write(warcbuild.Converted{TargetURI: t.URI, RefersTo: t.ID,
		ContentType: d.ContentType, Content: t.out})
	return err
}

// close syncs the container to disk.
func (w *containerWriter) close() error {
	return errors.Join(w.out.Flush(), w.file.Sync(), w.file.Close())
}
