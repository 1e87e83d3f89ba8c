package records

import (
	"errors"
	"io"
	"strings"
	"time"

	"quire/format/arc"
	"quire/format/fault"
	"quire/format/inflate"
	"quire/format/warc"
)

// TypeFiledesc is the Type of the version block of an ARC file. Other ARC records have the type of
// an equivalent WARC record: response if the URL and the beginning show an HTTP response, else
// resource.
const TypeFiledesc = "filedesc"

// Record is one record of either format. It belongs to the Reader and is valid until the next call
// of Next.
type Record struct {
	Type           string
	ID             string // WARC-Record-ID; "" in an ARC
	URI            string // without angle brackets
	Date           time.Time
	IP             string
	ContentType    string // of the block in a WARC; in an ARC the server's declaration
	ContentLength  int64  // as stated; -1 if missing
	Offset         int64  // in the file as stored: of the record, or of its member
	InflatedOffset int64
	Block          inflate.Position // start of the block; zero if the file ends there

	WARC *warc.Record // nil in an ARC
	ARC  *arc.Record  // nil in a WARC
}

// Read implements io.Reader over the block.
func (r *Record) Read(p []byte) (int, error) {
	if r.WARC != nil {
		return r.WARC.Read(p)
	}
	return r.ARC.Read(p)
}

// Reader reads the records of one container.
type Reader struct {
	in     *inflate.Reader
	warc   *warc.Reader
	arc    *arc.Reader
	report fault.Sink
	rec    Record
}

// ErrNotContainer reports that a file is neither an ARC nor a WARC.
var ErrNotContainer = errors.New("neither an ARC nor a WARC file")

// NewReader reads content from its current position. report is called for tolerated faults; it may
// be nil.
func NewReader(content io.ReadSeeker, report fault.Sink) *Reader {
	holds := func(b []byte) bool { return warc.Sniff(b) || arc.Sniff(b) }
	return &Reader{in: inflate.NewReader(content, inflate.Options{Report: report, Holds: holds}), report: report}
}

// sniffed is the number of inflated bytes examined.
const sniffed = 64 << 10

// Next advances to the next record. It returns io.EOF after the last, and ErrNotContainer for a
// file of another format. Damage is reported, and reading continues after it.
func (r *Reader) Next() (*Record, error) {
	if r.warc == nil && r.arc == nil {
		if err := r.recognise(); err != nil {
			return nil, err
		}
	}
	if r.warc != nil {
		rec, err := r.warc.Next()
		if err != nil {
			return nil, err
		}
		r.rec = ofWARC(rec)
	} else {
		rec, err := r.arc.Next()
		if err != nil {
			return nil, err
		}
		r.rec = ofARC(rec)
	}
	r.rec.Block, _ = r.in.Position() // reading the block repeats the error
	return &r.rec, nil
}

// Compression returns the compression of the container; it is known after the first Next.
func (r *Reader) Compression() inflate.Compression { return r.in.Compression() }

func (r *Reader) recognise() error {
	head, err := r.in.Peek(sniffed)
	switch {
	case warc.Sniff(head):
		r.warc = warc.NewReader(r.in)
		r.warc.Report = r.report
	case arc.Sniff(head):
		r.arc = arc.NewReader(r.in)
		r.arc.Report = r.report
	case err != nil && !errors.Is(err, io.EOF):
		var damage *inflate.Damage
		if errors.As(err, &damage) {
			return ErrNotContainer
		}
		return err
	default:
		return ErrNotContainer
	}
	return nil
}

func ofWARC(rec *warc.Record) Record {
	r := Record{
		Type: rec.Type(), ID: rec.ID(), URI: rec.TargetURI(), IP: rec.Get(warc.FieldIPAddress),
		ContentType:   rec.Get(warc.FieldContentType),
		ContentLength: rec.ContentLength, Offset: rec.Offset, InflatedOffset: rec.InflatedOffset, WARC: rec,
	}
	r.Date, _ = rec.Date() // a bad date is the zero time
	return r
}

func ofARC(rec *arc.Record) Record {
	r := Record{
		Type: warc.TypeResource, URI: rec.URL, IP: rec.IP, ContentType: rec.ContentType,
		ContentLength: rec.Header.BlockLength,
		Offset:        rec.Offset, InflatedOffset: rec.InflatedOffset, ARC: rec,
	}
	r.Date, _ = rec.Time() // a bad date is the zero time
	switch scheme, _, _ := strings.Cut(strings.ToLower(rec.URL), ":"); {
	case rec.IsVersionBlock():
		r.Type = TypeFiledesc
	case scheme == "http" || scheme == "https":
		r.Type = warc.TypeResponse
	}
	return r
}
