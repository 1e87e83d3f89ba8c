package inspect

import (
	"quire/format/arc"
	"quire/format/warc"
	"quire/model"
)

// kindFiledesc is what the version block of an ARC file counts as. The other records are counted under the names of the
// WARC types that they would become: response for what HTTP answered, resource for the rest.
const kindFiledesc = "filedesc"

// arcReader reads the entries of an ARC file.
type arcReader struct {
	r     *arc.Reader
	rec   *arc.Record
	entry entry
}

func (a *arcReader) next() (*entry, error) {
	rec, err := a.r.Next()
	if err != nil {
		return nil, err
	}
	a.rec = rec
	a.entry = entry{
		offset: rec.Offset, id: rec.URL, kind: warc.TypeResource, uri: rec.URL, contentType: rec.ContentType,
		size: rec.BlockLength, info: rec.IsVersionBlock(),
	}
	switch {
	case rec.IsVersionBlock():
		a.entry.kind = kindFiledesc
	case hasScheme(rec.URL, "http"), hasScheme(rec.URL, "https"):
		a.entry.kind = warc.TypeResponse
	}
	a.entry.date, _ = rec.Time()
	return &a.entry, nil
}

func (a *arcReader) chunk(limit int64) ([]byte, error) { return a.rec.Chunk(limit) }

func (a *arcReader) close() (int64, error) {
	err := a.rec.Close()
	return a.rec.Length, err
}

func (a *arcReader) finish(c *container) {
	v := a.r.Version()
	if v == nil {
		return
	}
	c.Versions = []string{v.Version}
	for _, f := range v.Fields {
		c.Info = append(c.Info, model.Field{Name: f.Name, Value: f.Value})
	}
}
