package migrate

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"quire/internal/extsort"
	"quire/metadata/mets"
	"quire/preserve/aip"
)

// objects are the bytestream objects of a METS, in the order of containers and records. Memory does
// not grow with their number.
type objects struct{ sorter *extsort.Sorter }

func newObjects(dir string) *objects {
	return &objects{extsort.New(extsort.Options{Memory: 4 << 20, Dir: dir})}
}

// key is the position of a record in the order.
func key(container int, order int64) []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, uint64(container)),
		uint64(order)) //nolint:gosec // counted from 1
}

// section records the container and order of a bytestream if the section contains its object.
func (o *objects) section(s mets.Section) error {
	container, order, ok := aip.PartOf(s.ID, aip.BodyObjID)
	if s.Kind != mets.TechMD || !ok {
		return nil
	}
	return o.sorter.Add(key(container, order), nil)
}

// lacking visits the records that have no object, in their order. It can be called once.
func (j *job) lacking(visit func(done) error) error {
	var records int64
	for d, err := range j.done.All() {
		if err != nil {
			return err
		}
		records++
		if err := j.objects.sorter.Add(key(d.Of.Container, d.Of.Order), []byte{1}); err != nil {
			return err
		}
	}
	lack := make([]byte, records/8+1) // one bit for each, in the order of the keys
	var known []byte
	at := 0
	err := j.objects.sorter.Each(func(k, value []byte) error {
		if len(value) == 0 { // sorts before the record with the same key, because it was added first
			known = append(known[:0], k...)
			return nil
		}
		if !bytes.Equal(known, k) {
			lack[at/8] |= 1 << (at % 8)
		}
		at++
		return nil
	})
	if err != nil {
		return fmt.Errorf("sorting the objects of the METS: %w", err)
	}
	at = 0
	return j.done.Each(func(d done) error {
		at++
		if lack[(at-1)/8]&(1<<((at-1)%8)) == 0 {
			return nil
		}
		return visit(d)
	})
}
