package characterize

import (
	"cmp"
	"fmt"
	"io"

	"quire/metadata/containermd"
	"quire/metadata/xmlstream"
	"quire/model"
)

// Write writes a containerMD document for one container: the sums and, if entries is not nil, an
// entry per record.
func Write(w io.Writer, c *model.Container, entries *Entries, o Options) error {
	x := xmlstream.NewWriter(w, xmlstream.Options{Indent: true})
	md := Summary(c, o)
	err := containermd.Begin(x, md.Container, md.Information,
		containermd.Options{Version: cmp.Or(o.Version, containermd.Version12)})
	if err == nil && entries != nil {
		err = entries.records.Each(func(r model.Record) error {
			return containermd.WriteEntry(x, entryOf(&r, c.Compression))
		})
	}
	if err == nil {
		err = containermd.End(x)
	}
	if err == nil {
		err = x.Close()
	}
	if err != nil {
		return fmt.Errorf("writing the containerMD of %s: %w", c.Path, err)
	}
	return nil
}
