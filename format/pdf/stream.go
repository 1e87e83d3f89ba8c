package pdf

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/zlib"
)

// content returns the bytes of a stream without its filters, as many as can be read. It returns an
// error if they are not all.
func (d *document) content(s *stream, most int64) ([]byte, error) {
	length, ok := d.integer(s.dict["Length"])
	if !ok || length < 0 || length > d.size-s.at {
		length = d.size - s.at // the end of deflated data is recognized
	}
	filters, parameters := d.filters(s.dict)
	if len(filters) == 0 {
		b := d.bytes(s.at, min(length, most))
		if b == nil || length > most {
			return b, errors.New("its bytes are missing or exceed the bound on reading")
		}
		return d.crypt.stream(b, s), nil
	}
	if len(filters) > 1 || filters[0] != "FlateDecode" && filters[0] != "Fl" {
		return nil, fmt.Errorf("its filters %v are not supported", filters)
	}
	var in io.Reader = io.NewSectionReader(d.in, s.at, length)
	if d.crypt != nil {
		raw := d.bytes(s.at, min(length, most))
		if raw == nil {
			return nil, errors.New("its bytes are missing or exceed the bound on reading")
		}
		in = bytes.NewReader(d.crypt.stream(raw, s))
	}
	b, err := d.inflate(in, most)
	if len(b) == 0 || parameters == nil {
		return b, err
	}
	return d.unpredict(b, parameters)
}

// filters returns the filters of a stream and the parameters of the first.
func (d *document) filters(s dict) (names []string, parameters dict) {
	parameters = d.dict(s["DecodeParms"])
	switch f := d.follow(s["Filter"]).(type) {
	case name:
		return []string{string(f)}, parameters
	case array:
		for _, o := range f[:min(len(f), 10)] {
			names = append(names, d.name(o))
		}
		if all := d.array(s["DecodeParms"]); len(all) > 0 {
			parameters = d.dict(all[0])
		}
	}
	return names, parameters
}

// inflate inflates, within the bounds.
func (d *document) inflate(in io.Reader, most int64) ([]byte, error) {
	i, _ := inflaters.Get().(*inflater)
	defer inflaters.Put(i)
	defer i.release()
	z, err := i.open(&counting{in: in, d: d})
	if err != nil {
		return nil, err
	}
	most = min(most, MaxInflated-d.inflated)
	_, err = i.out.ReadFrom(io.LimitReader(z, most))
	b := bytes.Clone(i.out.Bytes())
	d.inflated += int64(len(b))
	if err == nil && int64(len(b)) == most {
		err = errors.New("it inflates to more than the bound")
	}
	return b, err
}

// inflater inflates one stream after another with the same memory.
type inflater struct {
	in  *bufio.Reader
	z   io.ReadCloser // nil before the first stream
	out bytes.Buffer
}

var inflaters = sync.Pool{New: func() any { return &inflater{in: bufio.NewReader(nil)} }}

// open begins a stream.
func (i *inflater) open(in io.Reader) (_ io.Reader, err error) {
	i.in.Reset(in)
	if again, ok := i.z.(zlib.Resetter); ok {
		return i.z, again.Reset(i.in, nil)
	}
	z, err := zlib.NewReader(i.in)
	if err == nil {
		i.z = z
	}
	return z, err
}

// release drops the content, and a buffer that is too large to be kept.
func (i *inflater) release() {
	const most = 1 << 20
	i.in.Reset(nil)
	if i.out.Reset(); i.out.Cap() > most {
		i.out = bytes.Buffer{}
	}
}

// counting passes the number of bytes read, and errors, to the document.
type counting struct {
	in io.Reader
	d  *document
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.d.read += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		c.d.err = err
	}
	if c.d.read > MaxRead {
		return 0, io.ErrUnexpectedEOF
	}
	return n, err
}

// unpredict reverses the PNG predictors (7.4.4.4), in place. The TIFF predictor does not occur in
// the streams read here.
func (d *document) unpredict(b []byte, parameters dict) ([]byte, error) {
	const none, firstOfPNG = 1, 10
	predictor := d.numberOr(parameters["Predictor"], none)
	if predictor == none {
		return b, nil
	}
	colors, bits := d.numberOr(parameters["Colors"], 1), d.numberOr(parameters["BitsPerComponent"], 8)
	columns := d.numberOr(parameters["Columns"], 1)
	if predictor < firstOfPNG || colors < 1 || colors > 32 || bits < 1 || bits > 16 || columns < 1 ||
		columns > maxStream {
		return nil, fmt.Errorf("its predictor %d is not supported", predictor)
	}
	pixel := int((colors*bits + 7) / 8)
	row := int((colors*bits*columns + 7) / 8)
	if row >= len(b) { // allocate for rows that exist, not for rows that a few numbers claim
		return nil, fmt.Errorf("it has no full row of the %d bytes of its predictor", row)
	}
	out := b[:0]
	before := make([]byte, row)
	for len(b) > row {
		kind, line := b[0], b[1:1+row]
		b = b[1+row:]
		unfilter(kind, line, before, pixel)
		copy(before, line)
		out = append(out, line...)
	}
	return out, nil
}

func (d *document) numberOr(o any, otherwise int64) int64 {
	if n, ok := d.integer(o); ok {
		return n
	}
	return otherwise
}

// unfilter reverses one of the PNG filters (9.2) on a line.
func unfilter(kind byte, line, above []byte, pixel int) {
	for i := range line {
		var left, corner byte
		if i >= pixel {
			left, corner = line[i-pixel], above[i-pixel]
		}
		switch kind {
		case 1:
			line[i] += left
		case 2:
			line[i] += above[i]
		case 3:
			line[i] += byte((int(left) + int(above[i])) / 2) //nolint:gosec // the mean of two bytes
		case 4:
			line[i] += paeth(left, above[i], corner)
		}
	}
}

func paeth(left, above, corner byte) byte {
	p := int(left) + int(above) - int(corner)
	toLeft, toAbove, toCorner := abs(p-int(left)), abs(p-int(above)), abs(p-int(corner))
	switch {
	case toLeft <= toAbove && toLeft <= toCorner:
		return left
	case toAbove <= toCorner:
		return above
	}
	return corner
}

func abs(n int) int { return max(n, -n) }
