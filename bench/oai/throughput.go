package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"time"
)

// throughput is the number of CRATEs served per second.
type throughput struct {
	Tools     string
	Records   int
	Bytes     int64 // of XML
	PerSecond float64
	Asked     float64 // goal in the issue; 0 if it has none
}

// Goal reports whether the goal is reached.
func (g throughput) Goal() string {
	switch {
	case g.Asked == 0:
		return ""
	case g.PerSecond >= g.Asked:
		return "met"
	}
	return "**missed**"
}

func measureGiving(o options, folder string) ([]throughput, error) {
	list := []throughput{
		{Tools: "no tools", Asked: 2000},
		{Tools: "MD5 and SHA-256", Asked: 2000},
		{Tools: "MD5, SHA-256 and PRONOM", Asked: 600},
		{Tools: "the same again, known already"},
	}
	for round := range o.rounds {
		for i, plugins := range []string{noTools, digestsOnly, withPRONOM} {
			s, err := start(o, folder, plugins)
			if err != nil {
				return nil, err
			}
			if err := list[i].better(s); err != nil {
				return nil, errors.Join(err, s.stop())
			}
			if plugins == withPRONOM {
				if err := list[3].better(s); err != nil {
					return nil, errors.Join(err, s.stop())
				}
			}
			if err := s.stop(); err != nil {
				return nil, err
			}
			progress("giving, round %d: %s, %.0f CRATEs/s", round+1, list[i].Tools, list[i].PerSecond)
		}
	}
	return list, nil
}

// better requests everything once and keeps the figures if they are better.
func (g *throughput) better(s *server) error {
	begun := time.Now()
	records, size, err := takeAll(context.Background(), s.base, "oai_crate")
	if err != nil {
		return err
	}
	if per := float64(records) / time.Since(begun).Seconds(); per > g.PerSecond {
		g.Records, g.Bytes, g.PerSecond = records, size, per
	}
	return nil
}

var (
	recordBegins = []byte("<record>")
	token        = regexp.MustCompile(`<resumptionToken[^>]*>([^<]+)</resumptionToken>`)
)

// takeAll requests every record and only counts the records. The client does little work, so the
// figure measures the server.
func takeAll(ctx context.Context, base, prefix string) (records int, size int64, err error) {
	query := url.Values{"verb": {"ListRecords"}, "metadataPrefix": {prefix}}
	var text bytes.Buffer
	for {
		if err := get(ctx, base+"?"+query.Encode(), &text); err != nil {
			return records, size, err
		}
		size += int64(text.Len())
		records += bytes.Count(text.Bytes(), recordBegins)
		tail := text.Bytes()[max(0, text.Len()-2000):]
		next := token.FindSubmatch(tail)
		if next == nil {
			return records, size, nil
		}
		query = url.Values{"verb": {"ListRecords"}, "resumptionToken": {string(next[1])}}
	}
}

// get reads one response into a buffer.
func get(ctx context.Context, address string, into *bytes.Buffer) error {
	into.Reset()
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return err
		}
		r, err := http.DefaultClient.Do(request)
		if err != nil {
			return err
		}
		_, err = io.Copy(into, r.Body)
		if err := errors.Join(err, r.Body.Close()); err != nil {
			return err
		}
		if r.StatusCode != http.StatusServiceUnavailable {
			if r.StatusCode != http.StatusOK {
				return fmt.Errorf("%s: %s", address, r.Status)
			}
			return nil
		}
		into.Reset()
		time.Sleep(time.Second) // visitors have priority (HTTP 503)
	}
}
