package rights

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"quire/preserve/statements"
)

// Withdrawal is a decision that closes a URL pattern or a package, whatever the rights and rules
// state. The repository keeps all withdrawals, also those lifted, in one document.
type Withdrawal struct {
	ID    string `json:"id"`    // W1, W2, …
	Named string `json:"named"` // the URL, pattern or id, as the claimant named it

	// The scope: a package, a URL pattern in all packages, or the pattern in one package.
	URL     string `json:"url,omitempty"`
	Package string `json:"package,omitempty"`

	Access  Verdict `json:"access"`            // Blocked or Restricted
	Message string  `json:"message,omitempty"` // for the public; "" hides the content

	Because   string         `json:"because"`
	Authority string         `json:"authority"` // by which it was decided: a court, a law, the board
	By        string         `json:"by,omitempty"`
	At        time.Time      `json:"at"`
	Until     statements.Day `json:"until,omitempty"` // the last day of it

	// The content at the time of the withdrawal, in documents of earlier versions of Quire. Now it is in
	// events. Later captures are closed, too.
	Captures int64             `json:"captures,omitempty"`
	Packages int64             `json:"packages,omitempty"`
	In       []WithdrawnWithin `json:"in,omitempty"` // no longer written

	Lifted *Lifting `json:"lifted,omitempty"`
}

// WithdrawnWithin counts the captures of a withdrawal in one package.
type WithdrawnWithin struct {
	Package  string `json:"package"`
	Captures int64  `json:"captures"`
}

// Lifting is the end of a withdrawal by a decision.
type Lifting struct {
	Because   string    `json:"because"`
	Authority string    `json:"authority"`
	By        string    `json:"by,omitempty"`
	At        time.Time `json:"at"`
}

// Withdrawals is the document of all withdrawals, the first one first.
type Withdrawals struct {
	Format int          `json:"format"` // 1
	List   []Withdrawal `json:"withdrawals"`
}

// maxWithdrawals is the maximum size of the document in bytes.
const maxWithdrawals = 16 << 20

// ReadWithdrawals reads the document.
func ReadWithdrawals(in io.Reader) (*Withdrawals, error) {
	text, err := io.ReadAll(io.LimitReader(in, maxWithdrawals+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxWithdrawals {
		return nil, fmt.Errorf("the withdrawals have more than %d bytes", maxWithdrawals)
	}
	w := &Withdrawals{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields() // an unknown member may close more
	if err := d.Decode(w); err != nil {
		return nil, fmt.Errorf("the withdrawals: %w", err)
	}
	if d.More() {
		return nil, errors.New("the withdrawals: there is text after the document")
	}
	if w.Format != 1 {
		return nil, fmt.Errorf("the withdrawals have format %d, unknown to this program", w.Format)
	}
	for i := range w.List {
		if err := w.List[i].Check(); err != nil {
			return nil, fmt.Errorf("withdrawal %d: %w", i+1, err)
		}
	}
	return w, nil
}

// Marshal returns the document, readable for people. It has no lists of packages: a thousand packages of
// each withdrawal would fill it.
func (w *Withdrawals) Marshal() ([]byte, error) {
	w.Format = 1
	for i := range w.List {
		w.List[i].In = nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(w)
	return b.Bytes(), err
}

// Find returns the withdrawal with an id, or nil.
func (w *Withdrawals) Find(id string) *Withdrawal {
	i := slices.IndexFunc(w.List, func(o Withdrawal) bool { return o.ID == id })
	if i < 0 {
		return nil
	}
	return &w.List[i]
}

// InForce reports whether the withdrawal closes content on a day.
func (w *Withdrawal) InForce(day statements.Day) bool {
	return w.Lifted == nil && (w.Until == "" || day <= w.Until)
}

// Same reports whether two withdrawals close the same content, for the same reason and time.
func (w *Withdrawal) Same(o *Withdrawal) bool {
	return w.URL == o.URL && w.Package == o.Package && w.Access == o.Access && w.Message == o.Message &&
		w.Because == o.Because && w.Authority == o.Authority && w.Until == o.Until
}

// Check validates the values that decide.
func (w *Withdrawal) Check() error {
	switch {
	case w.ID == "":
		return errors.New("it has no id")
	case w.URL == "" && w.Package == "":
		return errors.New("it names neither a URL nor a package")
	case w.Access != Blocked && w.Access != Restricted:
		return fmt.Errorf("access is %.40q; it must be %s or %s", w.Access, Blocked, Restricted)
	case w.Because == "" || w.Authority == "":
		return errors.New("it needs a reason and an authority")
	case w.At.IsZero():
		return errors.New("it has no time")
	case w.Until != "" && beginOf(w.Until, time.UTC).IsZero():
		return fmt.Errorf("until %.40q is not a day (2027-01-31)", w.Until)
	case w.URL != "":
		_, err := compile(w.URL)
		return err
	}
	return nil
}

// compile compiles a URL pattern of a rule.
func compile(text string) (pattern, error) {
	if prefix, ok := surtPrefix(text); ok {
		return pattern{surt: prefix}, nil
	}
	if wrong := statements.CheckPattern(text); wrong != "" {
		return pattern{}, errors.New(wrong)
	}
	return pattern{Pattern: statements.Compile(text)}, nil
}

// rule returns the rule of a withdrawal.
func (w *Withdrawal) rule() (Rule, error) {
	r := Rule{Name: "withdrawal " + w.ID, Access: w.Access, Hidden: w.Message == "", Message: w.Message,
		Comment: w.Because + "; authority: " + w.Authority, By: w.By, On: statements.DayOf(w.At),
		Asked: Span{To: w.Until}}
	if w.Package != "" {
		r.Packages = []string{w.Package}
	}
	if w.URL != "" {
		p, err := compile(w.URL)
		if err != nil {
			return r, err
		}
		r.URLs, r.urls = []string{w.URL}, []pattern{p}
	}
	r.where = fmt.Sprintf("withdrawal %s on %s: %s; authority: %s", w.ID, r.On, w.Because, w.Authority)
	return r, nil
}

// Rules returns the withdrawals that are not lifted as rules.
func (w *Withdrawals) Rules() (*Set, error) {
	s := &Set{}
	sum := sha256.New()
	for i := range w.List {
		if w.List[i].Lifted != nil {
			continue
		}
		r, err := w.List[i].rule()
		if err != nil {
			return nil, fmt.Errorf("withdrawal %s: %w", w.List[i].ID, err)
		}
		r.Line = i + 1
		s.Rules = append(s.Rules, r)
		_, _ = fmt.Fprintf(sum, "%q %q %q %v %q %q\n", r.URLs, r.Packages, r.Access, r.Hidden, r.Message,
			r.Asked.To) // a hash never fails
	}
	s.byHost, s.sum = order(s.Rules), hex.EncodeToString(sum.Sum(nil))
	return s, nil
}

// Matcher returns a function that reports whether the withdrawal is about a capture of a URL in a
// package. It is for one goroutine.
func (w *Withdrawal) Matcher() (func(pkg, url string) bool, error) {
	r, err := w.rule()
	if err != nil {
		return nil, err
	}
	return func(pkg, url string) bool {
		return (w.Package == "" || w.Package == pkg) && (w.URL == "" || means(r.urls, &Question{URL: url}))
	}, nil
}

// Host returns the host of all URLs that the withdrawal is about, or the parent domain of their
// hosts; ok is false if there is none.
func (w *Withdrawal) Host() (host string, ok bool) {
	p, err := compile(w.URL)
	if w.URL == "" || err != nil || p.surt != "" {
		return "", false
	}
	return p.Host()
}
