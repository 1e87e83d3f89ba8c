package harvest

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"quire/model"
	"quire/oai/client"
	"quire/oai/protocol"
	"quire/source/oaiharvest"
)

// As is what a harvest is written as.
type As string

// The two.
const (
	WARC  As = "warc"
	Files As = "files"
)

// Options of a harvest. A zero field means the default.
type Options struct {
	BaseURL string
	Out     string // the folder; it is made, or has a harvest of the same server in it
	As      As     // default WARC
	Prefix  string // format; default oai_crate, else oai_didl, else oai_dc, of those that the server has
	Set     string
	From    string // a date as the protocol has it; default: where the harvest before ended, or the begin
	Until   string // default: the moment of the server's first answer
	Agent   model.Agent

	// e-mail address or URL at which who runs the harvest can be reached; goes into the User-Agent
	Contact  string
	User     string        // for basic authentication
	Password string        // for it
	Token    string        // bearer token, sent instead
	Delay    time.Duration // between questions
	Patience time.Duration // how long the server may be silent
	MaxWait  time.Duration // the longest that is waited because the server asks for it
	// how long before the end of the harvest before this one begins; default 10 minutes, or a day
	Overlap time.Duration

	Progress func(Progress) // after each page, and each large resource

	// For tests: the connection, how waiting is done, what time it is, how large a container grows.
	// the proxy of the environment keeps us from networks that are not the server's to see: see
	// client.Options
	TrustProxy bool
	Transport  http.RoundTripper
	Sleep      func(context.Context, time.Duration) error
	Now        func() time.Time
	MaxFile    int64 // bytes at which a new container is begun; default 1 GiB
}

// Progress says how far a harvest is.
type Progress struct {
	Pages, Records, Bytes int64
	Size                  int64  // how many records there are, as the server says; 0 when it does not
	Waiting               string // why a question is asked again, and when; "" when no answer is waited for
}

// Result is what a harvest did.
type Result struct {
	Out      string               `json:"out"`
	BaseURL  string               `json:"base_url"`
	Server   *oaiharvest.Server   `json:"server"`
	Prefix   string               `json:"prefix"`
	Why      string               `json:"prefix_why"`
	Resumed  bool                 `json:"resumed"` // a harvest that had been stopped went on
	Window   oaiharvest.Window    `json:"window"`
	Counts   oaiharvest.Counts    `json:"counts"` // of all windows
	Files    []oaiharvest.File    `json:"files"`
	Tools    []oaiharvest.Tool    `json:"tools"`
	Findings map[string]int64     `json:"finding_counts"`
	First    []oaiharvest.Finding `json:"findings"` // the first of each code
	Complete bool                 `json:"complete"`
	Took     float64              `json:"seconds"`
}

// harvest is one under way.
type harvest struct {
	Options
	client *client.Client
	folder *folder
	state  *oaiharvest.State
	window *oaiharvest.Window // the last of state
	server *client.Identify
	days   bool // the server knows no times of the day
	sink   sink
	tools  map[toolKey]int // place in state.Tools

	blocks  blocks // that the bytes of records wait in
	noting  sync.Mutex
	noteErr error // the first finding that could not be written down
}

// Run harvests. An error is one of the call, of the machine, or of a server that does not answer;
// what was done before is kept, and the next Run goes on behind it. A harvest that could not be
// completed, because the server does not give what it lists, is a Result that says so.
func Run(ctx context.Context, o Options) (result *Result, err error) {
	began := time.Now()
	h := &harvest{Options: o}
	if err := h.defaults(); err != nil {
		return nil, err
	}
	if h.folder, err = openFolder(o.Out); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, h.folder.close()) }()
	resumed, err := h.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer h.client.Close()
	if err := h.pages(ctx); err != nil {
		return nil, err
	}
	return &Result{
		Out: o.Out, BaseURL: h.state.BaseURL, Server: h.state.Server, Prefix: h.state.Prefix, Why: h.state.PrefixWhy,
		Resumed: resumed, Window: *h.window,
		Counts: h.state.Counts, Files: h.state.Files, Tools: h.state.Tools, Findings: h.state.Findings,
		First:    h.state.First,
		Complete: h.window.Complete, Took: time.Since(began).Seconds(),
	}, nil
}

// defaults fills in what was not said, and judges what was.
func (h *harvest) defaults() error {
	if h.As == "" {
		h.As = WARC
	}
	if h.Now == nil {
		h.Now = time.Now
	}
	if h.MaxFile == 0 {
		h.MaxFile = 1 << 30
	}
	for _, d := range []struct{ name, value string }{{"from", h.From}, {"until", h.Until}} {
		if d.value == "" {
			continue
		}
		if _, _, err := protocol.ParseDatestamp(d.value); err != nil {
			return &CallError{d.name, err.Error()}
		}
	}
	return nil
}

// CallError says what is wrong with an option.
type CallError struct{ Option, Why string }

func (e *CallError) Error() string { return "--" + e.Option + ": " + e.Why }
