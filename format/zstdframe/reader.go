package zstdframe

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"quire/format/bytesource"
	"quire/format/fault"
)

// Options are the options of a Reader. The zero value is valid.
type Options struct {
	Report fault.Sink // receives every fault; may be nil
}

// maxWindow is the largest window that a frame may demand: the one of zstd's strongest level. A
// frame of 13 bytes can demand gigabytes.
const maxWindow = 128 << 20

// maxDictionary bounds the dictionary. The specification has no bound; zstd trains 110 KB by
// default.
const maxDictionary = 16 << 20

// Frame is one Zstandard frame of the file with content (not a skippable one).
type Frame struct {
	Offset   int64 // of its first byte in the file
	Length   int64 // bytes it takes in the file, known at its end; -1 before and if damaged
	Inflated int64 // inflated bytes read so far
	// Found reports that a search found the frame, after damage or after bytes that are none.
	Found bool
}

// Reader reads a Zstandard file frame by frame.
type Reader struct {
	src        *bytesource.Source
	report     fault.Sink
	decoder    *zstd.Decoder
	dictionary []byte
	bytes      frameBytes
	frame      Frame
	doubt      doubt
	inside     bool
	found      bool  // a search led to the next frame
	begun      bool  // a dictionary at the beginning of the file was looked for
	err        error // stays until Next or Resume
}

// NewReader returns a Reader of the file r from its current position.
func NewReader(r io.Reader, o Options) *Reader {
	return &Reader{src: bytesource.New(r), report: o.Report}
}

// Restart makes the Reader read another file. It reuses the buffers and the dictionary, so a frame
// cut out of a file can be read alone.
func (r *Reader) Restart(file io.Reader) {
	r.src.Restart(file)
	r.forget()
}

// GoTo goes to the frame that begins at an offset of the file, which must be an io.Seeker. Next
// returns that frame. The dictionary at the beginning of the file is read before, once.
func (r *Reader) GoTo(offset int64) error {
	if !r.begun && offset > 0 {
		if err := r.src.GoTo(0); err != nil {
			return err
		}
		r.forget()
		if err := r.readDictionary(); err != nil {
			return err
		}
	}
	if err := r.src.GoTo(offset); err != nil {
		return err
	}
	r.forget()
	return nil
}

// readDictionary reads the frame of the dictionary, if the file begins with one. Damage to it is
// reported, and no error.
func (r *Reader) readDictionary() error {
	r.begun = true
	head, _ := r.src.Peek(4) // an error comes again with the frame that is wanted
	if magic := magicOf(head); magic == magicDictionary {
		var d *Damage
		if err := r.skip(0, magic); err != nil && !errors.As(err, &d) {
			return err
		}
	}
	return nil
}

// forget drops all state of the present frame.
func (r *Reader) forget() {
	r.bytes, r.frame, r.doubt, r.inside, r.err = frameBytes{}, Frame{}, doubt{}, false, nil
	r.found = false
}

// Dictionary returns the dictionary in the file, or nil if none was read.
func (r *Reader) Dictionary() []byte { return r.dictionary }

// Offset returns the offset in the file of the next compressed byte.
func (r *Reader) Offset() int64 { return r.src.Offset() }

// Close frees the decoder.
func (r *Reader) Close() error {
	if r.decoder != nil {
		r.decoder.Close()
		r.decoder = nil
	}
	return nil
}

// Next moves to the next frame with content. It skips the rest of the current one, the dictionary
// and other skippable frames. It returns io.EOF after the last.
func (r *Reader) Next() (*Frame, error) {
	if r.inside {
		if _, err := io.Copy(io.Discard, struct{ io.Reader }{r}); err != nil {
			return nil, err
		}
	}
	if r.err != nil && !errors.Is(r.err, io.EOF) {
		return nil, r.err
	}
	r.begun = true
	for {
		head, err := r.src.Peek(4)
		magic := magicOf(head)
		at := r.src.Offset()
		switch {
		case err != nil && !errors.Is(err, io.EOF):
			return nil, fmt.Errorf("reading at byte %d: %w", at, err)
		case len(head) == 0:
			return nil, io.EOF
		case magic == magicFrame:
			return r.begin(at)
		case isSkippable(magic):
			err = r.skip(at, magic)
		default:
			err = r.skipGarbage(at)
		}
		if err != nil {
			return nil, err
		}
	}
}

func (r *Reader) begin(at int64) (*Frame, error) {
	r.frame, r.found = Frame{Offset: at, Length: -1, Found: r.found}, false
	if r.decoder == nil {
		if err := r.makeDecoder(); err != nil {
			return nil, err
		}
	}
	if err := r.bytes.begin(r.src); err != nil {
		return nil, r.failReading(damage(FaultTruncated, at, "the file ends within a frame header"))
	}
	if err := r.decoder.Reset(&r.bytes); err != nil {
		return nil, r.failReading(damage(FaultFrame, at, "unreadable frame: %v", err))
	}
	r.inside, r.err = true, nil
	return &r.frame, nil
}

// Read returns the inflated bytes of the current frame, io.EOF at its end, and a *Damage if it
// cannot be decoded.
func (r *Reader) Read(p []byte) (int, error) {
	if !r.inside {
		if r.err != nil {
			return 0, r.err
		}
		return 0, io.EOF
	}
	n, err := r.decoder.Read(p)
	r.frame.Inflated += int64(n)
	switch {
	case err == nil:
		return n, nil
	case r.src.Err() != nil:
		return n, fmt.Errorf("reading at byte %d: %w", r.src.Offset(), r.src.Err())
	case errors.Is(err, io.EOF):
		// Skip the bytes that the decoder did not read, so that the next frame is found.
		if _, err := io.Copy(io.Discard, &r.bytes); err != nil {
			return n, r.failReading(damage(FaultTruncated, r.frame.Offset, "the file ends within the frame"))
		}
		r.frame.Length = r.src.Offset() - r.frame.Offset
		r.inside, r.err = false, io.EOF
		if r.frame.Inflated == 0 {
			r.report.Add(fault.Fault{Code: FaultEmptyFrame, Offset: r.frame.Offset,
				Detail: "the frame is empty"})
		}
		return n, io.EOF
	case errors.Is(err, io.ErrUnexpectedEOF):
		return n, r.fail(damage(FaultTruncated, r.frame.Offset,
			"the file ends within the frame, after %d inflated bytes", r.frame.Inflated))
	}
	return n, r.fail(damage(FaultFrame, r.frame.Offset, "the frame cannot be decoded after %d inflated bytes: %v",
		r.frame.Inflated, err))
}

// failReading is fail, unless reading the file failed.
func (r *Reader) failReading(d *Damage) error {
	if r.src.Err() != nil {
		return fmt.Errorf("reading at byte %d: %w", r.src.Offset(), r.src.Err())
	}
	return r.fail(d)
}

func (r *Reader) fail(d *Damage) error {
	r.inside, r.err = false, d
	r.report.Add(d.Fault)
	return d
}

func (r *Reader) makeDecoder() error {
	options := []zstd.DOption{zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(maxWindow)}
	switch {
	case r.dictionary == nil:
	case magicOf(r.dictionary) == magicDictFormat:
		options = append(options, zstd.WithDecoderDicts(r.dictionary))
	default:
		options = append(options, zstd.WithDecoderDictRaw(0, r.dictionary))
	}
	var err error
	if r.decoder, err = zstd.NewReader(nil, options...); err != nil {
		return fmt.Errorf("zstd decoder: %w", err)
	}
	return nil
}

// skip skips a skippable frame (RFC 8878, 3.1.2), and reads the dictionary if the frame holds it.
func (r *Reader) skip(at int64, magic uint32) error {
	head, err := r.src.Peek(8)
	if err != nil {
		r.frame = Frame{Offset: at, Length: -1}
		return r.failReading(damage(FaultTruncated, at, "the file ends within a skippable frame header"))
	}
	size := int64(binary.LittleEndian.Uint32(head[4:]))
	if _, err := r.src.Discard(8); err != nil {
		return err
	}
	if magic == magicDictionary && at == 0 && size <= maxDictionary {
		return r.takeDictionary(at, size)
	}
	if n, err := io.CopyN(io.Discard, r.src, size); err != nil {
		r.frame = Frame{Offset: at, Length: -1}
		return r.failReading(damage(FaultTruncated, at, "the file ends after %d of %d bytes of a skippable frame", n,
			size))
	}
	return nil
}

func (r *Reader) takeDictionary(at, size int64) error {
	content := make([]byte, size)
	if _, err := io.ReadFull(r.src, content); err != nil {
		r.frame = Frame{Offset: at, Length: -1}
		return r.failReading(damage(FaultTruncated, at, "the file ends within the dictionary"))
	}
	if magicOf(content) == magicFrame { // the dictionary may itself be compressed
		plain, err := inflateDictionary(content)
		if err != nil {
			r.report.Add(fault.Fault{Code: FaultDictionary, Offset: at,
				Detail: fmt.Sprintf("the compressed dictionary cannot be inflated: %v", err)})
			return nil
		}
		content = plain
	}
	r.dictionary = content
	if err := r.makeDecoder(); err != nil {
		r.report.Add(fault.Fault{Code: FaultDictionary, Offset: at, Detail: err.Error()})
		r.dictionary = nil
	}
	return nil
}

func inflateDictionary(content []byte) ([]byte, error) {
	d, err := zstd.NewReader(bytes.NewReader(content), zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	plain, err := io.ReadAll(io.LimitReader(d, maxDictionary+1))
	if err == nil && len(plain) > maxDictionary {
		err = fmt.Errorf("more than %d bytes", maxDictionary)
	}
	return plain, err
}
