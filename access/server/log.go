package server

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"regexp"
	"sync"
	"time"
)

// accessLog writes a line per request, in the Combined Log Format. It omits capabilities: access to
// the log must not give access to restricted content.
type accessLog struct {
	mu   sync.Mutex
	file *os.File
	out  *bufio.Writer
	done chan struct{}
	end  sync.WaitGroup
}

// flushEvery is the maximum delay of a line.
const flushEvery = time.Second

func openLog(file string) (*accessLog, error) {
	if file == "" {
		return nil, nil
	}
	f, err := appendTo(file)
	if err != nil {
		return nil, err
	}
	l := &accessLog{file: f, out: bufio.NewWriterSize(f, 64<<10), done: make(chan struct{})}
	l.end.Go(l.flush)
	return l, nil
}

func appendTo(file string) (*os.File, error) {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o640)
	if err != nil {
		return nil, fmt.Errorf("log of requests: %w", err)
	}
	return f, nil
}

// ReopenLog reopens the log file by name, after another program has renamed it (logrotate). Earlier
// lines are in the old file. If the new one cannot be opened, the log continues in the old one.
func (s *Server) ReopenLog() error {
	if s.log == nil {
		return nil
	}
	f, err := appendTo(s.o.Log)
	if err != nil {
		return err
	}
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	err = s.log.out.Flush()
	old := s.log.file
	s.log.file = f
	s.log.out.Reset(f)
	return errors.Join(err, old.Close())
}

func (l *accessLog) flush() {
	tick := time.NewTicker(flushEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			_ = l.flushNow() // Close reports the error
		case <-l.done:
			return
		}
	}
}

func (l *accessLog) flushNow() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.Flush()
}

// Close writes buffered lines.
func (l *accessLog) Close() error {
	close(l.done)
	l.end.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.out.Flush()
	if e := l.file.Close(); err == nil {
		err = e
	}
	return err
}

func (l *accessLog) write(a *logged, r *http.Request) {
	who, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		who = "-"
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = fmt.Fprintf(l.out, "%s - - [%s] %q %d %d %q %q\n", // Close reports the error
		who, a.begun.Format("02/Jan/2006:15:04:05 -0700"), r.Method+" "+withoutCapability(r.RequestURI)+" "+r.Proto,
		a.status, a.size,
		withoutCapability(r.Referer()), r.UserAgent())
}

// capability matches possible capabilities. A capability is in the first segment of our paths, but
// this code knows neither our base path nor the addresses of pages.
var capability = regexp.MustCompile(`(~|%7[Ee])[A-Za-z0-9_%-]{30,}`)

// withoutCapability replaces capabilities by a placeholder.
func withoutCapability(target string) string { return capability.ReplaceAllString(target, "~...") }

// logged records status and size of a response.
type logged struct {
	http.ResponseWriter
	begun  time.Time
	status int
	size   int64
}

// WriteHeader implements http.ResponseWriter.
func (l *logged) WriteHeader(status int) {
	if l.status == 0 {
		l.status = status
	}
	l.ResponseWriter.WriteHeader(status)
}

// Write implements io.Writer.
func (l *logged) Write(p []byte) (int, error) {
	if l.status == 0 {
		l.status = http.StatusOK
	}
	n, err := l.ResponseWriter.Write(p)
	l.size += int64(n)
	return n, err
}

// Unwrap supports http.ResponseController.
func (l *logged) Unwrap() http.ResponseWriter { return l.ResponseWriter }
