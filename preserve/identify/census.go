package identify

import (
	"cmp"
	"slices"

	"quire/model"
)

// Census counts the formats of the payloads of one container. It identifies payloads while the
// reading continues. It reports results in the order in which the payloads were added, and always
// after the same number of further payloads. So a report is always the same. Only one goroutine may
// use a Census.
type Census struct {
	id      *Identifier
	tell    func(Verdict)
	waiting []waiting // a ring buffer, once full
	oldest  int       // index in the ring
	formats map[formatKey]*model.Format
}

// Verdict is the result for one payload.
type Verdict struct {
	Result
	Payload  any    // the value passed to Add
	Declared string // the declared media type
}

type waiting struct {
	pending *Pending
	by      any
	mime    string
	size    int64
}

type formatKey struct{ puid, name, version string }

// Unidentified is the name of the format of payloads that have none; its PUID is "".
const Unidentified = model.Unidentified

// maxWaiting bounds the payloads that a Census holds. If one is slow, those after it wait.
const maxWaiting = 1024

// NewCensus returns a Census that uses id, and calls tell with each result; tell may be nil.
func NewCensus(id *Identifier, tell func(Verdict)) *Census {
	return &Census{id: id, tell: tell, formats: map[formatKey]*model.Format{}}
}

// Add adds a payload. Its bytes may be overwritten when Add returns. size is the number of bytes to
// count, which may differ from the identified bytes: a compressed page counts with its size as
// sent. by is returned with the verdict.
func (c *Census) Add(p Payload, size int64, by any) *Pending {
	added := waiting{c.id.Submit(p), by, p.MIME, size}
	if len(c.waiting) < maxWaiting {
		c.waiting = append(c.waiting, added)
		return added.pending
	}
	c.count(c.waiting[c.oldest])
	c.waiting[c.oldest] = added
	c.oldest = (c.oldest + 1) % maxWaiting
	return added.pending
}

// Formats waits for all payloads, and returns the counts. The format with the most payloads is
// first.
func (c *Census) Formats() []model.Format {
	for i := range c.waiting {
		c.count(c.waiting[(c.oldest+i)%len(c.waiting)])
	}
	c.waiting, c.oldest = nil, 0
	list := make([]model.Format, 0, len(c.formats))
	for _, f := range c.formats {
		list = append(list, *f)
	}
	slices.SortFunc(list, func(a, b model.Format) int {
		return CompareFormats(&a, &b)
	})
	return list
}

// Abandon waits for all payloads, so no work remains, without reporting or counting them.
func (c *Census) Abandon() {
	for _, w := range c.waiting {
		w.pending.Wait()
	}
	c.waiting, c.oldest = nil, 0
}

func (c *Census) count(w waiting) {
	r := w.pending.Wait()
	if c.tell != nil {
		c.tell(Verdict{r, w.by, w.mime})
	}
	format := r.Format()
	k := formatKey{format.PUID, format.Name, format.Version}
	f := c.formats[k]
	if f == nil {
		f = &format
		c.formats[k] = f
	}
	f.Count++
	f.Bytes += w.size
}

// CompareFormats orders formats: the format with the most payloads first, then by identifier, name
// and version.
func CompareFormats(a, b *model.Format) int {
	return cmp.Or(cmp.Compare(b.Count, a.Count), comparePUID(a.PUID, b.PUID), cmp.Compare(a.Name, b.Name),
		cmp.Compare(a.Version, b.Version))
}

// FullName returns the format's name with its version, unless the name already contains it.
func (r Result) FullName() string {
	f := r.Format()
	return f.FullName()
}

// Format returns the format without counts.
func (r Result) Format() model.Format {
	if !r.Known() {
		return model.Format{Name: Unidentified}
	}
	return model.Format{Name: r.Name, Version: r.Version, PUID: r.PUID, MIME: r.MIME}
}
