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

// Options are the options of a check. A zero field means the default.
type Options struct {
	Requests int            // the maximum number of requests; default 200
	Schemas  string         // folder with drivers/oai-all.xsd for validating every answer; "" for none
	Client   client.Options // for the requests; defaults: Attempts 3 and MaxWait 2 minutes

	Found func(Finding)    // receives each finding as soon as it is made
	Step  func(done int)   // receives the number of requests after each request
	Now   func() time.Time // nil means time.Now
}

// Report is the result of a check.
type Report struct {
	BaseURL  string    `json:"base_url"`
	Name     string    `json:"name"` // the repositoryName
	Requests int       `json:"requests"`
	Records  int64     `json:"records"` // headers checked in lists
	Errors   int       `json:"errors"`
	Warnings int       `json:"warnings"`
	Undone   []string  `json:"undone"` // steps not completed, with reasons
	Findings []Finding `json:"findings"`
}

// checker is a running check.
type checker struct {
	ctx    context.Context
	opt    Options
	base   string
	client *client.Client
	wire   *wire

	validity *validity // nil without schemas
	report   *Report
	counts   map[string]int
	asking   string // the current request, for people

	identify *client.Identify
	format   map[string]protocol.Format // by prefix
	noSets   bool
	allSets  bool // ListSets was read to its end
	sets     map[string]bool
	listed   map[string]head // from ListIdentifiers, by identifier
	sample   head            // a record that is not deleted
	sampled  time.Time       // responseDate of the sample's list
}

// maxListed is the number of headers kept for comparison with other verbs.
const maxListed = 50_000

// Run checks the provider at the base URL. It returns an error if the call or the machine fails, or
// if the provider is unreachable. Any answer of the provider, however wrong, is not an error.
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

// connect creates the client with our own transport. The transport records the HTTP exchange before
// the client corrects anything.
func (k *checker) connect(baseURL string) error {
	o := k.opt.Client
	if o.Transport == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.DisableCompression = true
		o.Transport = t
	}
	k.wire = &wire{next: o.Transport}
	o.Transport = k.wire
	o.Tell = k.tolerated
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

// Errors that end a step but not the check.
var (
	errBudget = errors.New("the limit of requests is reached (--requests)")
	errAnswer = errors.New("the server gave no usable answer")
)

// all runs the steps. It stops if Identify has no answer.
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

// end records an incomplete step. The check continues unless it was cancelled.
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
