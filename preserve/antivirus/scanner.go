package antivirus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"quire/model"
)

// Options of a Scanner. The zero value is good.
type Options struct {
	Optional    bool // who uses the verdicts may go on when clamd is away; the Scanner itself always can
	Connections int  // of one pass, at once; 0 is DefaultConnections
	// for an answer to a stream; 0 is three minutes: clamd gives a payload two by itself
	// (MaxScanTime)
	Timeout  time.Duration
	Patience time.Duration // for connecting, for a write, and for other answers; 0 is ten seconds
}

// DefaultConnections is how many payloads of a pass clamd has in hand at once. It scans with ten
// threads unless told otherwise.
const DefaultConnections = 4

// Scanner is a clamd at an address. It serves many passes, also at the same time.
type Scanner struct {
	text, network, address string
	o                      Options

	mu      sync.Mutex
	why     error         // clamd is away; nil while it is not
	until   time.Time     // it is not asked again before
	backoff time.Duration // how long it was not asked, last
}

// AwayError says that clamd cannot be reached, hangs, breaks off, or says what it cannot mean.
type AwayError struct {
	Address string
	Err     error
}

func (e *AwayError) Error() string { return fmt.Sprintf("clamd at %s: %v", e.Address, e.Err) }

// Unwrap gives what went wrong.
func (e *AwayError) Unwrap() error { return e.Err }

// New names the clamd at an address: the path of its local socket, or HOST[:PORT]. It does not
// connect.
func New(address string, o Options) (*Scanner, error) {
	network, at, err := parseAddress(address)
	if err != nil {
		return nil, err
	}
	if o.Connections < 0 {
		return nil, fmt.Errorf("%d connections to clamd", o.Connections)
	}
	o.Connections = cmp.Or(o.Connections, DefaultConnections)
	o.Timeout = cmp.Or(o.Timeout, 3*time.Minute)
	o.Patience = cmp.Or(o.Patience, 10*time.Second)
	return &Scanner{text: address, network: network, address: at, o: o}, nil
}

// Optional is that of the Options.
func (s *Scanner) Optional() bool { return s.o.Optional }

// Ping asks whether clamd is there. The error is an *AwayError.
func (s *Scanner) Ping(ctx context.Context) error {
	answer, err := s.ask(ctx, "PING")
	if err == nil && answer != "PONG" {
		err = fmt.Errorf("it answers %.100q, which is no answer to PING", answer)
	}
	return s.away(ctx, err)
}

// Version asks for the version of the program and of its database, which may change while it runs.
// The error is an *AwayError.
func (s *Scanner) Version(ctx context.Context) (model.Scanner, error) {
	answer, err := s.ask(ctx, "VERSION")
	if err != nil {
		return model.Scanner{}, s.away(ctx, err)
	}
	v, err := readVersion(answer)
	return v, s.away(ctx, err)
}

// ask sends a command without content, and gives the answer.
func (s *Scanner) ask(ctx context.Context, command string) (string, error) {
	x, err := s.dial(ctx)
	if err != nil {
		return "", err
	}
	defer x.close()
	if err := x.command(command); err != nil {
		return "", err
	}
	return x.answer(s.o.Patience)
}

// away frames an error of the connection. That of a context which ended is not one of clamd.
func (s *Scanner) away(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ended := ctx.Err(); ended != nil {
		return ended
	}
	return &AwayError{Address: s.text, Err: err}
}

// How long a clamd that is away is left alone, at first and at most, so that a pass that goes on
// without it is not held up at each of its payloads.
const (
	firstBackoff = time.Second
	maxBackoff   = time.Minute
)

// ready says whether clamd may be asked. When it was away, and it is time to ask again, it is asked
// for a sign of life first: one that hangs is to cost no more than that.
func (s *Scanner) ready(ctx context.Context) error {
	s.mu.Lock()
	why, until := s.why, s.until
	s.mu.Unlock()
	switch {
	case why == nil:
		return nil
	case time.Now().Before(until):
		return why
	}
	err := s.Ping(ctx)
	s.note(err)
	return err
}

// note remembers whether clamd is there.
func (s *Scanner) note(err error) {
	var away *AwayError
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case err == nil:
		s.why, s.backoff = nil, 0
	case errors.As(err, &away):
		s.backoff = min(max(2*s.backoff, firstBackoff), maxBackoff)
		s.why, s.until = err, time.Now().Add(s.backoff)
	}
}
