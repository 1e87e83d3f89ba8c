package provider

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"quire/metadata/xmlstream"
	"quire/oai/protocol"
)

// Options are the settings of a provider. A zero number means the default.
type Options struct {
	Name       string   // repositoryName of Identify
	BaseURL    string   // URL for harvesters, without query
	AdminEmail []string // at least one
	Key        []byte   // signs tokens: 16 random bytes or more, the same after a restart

	OAIIdentifier *OAIIdentifier // the scheme of identifiers, if it is "oai:"; otherwise nil

	Records int   // in a page of ListRecords; default 100
	Headers int   // in a page of ListIdentifiers, and sets in one of ListSets; default 1,000
	Bytes   int64 // a page ends with the record that reaches this size, before compression; default 8 MiB
	// a page ends with the record that reaches this time; default 30 s. The next token continues
	// there
	Time    time.Duration
	Ahead   int // concurrently rendered records of one page; default 4
	Renders int // concurrently rendered records of all requests; default four for each processor
	// bytes of rendered records in memory, for all requests; more go to temporary files; default 64
	// MiB
	Memory int64
	Stall  time.Duration // how long a client may accept no byte before the connection is closed; default 1 min
	Spool  string        // folder of temporary files; "" means the system's

	Problem func(Problem)    // receives internal errors, from several goroutines; may be nil
	Now     func() time.Time // for responseDate; nil means time.Now
}

// OAIIdentifier describes identifiers of the form oai:REPOSITORY:LOCAL (guidelines for
// oai-identifier 2.0).
type OAIIdentifier struct {
	Repository string // a domain: "a.example"
	Sample     string // "oai:a.example:1"
}

// Problem is an internal error during an answer. The client only learns that its record, or its
// request, failed.
type Problem struct {
	Identifier string // of the record; "" if not about a record
	Prefix     string // of the format
	Err        error
}

// Error names the record and the format, where the problem is about one.
func (p Problem) Error() string {
	if p.Identifier == "" {
		return p.Err.Error()
	}
	return fmt.Sprintf("record %s in %s: %v", p.Identifier, p.Prefix, p.Err)
}

// Provider is an http.Handler that answers OAI-PMH requests.
type Provider struct {
	backend Backend
	opt     Options
	slots   chan struct{} // one for each record in rendering
	room    room          // for rendered records in memory
	typical sync.Map      // prefix -> *atomic.Int64, approximate bytes of a record
}

// New checks the options and returns a provider.
func New(b Backend, opt Options) (*Provider, error) {
	if err := opt.check(); err != nil {
		return nil, fmt.Errorf("OAI-PMH provider: %w", err)
	}
	if err := checkFormats(b.Formats()); err != nil {
		return nil, fmt.Errorf("OAI-PMH provider: %w", err)
	}
	opt.AdminEmail, opt.Key = slices.Clone(opt.AdminEmail), slices.Clone(opt.Key)
	opt.Records = cmp.Or(opt.Records, 100)
	opt.Headers = cmp.Or(opt.Headers, 1000)
	opt.Bytes = cmp.Or(opt.Bytes, 8<<20)
	opt.Time = cmp.Or(opt.Time, 30*time.Second)
	opt.Ahead = cmp.Or(opt.Ahead, 4)
	opt.Renders = cmp.Or(opt.Renders, 4*runtime.GOMAXPROCS(0))
	opt.Memory = cmp.Or(opt.Memory, 64<<20)
	opt.Stall = cmp.Or(opt.Stall, time.Minute)
	if opt.Now == nil {
		opt.Now = time.Now
	}
	p := &Provider{backend: b, opt: opt, slots: make(chan struct{}, opt.Renders)}
	p.room.free.Store(opt.Memory)
	return p, nil
}

// email is the pattern of the schema, without control characters.
var email = regexp.MustCompile(`^[^\s\x00-\x1f]+@([^\s\x00-\x1f]+\.)+[^\s\x00-\x1f]+$`)

func (o *Options) check() error {
	if strings.TrimSpace(o.Name) == "" {
		return errors.New("the repository has no name")
	}
	base, err := url.Parse(o.BaseURL)
	if err != nil || !protocol.IsURI(o.BaseURL) || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return fmt.Errorf("the base URL %q is not a URL such as https://a.example/oai", o.BaseURL)
	}
	if strings.ContainsAny(o.BaseURL, "?#") {
		return fmt.Errorf("the base URL %q must have no query and no fragment, because arguments follow "+
			"it (clause 3.1.1)",
			o.BaseURL)
	}
	if len(o.AdminEmail) == 0 {
		return errors.New("AdminEmail is missing: Identify needs the address of an administrator")
	}
	for _, a := range o.AdminEmail {
		if !email.MatchString(a) || xmlstream.Sanitize(a) != a || strings.HasPrefix(a, "mailto:") {
			return fmt.Errorf("%q is not an e-mail address such as oai@a.example", a)
		}
	}
	if len(o.Key) < 16 {
		return fmt.Errorf("the key for signing tokens has %d bytes: use at least 16 random bytes", len(o.Key))
	}
	if min(int64(o.Records), int64(o.Headers), o.Bytes, int64(o.Time), int64(o.Ahead), int64(o.Renders), o.Memory,
		int64(o.Stall)) < 0 {
		return errors.New("a page size or another limit is negative")
	}
	return o.OAIIdentifier.check()
}

// The patterns of the schema oai-identifier.xsd.
var (
	repositoryID = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9\-]*(\.[a-zA-Z][a-zA-Z0-9\-]*)+$`)
	sampleID     = regexp.MustCompile(`^oai:[a-zA-Z][a-zA-Z0-9\-]*(\.[a-zA-Z][a-zA-Z0-9\-]*)+:[a-zA-Z0-9\-_.!~*'();` +
		`/?:@&=+$,%]+$`)
)

func (o *OAIIdentifier) check() error {
	if o == nil || repositoryID.MatchString(o.Repository) && sampleID.MatchString(o.Sample) {
		return nil
	}
	return fmt.Errorf("%q and %q do not have the form a.example and oai:a.example:1", o.Repository, o.Sample)
}

func checkFormats(formats []protocol.Format) error {
	seen := map[string]bool{}
	for _, f := range formats {
		if !protocol.IsPrefix(f.Prefix) || seen[f.Prefix] {
			return fmt.Errorf("%q is not a valid name of a format, or it is duplicate", f.Prefix)
		}
		if !protocol.IsURI(f.Schema) || !protocol.IsURI(f.Namespace) {
			return fmt.Errorf("format %s: schema %q and namespace %q must be URIs", f.Prefix, f.Schema, f.Namespace)
		}
		seen[f.Prefix] = true
	}
	if !seen["oai_dc"] {
		return errors.New("the format oai_dc is missing; every provider needs it (clause 2.5)")
	}
	return nil
}
