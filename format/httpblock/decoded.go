package httpblock

import (
	"errors"
	"io"

	"quire/format/fault"
	"quire/format/httpcoding"
)

// decoded reads a payload without its content codings.
type decoded struct {
	decoder *httpcoding.Decoder
	from    io.Reader // without the codings
	payload io.Reader // with them
	report  fault.Sink
	last    *fault.Fault // the last that the decoder reported
	failed  error        // of the payload, other than io.EOF
	ended   error        // comes at the end
}

func (d *decoded) note(f fault.Fault) {
	d.last = &f
	d.report.Add(f)
}

// Read implements io.Reader.
func (d *decoded) Read(p []byte) (int, error) {
	if d.ended != nil {
		return 0, d.ended
	}
	n, err := d.from.Read(p)
	if errors.Is(err, io.EOF) {
		d.ended = d.end()
		err = d.ended
	}
	return n, err
}

// end returns the error with which the payload ended. A read error takes precedence, because it
// causes the error that the decoder reports.
func (d *decoded) end() error {
	if err := d.decoder.Close(); err != nil { // reports the faults
		return err
	}
	switch {
	case d.failed != nil:
		return d.failed
	case !d.decoder.Complete() && d.last != nil:
		return *d.last
	}
	return io.EOF
}

// watched is the payload on its way into the decoder, which forgets errors of reading.
type watched decoded

// Read implements io.Reader.
func (w *watched) Read(p []byte) (int, error) {
	n, err := w.payload.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		w.failed = err
	}
	return n, err
}
