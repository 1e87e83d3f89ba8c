package facts

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"

	"quire/metadata/mods"
	"quire/metadata/xmlstream"
	"quire/preserve/aip"
)

// Description returns the ID of the curators' description of a record; "" without one. A
// description of the page precedes one of the harvest, which precedes one of the website.
func (f *Facts) Description(c *Container, order int64) string {
	if id := f.Pages[Place{c.Path, order}]; id != "" {
		return id
	}
	var ids []string
	if c.Harvest > 0 && c.Harvest <= len(f.Harvests) {
		ids = append(ids, f.Harvests[c.Harvest-1].Descriptions...)
	}
	ids = append(ids, f.Website...)
	for _, id := range ids {
		if aip.IsSheetDmd(id) { // a row for this website
			return id
		}
	}
	if len(ids) > 0 {
		return ids[0]
	}
	return ""
}

// SumOf returns the digest of a description.
func (f *Facts) SumOf(id string) int64 {
	text, ok := f.Descriptions[id]
	if !ok {
		return 0
	}
	sum := sha256.Sum256(text)
	return int64(binary.BigEndian.Uint64(sum[:]) >> 1)
}

// Collections returns the collections that curators named for the website or a harvest.
func (f *Facts) Collections() []string {
	var names []string
	ids := slices.Clone(f.Website)
	for i := range f.Harvests {
		ids = append(ids, f.Harvests[i].Descriptions...)
	}
	for _, id := range ids {
		record, err := ReadMODS(f.Descriptions[id])
		if err != nil {
			continue // written by this package itself
		}
		for i := range record.Related {
			if item := &record.Related[i]; item.Type == "host" && len(item.Titles) > 0 && item.Titles[0].Title != "" {
				names = append(names, item.Titles[0].Title)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// ReadMODS parses one of the Descriptions.
func ReadMODS(text []byte) (mods.Record, error) {
	x := xmlstream.NewReader(strings.NewReader(string(text)), xmlstream.Limits{})
	if _, err := x.Root(); err != nil {
		return mods.Record{}, err
	}
	return mods.Read(x)
}
