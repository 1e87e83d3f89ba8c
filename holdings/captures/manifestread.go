package captures

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// readManifest reads index.json. It decodes one container after the other: as a whole, the text of 100,000 containers
// would take as much memory as all else that is known of them.
func readManifest(path string) (m manifest, err error) {
	f, err := os.Open(path)
	if err != nil {
		return m, err
	}
	defer func() { _ = f.Close() }() // only read
	return manifestFrom(f, path)
}

// manifestFrom decodes a manifest. A text that is none is a [brokenError]; a fault of the disk is not, because the
// file may be whole.
func manifestFrom(in io.Reader, path string) (manifest, error) {
	disk := &faultKeeper{in: in}
	m, err := decodeManifest(bufio.NewReaderSize(disk, 1<<16))
	switch {
	case disk.fault != nil:
		return m, disk.fault
	case err != nil:
		return m, &brokenError{fmt.Errorf("%s: %w", path, err)}
	}
	return m, nil
}

// faultKeeper keeps the first error of a reader, but for the end.
type faultKeeper struct {
	in    io.Reader
	fault error
}

func (k *faultKeeper) Read(p []byte) (int, error) {
	n, err := k.in.Read(p)
	if err != nil && !errors.Is(err, io.EOF) && k.fault == nil {
		k.fault = err
	}
	return n, err
}

// errManifest reports a text that is no manifest.
var errManifest = errors.New("it is not one object in JSON")

func decodeManifest(in io.Reader) (m manifest, err error) {
	d := json.NewDecoder(in)
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return m, errors.Join(errManifest, err)
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return m, err
		}
		switch name {
		case "version":
			err = d.Decode(&m.Version)
		case "next":
			err = d.Decode(&m.Next)
		case "segments":
			err = d.Decode(&m.Segments)
		case "containers":
			m.Containers, err = decodeContainers(d)
		default:
			err = d.Decode(new(json.RawMessage))
		}
		if err != nil {
			return m, err
		}
	}
	if _, err := d.Token(); err != nil { // the end of the object
		return m, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return m, errors.Join(errManifest, err)
	}
	return m, nil
}

// decodeContainers decodes the list of containers, which may be null. Neighbours share equal texts.
func decodeContainers(d *json.Decoder) ([]Container, error) {
	t, err := d.Token()
	if err != nil || t == nil {
		return nil, err
	}
	if t != json.Delim('[') {
		return nil, errManifest
	}
	var all []Container
	var last Container
	for d.More() {
		var c Container
		if err := d.Decode(&c); err != nil {
			return nil, err
		}
		if c.Package == last.Package {
			c.Package = last.Package
		}
		if c.Path == last.Path {
			c.Path = last.Path
		}
		all, last = append(all, c), c
	}
	_, err = d.Token()            // the end of the list
	return slices.Clone(all), err // without the room to append more
}
