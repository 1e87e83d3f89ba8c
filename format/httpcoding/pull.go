package httpcoding

import "io"

// Pull is Reset for who wants to read: it gives the body without its codings, read from body as it
// is asked for. Nothing bounds what it unpacks to but the one who reads. What is read ends where
// the coding ends, or is damaged: then [Decoder.Decoded] is false and Close tells why. A body that
// cannot be read ends as if there were no more of it. It reports whether it can remove all of the
// codings.
func (d *Decoder) Pull(codings []string, body io.Reader) (io.Reader, bool) {
	if !d.begin(codings, io.Discard) {
		return nil, false
	}
	d.input.body = body
	if d.used == 0 {
		return &pulled{d: d, from: d.reader}, true
	}
	return &pulled{d: d, from: d.layers[d.used-1].out}, true
}

// pulled reads what the layers make of the body. An end stays one: layers are not asked again.
type pulled struct {
	d     *Decoder
	from  io.Reader
	ended bool
}

// Read implements io.Reader.
func (p *pulled) Read(b []byte) (int, error) {
	if p.ended {
		return 0, io.EOF
	}
	n, err := p.from.Read(b)
	p.d.size += int64(n)
	if err != nil {
		p.ended, err = true, io.EOF
	}
	return n, err
}
