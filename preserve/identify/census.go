package identify

import (
	"cmp"
	"slices"
	"strings"

	"quire/model"
)

// Census counts the formats of the payloads of one container. Payloads are identified beside the
// reading. What comes of it is told in the order in which they were added, and always so many
// payloads later, so that a report is always the same. A Census is used by one goroutine.
type Census struct {
	id      *Identifier
	tell    func(Verdict)
	waiting []waiting // a ring, once it is full
	oldest  int       // in the ring
	formats map[formatKey]*model.Format
}

// Verdict is what became of one payload.
type Verdict struct {
	Result
	Payload  any    // what Add was given to know it by
	Declared string // the declared media type
}

type waiting struct {
	pending *Pending
	by      any
	mime    string
	size    int64
}

type formatKey struct{ puid, name string }

// Unidentified is the name of the format of payloads that have none; its PUID is "".
const Unidentified = "unidentified"

// maxWaiting bounds how many payloads a Census has in hand; when a payload is slow, those behind it
// wait.
const maxWaiting = 1024

// NewCensus makes a Census that identifies by id, and tells of each payload what it is; tell may be
// nil.
func NewCensus(id *Identifier, tell func(Verdict)) *Census {
	return &Census{id: id, tell: tell, formats: map[formatKey]*model.Format{}}
}

// Add takes in a payload. Its bytes may be overwritten when Add returns. It is counted with size
// bytes, which may be others than are identified: a page counts as much as was sent of it,
// compressed. by is handed back with the verdict.
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

// Formats waits for the payloads in hand, and gives the counts: the format with most payloads
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
		return cmp.Or(cmp.Compare(b.Count, a.Count), comparePUID(a.PUID, b.PUID), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// Abandon waits for the payloads in hand, so that no work is left behind, and tells and counts
// nothing.
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
	k := formatKey{r.PUID, r.FullName()}
	f := c.formats[k]
	if f == nil {
		f = &model.Format{PUID: k.puid, Name: k.name, MIME: r.MIME}
		c.formats[k] = f
	}
	f.Count++
	f.Bytes += w.size
}

// FullName is the format's name with its version, where the name does not say that already.
func (r Result) FullName() string {
	switch {
	case !r.Known():
		return Unidentified
	case r.Version == "" || strings.Contains(" "+r.Name+" ", " "+r.Version+" "):
		return r.Name
	default:
		return r.Name + " " + r.Version
	}
}
