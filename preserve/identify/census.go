package identify

import (
	"cmp"
	"slices"
	"strings"

	"quire/model"
)

// Census counts the formats of the payloads of one container, and compares them with what was declared. Payloads are identified
// beside the reading; what comes of it is told in the order in which they were added, so that a report is always the same. A
// Census is used by one goroutine.
type Census struct {
	id      *Identifier
	tell    func(Verdict)
	waiting []waiting // oldest first
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

// maxWaiting bounds how many payloads a Census has in hand; when a payload is slow, those behind it wait.
const maxWaiting = 1024

// NewCensus makes a Census that identifies by id. It tells of each payload whose format does not agree with its declared type;
// tell may be nil.
func NewCensus(id *Identifier, tell func(Verdict)) *Census {
	return &Census{id: id, tell: tell, formats: map[formatKey]*model.Format{}}
}

// Add takes in a payload. Its bytes may be overwritten when Add returns; by is handed back with the verdict.
func (c *Census) Add(p Payload, by any) {
	c.waiting = append(c.waiting, waiting{c.id.Submit(p), by, p.MIME, max(p.Size, int64(len(p.Head)))})
	done := 0
	for done < len(c.waiting) && (c.waiting[done].pending.Done() || len(c.waiting)-done > maxWaiting) {
		c.count(c.waiting[done])
		done++
	}
	c.waiting = slices.Delete(c.waiting, 0, done)
}

// Formats waits for the payloads in hand, and gives the counts: the format with most payloads first.
func (c *Census) Formats() []model.Format {
	for _, w := range c.waiting {
		c.count(w)
	}
	c.waiting = nil
	list := make([]model.Format, 0, len(c.formats))
	for _, f := range c.formats {
		list = append(list, *f)
	}
	slices.SortFunc(list, func(a, b model.Format) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), comparePUID(a.PUID, b.PUID), cmp.Compare(a.Name, b.Name))
	})
	return list
}

func (c *Census) count(w waiting) {
	r := w.pending.Wait()
	if !r.Agrees(w.mime) && c.tell != nil {
		c.tell(Verdict{r, w.by, w.mime})
	}
	k := formatKey{r.PUID, r.FullName()}
	f := c.formats[k]
	if f == nil {
		f = &model.Format{PUID: k.puid, Name: k.name}
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
