// Package clamdtest is a clamd for tests, on a local socket or the loopback. It finds one virus,
// the test string of EICAR, and can simulate errors.
package clamdtest

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// EICAR returns the test string that scanners report as a virus by agreement (eicar.org). It is
// assembled at run time, so that no scanner reports this repository or its binaries as infected.
func EICAR() string {
	return strings.Join([]string{`X5O!P%@AP[4\PZX54(P^)7CC)7}$`, "EICAR", "-STANDARD-", "ANTIVIRUS",
		"-TEST-FILE!$H+H*"}, "")
}

// Signature is the server's name for the test string.
const Signature = "Eicar-Test-Signature"

// Answers that are not a reply.
const (
	Hang  = "\x00hang"  // sends nothing, and keeps the connection
	Close = "\x00close" // sends nothing, and closes the connection
)

// Options are the options of a server. The zero value behaves normally.
type Options struct {
	TCP     bool
	Version string                      // answer to VERSION; "" means the answer of ClamAV 1.4.6
	Limit   int64                       // StreamMaxLength; 0 means no limit
	Break   int64                       // closes the connection after this many bytes of a stream; 0 never
	Raw     bool                        // answers are sent unchanged, without a final zero byte
	Answer  func(content []byte) string // to a whole stream; nil or "" finds EICAR
	Ping    string                      // answer to PING; "" is PONG
}

// Server is a running server. It ends with the test, or earlier with Stop.
type Server struct {
	Address string

	o        Options
	listener net.Listener
	mu       sync.Mutex
	conns    map[net.Conn]bool
	streams  [][]byte
	asked    int // streams that wait for an answer
	most     int
	wg       sync.WaitGroup
}

// Start starts a server.
func Start(t testing.TB, o Options) *Server {
	t.Helper()
	network, address := "tcp", "127.0.0.1:0"
	if !o.TCP {
		dir, err := os.MkdirTemp("", "clamd") // the test's folder has too long a name for a socket
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.RemoveAll(dir) })
		network, address = "unix", filepath.Join(dir, "s")
	}
	l, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{Address: l.Addr().String(), o: o, listener: l, conns: map[net.Conn]bool{}}
	s.wg.Add(1)
	go s.accept()
	t.Cleanup(s.Stop)
	return s
}

// Stop ends the server, and all its connections.
func (s *Server) Stop() {
	_ = s.listener.Close()
	s.mu.Lock()
	for c := range s.conns {
		_ = c.Close()
	}
	s.mu.Unlock()
	s.wg.Wait()
}

// Streams returns the contents received completely, in the order of their ends.
func (s *Server) Streams() [][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([][]byte{}, s.streams...)
}

// MostAtOnce returns the largest number of complete streams that waited for an answer at the same
// time.
func (s *Server) MostAtOnce() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.most
}

func (s *Server) accept() {
	defer s.wg.Done()
	for {
		c, err := s.listener.Accept()
		if err != nil {
			return
		}
		s.mu.Lock()
		s.conns[c] = true
		s.mu.Unlock()
		s.wg.Add(1)
		go func() {
			defer s.wg.Done()
			s.serve(c)
			_ = c.Close()
			s.mu.Lock()
			delete(s.conns, c)
			s.mu.Unlock()
		}()
	}
}

// serve answers one command.
func (s *Server) serve(c net.Conn) {
	in := bufio.NewReader(c)
	command, err := in.ReadString(0)
	if err != nil {
		return
	}
	var answer string
	switch command {
	case "zPING\x00":
		answer = or(s.o.Ping, "PONG")
	case "zVERSION\x00":
		answer = or(s.o.Version, "ClamAV 1.4.6/27500/Mon Nov  3 09:00:00 2025")
	case "zINSTREAM\x00":
		answer = s.stream(in)
	default:
		answer = "UNKNOWN COMMAND"
	}
	switch answer {
	case Close:
		return
	case Hang:
		_, _ = io.Copy(io.Discard, in)
		return
	}
	if !s.o.Raw {
		answer += "\x00"
	}
	_, _ = io.WriteString(c, answer)
}

func (s *Server) stream(in io.Reader) string {
	var content bytes.Buffer
	for {
		var size uint32
		if binary.Read(in, binary.BigEndian, &size) != nil {
			return Close
		}
		if size == 0 {
			break
		}
		if s.o.Limit > 0 && int64(content.Len())+int64(size) > s.o.Limit {
			return "INSTREAM size limit exceeded. ERROR"
		}
		if _, err := io.CopyN(&content, in, int64(size)); err != nil {
			return Close
		}
		if s.o.Break > 0 && int64(content.Len()) >= s.o.Break {
			return Close
		}
	}
	s.mu.Lock()
	s.streams = append(s.streams, bytes.Clone(content.Bytes()))
	s.asked++
	s.most = max(s.most, s.asked)
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.asked--
		s.mu.Unlock()
	}()
	if s.o.Answer != nil {
		if answer := s.o.Answer(content.Bytes()); answer != "" {
			return answer
		}
	}
	if bytes.Contains(content.Bytes(), []byte(EICAR())) {
		return "stream: " + Signature + " FOUND"
	}
	return "stream: OK"
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
