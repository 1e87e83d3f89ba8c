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

// As is the output format of a harvest.
type As string

// The two formats.
const (
	WARC  As = "warc"
	Files As = "files"
)

// Options are the options of a harvest. A zero field means the default.
type Options struct {
	BaseURL string
	Out     string // the folder, created if missing; it may have a harvest of the same server
	As      As     // default WARC
	Prefix  string // format; default the server's first of oai_crate, oai_didl, oai_dc
	Set     string
	From    string // a date in the protocol's form; default the end of the last harvest, or the beginning
	Until   string // default: the time of the server's first answer
	Agent   model.Agent

	// Documents also keeps each CRATE or DIDL as received, beside its parts. A folder with documents
	// keeps them in later harvests, too.
	Documents bool

	// e-mail address or URL of the person responsible for the harvest; sent in the User-Agent
	Contact  string
	User     string        // for basic authentication
	Password string        // for it
	Token    string        // bearer token, replaces User and Password
	Delay    time.Duration // between requests
	// the most records taken in one call; the harvest is then incomplete. Default 100 million
	MaxRecords int64
	Patience   time.Duration // maximum silence of the server
	MaxWait    time.Duration // the longest accepted wait that the server requests
	// how long before the end of the last harvest this one begins; default 10 minutes, or a day
	Overlap time.Duration

	Progress func(Progress) // after each page, and each large resource

	// TrustProxy sends the requests for the URLs in records through the proxy of the environment
	// too: see client.Options. The fields below are for tests: the connection, waiting, the time,
	// and the size of a container.
	TrustProxy bool
	Transport  http.RoundTripper
	Sleep      func(context.Context, time.Duration) error
	Now        func() time.Time
	MaxFile    int64 // size at which a new container begins, in bytes; default 1 GiB
}

// Progress is the progress of a harvest.
type Progress struct {
	Pages, Records, Bytes int64
	Size                  int64  // number of records as the server states; 0 if it does not
	Waiting               string // reason and time of a retry; "" when not waiting
}

// Result is the result of a harvest.
type Result struct {
	Out      string               `json:"out"`
	BaseURL  string               `json:"base_url"`
	Server   *oaiharvest.Server   `json:"server"`
	Prefix   string               `json:"prefix"`
	Why      string               `json:"prefix_why"`
	Resumed  bool                 `json:"resumed"` // an interrupted harvest was resumed
	Window   oaiharvest.Window    `json:"window"`
	Counts   oaiharvest.Counts    `json:"counts"` // of all windows
	Files    []oaiharvest.File    `json:"files"`
	Tools    []oaiharvest.Tool    `json:"tools"`
	Findings map[string]int64     `json:"finding_counts"`
	First    []oaiharvest.Finding `json:"findings"` // the first of each code
	// Complete: the list was followed to its end (Window.Complete), and this window lacks nothing.
	Complete bool    `json:"complete"`
	Lacking  string  `json:"lacking,omitempty"`
	Took     float64 `json:"seconds"`
}

// harvest is a running harvest.
type harvest struct {
	Options
	client *client.Client
	folder *folder
	state  *oaiharvest.State
	window *oaiharvest.Window // the last window of state
	server *client.Identify
	days   bool // the granularity is a day
	sink   sink
	tools  map[toolKey]int // index in state.Tools
	list   endless

	blocks  blocks // buffers for the bytes of records
	noting  sync.Mutex
	noteErr error // the first error of storing a finding
}

// Run harvests. Errors are those of the options, of the machine, or of a server that does not
// answer; the work so far is kept, and the next Run continues it. A harvest that is incomplete,
// because the server does not deliver its listed records, is a Result that states so.
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
		Complete: h.window.Complete && h.window.Counts.Lacking() == "", Lacking: h.window.Counts.Lacking(),
		Took: time.Since(began).Seconds(),
	}, nil
}

// defaults sets defaults and checks options.
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
	if h.MaxRecords == 0 {
		h.MaxRecords = defaultRecords
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

// CallError is the error of an invalid option.
type CallError struct{ Option, Why string }

// Error implements error.
func (e *CallError) Error() string { return "--" + e.Option + ": " + e.Why }
