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

// Options configures a Scanner. The zero value is usable.
type Options struct {
	Optional    bool // callers may continue while clamd is away; the Scanner itself always can
	Connections int  // of one pass, at once; 0 is DefaultConnections
	// for an answer to a stream; 0 is three minutes: clamd itself limits a payload to two
	// (MaxScanTime)
	Timeout  time.Duration
	Patience time.Duration // for connecting, for a write, and for other answers; 0 is ten seconds
}

// DefaultConnections is how many payloads of a pass are with clamd at once. clamd scans with ten
// threads by default.
const DefaultConnections = 4

// Scanner is a clamd at an address. It serves many passes, also at the same time.
type Scanner struct {
	text, network, address string
	o                      Options

	mu      sync.Mutex
	why     error         // clamd is away; nil if it is not
	until   time.Time     // no attempt before this time
	backoff time.Duration // the last waiting time
}

// AwayError reports that clamd cannot be reached, hangs, disconnects, or answers nonsense.
type AwayError struct {
	Address string
	Err     error
}

// Error implements error.
func (e *AwayError) Error() string { return fmt.Sprintf("clamd at %s: %v", e.Address, e.Err) }

// Unwrap returns the cause.
func (e *AwayError) Unwrap() error { return e.Err }

// New returns a Scanner for the clamd at an address: the path of its local socket, or HOST[:PORT].
// It does not connect.
func New(address string, o Options) (*Scanner, error) {
	network, at, err := parseAddress(address)
	if err != nil {
		return nil, err
	}
	if o.Connections < 0 {
		return nil, fmt.Errorf("%d connections to clamd are not possible", o.Connections)
	}
	o.Connections = cmp.Or(o.Connections, DefaultConnections)
	o.Timeout = cmp.Or(o.Timeout, 3*time.Minute)
	o.Patience = cmp.Or(o.Patience, 10*time.Second)
	return &Scanner{text: address, network: network, address: at, o: o}, nil
}

// Optional returns Options.Optional.
func (s *Scanner) Optional() bool { return s.o.Optional }

// Ping checks whether clamd answers. The error is an *AwayError.
func (s *Scanner) Ping(ctx context.Context) error {
	answer, err := s.ask(ctx, "PING")
	if err == nil && answer != "PONG" {
		err = fmt.Errorf("the answer %.100q is not a valid answer to PING", answer)
	}
	return s.away(ctx, err)
}

// Version returns the version of the program and of its database, which may change while clamd
// runs. The error is an *AwayError.
func (s *Scanner) Version(ctx context.Context) (model.Scanner, error) {
	answer, err := s.ask(ctx, "VERSION")
	if err != nil {
		return model.Scanner{}, s.away(ctx, err)
	}
	v, err := readVersion(answer)
	return v, s.away(ctx, err)
}

// ask sends a command without content, and returns the answer.
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

// away wraps an error of the connection. It does not blame clamd if the context has ended.
func (s *Scanner) away(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ended := ctx.Err(); ended != nil {
		return ended
	}
	return &AwayError{Address: s.text, Err: err}
}

// The first and longest wait before clamd is tried again. Without it, a pass that continues without
// clamd would be delayed at each payload.
const (
	firstBackoff = time.Second
	maxBackoff   = time.Minute
)

// ready returns nil if clamd may be used. After a failure, it returns this failure until the
// waiting time is over. Then it first sends a PING, so a clamd that hangs delays the caller only by
// one PING.
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

// note remembers whether clamd is reachable.
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
