// Package disposal describes decisions that end the preservation of packages: requests for purges, the
// tombstones that they leave, and holds, which forbid purges. The repository keeps them in two documents,
// of which every copy has every version (docs/reference/454_purge.md).
package disposal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxText is the maximum length of a reason or an authority in bytes.
const maxText = 4 << 10

// Act is a person's part in a decision.
type Act struct {
	By      string    `json:"by"`
	At      time.Time `json:"at"`
	Because string    `json:"because,omitempty"`
}

// State is the state of a purge.
type State string

// The states.
const (
	Requested State = "requested" // no second person has approved it
	Cancelled State = "cancelled"
	Purged    State = "purged" // approved: the tombstone is in force
	// Readmitted means that the id may be stored again, after a purge.
	Readmitted State = "readmitted"
)

// Purge is a request to destroy a package, and, once it is approved, the tombstone of the package. It has
// no title, no URL, and no digest of content.
type Purge struct {
	ID      string `json:"id"`      // P1, P2, …
	Token   string `json:"token"`   // names the request for its approval
	Package string `json:"package"` // its identifier
	Was     Was    `json:"was"`
	// Although has the packages whose revisits lose their payloads, which the persons accepted.
	Although []string `json:"although,omitempty"`

	Authority string `json:"authority"` // by which it is decided: a court, a law, the board
	Requested Act    `json:"requested"` // with the reason
	Approved  *Act   `json:"approved,omitempty"`
	Cancelled *Act   `json:"cancelled,omitempty"`
	Again     *Act   `json:"again,omitempty"`
}

// Was describes the package at the time of the request.
type Was struct {
	Kind       string    `json:"kind"` // package or collection
	Versions   int       `json:"versions"`
	Files      int64     `json:"files"` // of the newest version
	Bytes      int64     `json:"bytes"`
	Containers int64     `json:"containers"`
	Records    int64     `json:"records"`
	Created    time.Time `json:"created,omitzero"`
	Stored     time.Time `json:"stored"`
	First      time.Time `json:"first,omitzero"` // capture
	Last       time.Time `json:"last,omitzero"`
}

// State returns the state.
func (p *Purge) State() State {
	switch {
	case p.Again != nil:
		return Readmitted
	case p.Approved != nil:
		return Purged
	case p.Cancelled != nil:
		return Cancelled
	}
	return Requested
}

// Purges is the document of all purges, the first one first.
type Purges struct {
	Format int     `json:"format"` // 1
	List   []Purge `json:"purges"`
}

// ReadPurges reads the document.
func ReadPurges(text []byte) (*Purges, error) {
	p := &Purges{}
	if err := decode(text, p); err != nil {
		return nil, fmt.Errorf("the purges: %w", err)
	}
	if p.Format != 1 {
		return nil, fmt.Errorf("the purges have format %d, unknown to this program", p.Format)
	}
	for i := range p.List {
		if err := p.List[i].check(); err != nil {
			return nil, fmt.Errorf("purge %d: %w", i+1, err)
		}
	}
	return p, nil
}

// Marshal returns the document, readable for people.
func (p *Purges) Marshal() ([]byte, error) {
	p.Format = 1
	return encode(p)
}

// Find returns the purge with an id or a token, or nil.
func (p *Purges) Find(name string) *Purge {
	i := slices.IndexFunc(p.List, func(q Purge) bool { return q.ID == name || q.Token == name })
	if name == "" || i < 0 {
		return nil
	}
	return &p.List[i]
}

// Of returns the newest purge of a package in a state, or nil.
func (p *Purges) Of(id string, state State) *Purge {
	for i := len(p.List) - 1; i >= 0; i-- {
		if q := &p.List[i]; q.Package == id && q.State() == state {
			return q
		}
	}
	return nil
}

// Add adds a request, and gives it an id.
func (p *Purges) Add(q Purge) (Purge, error) {
	q.ID = fmt.Sprintf("P%d", len(p.List)+1)
	if err := q.check(); err != nil {
		return q, err
	}
	p.List = append(p.List, q)
	return q, nil
}

// Persons reports whether two names are of different persons, as far as names can show it. Case, spaces, characters
// without a shape, and other forms of the same letters make no difference.
func Persons(a, b string) bool {
	plain := func(name string) string {
		seen := strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) {
				return ' '
			}
			if !unicode.IsGraphic(r) || unicode.Is(unicode.Variation_Selector, r) || r == '\u034f' {
				return -1
			}
			return r
		}, name)
		return spaced(norm.NFKC.String(seen))
	}
	return differ(plain(a), plain(b))
}

// spaced returns a name in lower case, with single spaces.
func spaced(name string) string { return strings.ToLower(strings.Join(strings.Fields(name), " ")) }

func differ(a, b string) bool { return a != "" && b != "" && a != b }

func (p *Purge) check() error {
	switch {
	case p.ID == "" || p.Token == "" || p.Package == "":
		return errors.New("it has no id, token or package")
	case p.Requested.By == "" || p.Requested.At.IsZero():
		return errors.New("it needs the person who requests it, and the time")
	case p.Approved != nil && !differ(spaced(p.Requested.By), spaced(p.Approved.By)): // stored ones, by the first rule
		return errors.New("it was not approved by a second person")
	case p.Approved != nil && p.Cancelled != nil:
		return errors.New("it is approved and cancelled")
	case p.Again != nil && p.Approved == nil:
		return errors.New("it is readmitted, but was never approved")
	}
	return errors.Join(checkText("reason", p.Requested.Because), checkText("authority", p.Authority))
}

// checkText checks a text that stays after a purge. It may not name a URL: the tombstone would keep it.
func checkText(name, text string) error {
	switch {
	case strings.TrimSpace(text) == "":
		return fmt.Errorf("it needs the %s", name)
	case len(text) > maxText:
		return fmt.Errorf("the %s has %d bytes; the limit is %d", name, len(text), maxText)
	case !utf8.ValidString(text):
		return fmt.Errorf("the %s is not UTF-8", name)
	case strings.Contains(text, "://"):
		return fmt.Errorf("the %s names a URL, which would stay after the purge: name a file number", name)
	}
	return nil
}

// decode reads a document with known members only: an unknown one may decide more.
func decode(text []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is text after the document")
	}
	return nil
}

func encode(document any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(document)
	return b.Bytes(), err
}
