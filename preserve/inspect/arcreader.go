package inspect

import (
	"quire/format/arc"
	"quire/format/warc"
	"quire/model"
)

// kindFiledesc is the record type under which the version block of an ARC file is counted. Other
// ARC records are counted under the WARC type that a conversion would give them: response for HTTP
// answers, resource for the rest.
const kindFiledesc = "filedesc"

// arcReader reads the entries of an ARC file.
type arcReader struct {
	r     *arc.Reader
	rec   *arc.Record
	entry entry
	block *model.VersionBlock
}

func (a *arcReader) next() (*entry, error) {
	rec, err := a.r.Next()
	if err != nil {
		return nil, err
	}
	a.rec = rec
	a.entry = entry{
		offset: rec.Offset, id: rec.URL, kind: warc.TypeResource, uri: rec.URL, contentType: rec.ContentType,
		size: rec.BlockLength, info: rec.IsVersionBlock(), arc: rec,
	}
	switch {
	case rec.IsVersionBlock():
		a.entry.kind = kindFiledesc
		if a.block == nil {
			a.block = &model.VersionBlock{IP: rec.IP}
			a.block.Date, _ = rec.Time() // a bad date was reported
		}
	case hasScheme(rec.URL, "http"), hasScheme(rec.URL, "https"):
		a.entry.kind = warc.TypeResponse
	}
	a.entry.date, _ = rec.Time()
	return &a.entry, nil
}

func (a *arcReader) chunk(limit int64) ([]byte, error) { return a.rec.Chunk(limit) }

func (a *arcReader) held() int64 { return a.rec.BlockSize() }

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
	if a.block != nil {
		c.VersionBlock = a.block
		c.VersionBlock.Name, c.VersionBlock.Version, c.VersionBlock.Origin, c.VersionBlock.HasMetadata = v.Name,
			v.Version, v.Origin, v.Metadata != nil
	}
	for _, f := range v.Fields {
		c.Info = append(c.Info, model.Field{Name: f.Name, Value: f.Value})
	}
}
