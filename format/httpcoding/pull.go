package httpcoding

import "io"

// Pull is the variant of Reset for callers that read. It returns a reader of the decoded body,
// which reads from body on demand. Only the caller limits how much the body unpacks to. The reader
// ends where the coding ends or is damaged; after damage [Decoder.Decoded] is false and Close
// reports why. If body cannot be read further, the result ends there too. Pull reports whether it
// can remove all codings.
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

// pulled reads the output of the layers. After an end it never calls the layers again.
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
