package holdings

import (
	"io"

	"quire/format/httpcoding"
)

// Decoded returns the body without its content codings. A body whose coding differs from its header
// is returned unchanged. A body with an unknown or damaged coding is decoded as far as possible.
// Closing the Body also closes the decoder.
func Decoded(c *Content) io.Reader {
	codings := c.codings()
	if len(codings) == 0 {
		return c.Body
	}
	for _, name := range codings {
		if !httpcoding.Known(name) && name != "identity" {
			return c.Body
		}
	}
	d := httpcoding.NewDecoder()
	watched := &watched{r: c.Body}
	body, ok := d.Pull(codings, watched)
	if !ok {
		d.Stop()
		return c.Body
	}
	c.Body = &decoding{c.Body, d}
	return &decodedReader{body, watched}
}

// InMemory returns the body if it is in memory and has no content codings; otherwise nil.
func (c *Content) InMemory() []byte {
	if c.text == nil || len(c.codings()) > 0 {
		return nil
	}
	return c.text
}

// decoding is a body that is closed with its decoder.
type decoding struct {
	io.ReadCloser
	decoder *httpcoding.Decoder
}

// Close implements io.Closer.
func (d *decoding) Close() error {
	d.decoder.Stop()
	return d.ReadCloser.Close()
}

// watched remembers the final error of a body: decoders treat any error as the end.
type watched struct {
	r   io.Reader
	err error
}

// Read implements io.Reader.
func (w *watched) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	if err != nil && err != io.EOF {
		w.err = err
	}
	return n, err
}

type decodedReader struct {
	io.Reader
	of *watched
}

// Read implements io.Reader.
func (d *decodedReader) Read(p []byte) (int, error) {
	n, err := d.Reader.Read(p)
	if err != nil && d.of.err != nil {
		err = d.of.err
	}
	return n, err
}
