package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"quire/metadata/xmlstream"
	"quire/oai/client"
	"quire/oai/protocol"
)

// Options of a check. A zero field means the default.
type Options struct {
	Requests int            // the most questions that are asked; default 200
	Schemas  string         // folder with drivers/oai-all.xsd, against which every answer is validated; "" for none
	Client   client.Options // who asks, and how; Attempts is 3 and MaxWait 2 minutes when not given

	Found func(Finding)    // told each finding as it is found
	Step  func(done int)   // told after each question how many were asked
	Now   func() time.Time // nil is time.Now
}

// Report is what was found.
type Report struct {
	BaseURL  string    `json:"base_url"`
	Name     string    `json:"name"` // as the repository calls itself
	Requests int       `json:"requests"`
	Records  int64     `json:"records"` // headers that were looked at, in lists
	Errors   int       `json:"errors"`
	Warnings int       `json:"warnings"`
	Undone   []string  `json:"undone"` // what was not tried, and why
	Findings []Finding `json:"findings"`
}

// checker is a check under way.
type checker struct {
	ctx    context.Context
	opt    Options
	base   string
	client *client.Client
	wire   *wire

	validity *validity // nil when no schemas were given
	report   *Report
	counts   map[string]int
	asking   string // the request under way, for people

	identify *client.Identify
	format   map[string]protocol.Format // by prefix
	noSets   bool
	allSets  bool // ListSets was followed to its end
	sets     map[string]bool
	listed   map[string]head // of ListIdentifiers, by identifier
	sample   head            // a record that is not deleted
	sampled  time.Time       // responseDate of the list it stands in
}

// maxListed is how many headers are kept to be compared with those that other verbs give.
const maxListed = 50_000

// Run checks the provider with that base URL. The error is one of the call or of the machine: a
// provider that cannot be reached is one, and a provider that answers anything at all is not.
func Run(ctx context.Context, baseURL string, opt Options) (*Report, error) {
	opt.Requests = cmp.Or(opt.Requests, 200)
	opt.Client.Attempts = cmp.Or(opt.Client.Attempts, 3)
	opt.Client.MaxWait = cmp.Or(opt.Client.MaxWait, 2*time.Minute)
	opt.Client.MaxBytes = cmp.Or(opt.Client.MaxBytes, 256<<20)
	opt.Client.Limits = xmlstream.Limits{Token: opt.Client.MaxBytes}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	k := &checker{
		ctx: ctx, opt: opt, report: &Report{BaseURL: baseURL, Undone: []string{}, Findings: []Finding{}},
		counts: map[string]int{},
		format: map[string]protocol.Format{}, sets: map[string]bool{}, listed: map[string]head{},
	}
	if opt.Schemas != "" {
		var err error
		if k.validity, err = newValidity(ctx, opt.Schemas); err != nil {
			return nil, err
		}
	}
	if err := k.connect(baseURL); err != nil {
		return nil, err
	}
	defer k.client.Close()
	err := k.all()
	return k.report, err
}

// connect makes the client. Its transport is ours: what HTTP brings is looked at before anything is
// forgiven.
func (k *checker) connect(baseURL string) error {
	o := k.opt.Client
	if o.Transport == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.DisableCompression = true
		o.Transport = t
	}
	k.wire = &wire{next: o.Transport}
	o.Transport = k.wire
	o.Tell = k.forgiven
	c, err := client.New(baseURL, o)
	if err != nil {
		return err
	}
	k.client, k.base = c, c.Base()
	k.report.BaseURL = k.base
	return nil
}

// step is one part of the check.
type step struct {
	name string
	do   func() error
}

// Errors that end a step, and not the check.
var (
	errBudget = errors.New("no more questions may be asked (--requests)")
	errAnswer = errors.New("there is no answer to go by")
)

// all goes through the steps. Without an answer to Identify there is nothing to check.
func (k *checker) all() error {
	if err := k.checkIdentify(); err != nil {
		return k.end("Identify", err)
	}
	for _, s := range []step{
		{"ListMetadataFormats", k.checkFormats},
		{"ListSets", k.checkSets},
		{"ListIdentifiers", k.checkIdentifiers},
		{"GetRecord", k.checkRecord},
		{"errors", k.checkErrors},
		{"dates", k.checkDates},
		{"ListRecords", k.checkRecords},
		{"sets of records", k.checkSelection},
		{"POST", k.checkPost},
		{"compression", k.checkCompression},
		{"other formats", k.checkOtherFormats},
	} {
		if err := k.end(s.name, s.do()); err != nil {
			return err
		}
	}
	return nil
}

// end keeps in mind that a step was not done as a whole. The check goes on, unless it was stopped.
func (k *checker) end(name string, err error) error {
	switch {
	case err == nil:
		return nil
	case k.ctx.Err() != nil:
		return k.ctx.Err()
	case errors.Is(err, errBudget), errors.Is(err, errAnswer):
		k.report.Undone = append(k.report.Undone, fmt.Sprintf("%s: %v", name, err))
		return nil
	}
	return err
}
