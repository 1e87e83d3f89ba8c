package pack

import (
	"encoding/binary"
	"strings"

	"quire/internal/extsort"
	"quire/metadata/harvestmd"
	"quire/metadata/xmlstream"
	"quire/model"
	"quire/preserve/reconcile"
	"quire/source"
)

// hostCounts counts the lines of the logs by host, for all harvests. Memory does not grow with the
// number of hosts.
type hostCounts struct {
	counts *extsort.Counter // harvest, host and reason
	key    []byte
}

func newHostCounts(dir string) *hostCounts {
	return &hostCounts{counts: extsort.NewCounter(extsort.Options{Dir: dir})}
}

// Reasons in the keys besides those of model.Miss.
const (
	reasonFetched = ""
	reasonUnsized = "\x01" // fetched lines without a size
)

// add counts a line of the log of the harvest with this index.
func (c *hostCounts) add(harvest int, f *model.Fetch) error {
	if len(f.Notes) > 0 && f.Notes[0] == source.NotePage {
		return nil
	}
	host := reconcile.HostOf(f.URI)
	if f.Status > 0 {
		if err := c.count(harvest, host, reasonFetched, max(0, f.Size)); err != nil {
			return err
		}
		if f.Size < 0 {
			if err := c.count(harvest, host, reasonUnsized, 0); err != nil {
				return err
			}
		}
	}
	if f.Miss == "" {
		return nil
	}
	return c.count(harvest, host, string(f.Miss), 0)
}

func (c *hostCounts) count(harvest int, host, reason string, bytes int64) error {
	c.key = binary.BigEndian.AppendUint32(c.key[:0], uint32(harvest))
	c.key = append(append(append(c.key, host...), 0), reason...)
	return c.counts.Add(string(c.key), 1, bytes)
}

// tables adds a table of hosts to each harvest with a log.
func (c *hostCounts) tables(harvests []harvest) error {
	of, host := -1, harvestmd.Host{}
	rows := top[harvestmd.Host]{by: documentsOf}
	endHost := func() {
		if of >= 0 {
			rows.add(host)
		}
	}
	endHarvest := func() {
		if rows.total > 0 {
			harvests[of].tables = append(harvests[of].tables,
				&harvestmd.Hosts{Source: "the logs", Total: rows.total, Hosts: rows.list()})
		}
		rows = top[harvestmd.Host]{by: documentsOf}
	}
	err := c.counts.Each(func(key string, n extsort.Count) error {
		number := int(binary.BigEndian.Uint32([]byte(key[:4])))
		name, reason, _ := strings.Cut(key[4:], "\x00")
		if number != of || name != host.Name {
			endHost()
			if number != of {
				if of >= 0 {
					endHarvest()
				}
				of = number
			}
			host = harvestmd.Host{Name: name, Documents: xmlstream.IntOf(0)}
		}
		switch reason {
		case reasonFetched:
			host.Documents, host.Bytes = xmlstream.IntOf(n.N), xmlstream.IntOf(n.Bytes)
		case reasonUnsized:
			host.Bytes = xmlstream.Int{} // the sum is not known
		default:
			host.Missed = append(host.Missed, harvestmd.Missed{Reason: reason, Number: n.N})
		}
		return nil
	})
	endHost()
	if of >= 0 {
		endHarvest()
	}
	return err
}

func documentsOf(h harvestmd.Host) int64 {
	n, _ := h.Documents.Get()
	return n
}

// close removes the temporary files.
func (c *hostCounts) close() error { return c.counts.Close() }
