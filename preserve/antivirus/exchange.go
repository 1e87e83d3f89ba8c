package antivirus

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"
)

// exchange is one connection: a command and its answer. clamd closes the connection after the
// answer, so each exchange is independent of the one before.
type exchange struct {
	conn     net.Conn
	patience time.Duration // for each write
	release  func() bool   // of the context
}

// maxAnswer bounds an answer, in bytes. The answers of clamd have about a hundred bytes.
const maxAnswer = 4 << 10

// dial connects. The connection ends with ctx.
func (s *Scanner) dial(ctx context.Context) (*exchange, error) {
	d := net.Dialer{Timeout: s.o.Patience}
	conn, err := d.DialContext(ctx, s.network, s.address)
	if err != nil {
		return nil, err
	}
	release := context.AfterFunc(ctx, func() { _ = conn.Close() })
	return &exchange{conn: conn, patience: s.o.Patience, release: release}, nil
}

func (x *exchange) close() {
	x.release()
	_ = x.conn.Close() // all commands were sent
}

// command sends a command. The letter z makes the command and its answer end in a zero byte.
func (x *exchange) command(name string) error { return x.write([]byte("z" + name + "\x00")) }

// chunk sends part of a stream: its length, then the bytes. An empty chunk ends the stream.
func (x *exchange) chunk(p []byte) error {
	return x.write(binary.BigEndian.AppendUint32(nil, uint32(len(p))), p) //nolint:gosec // a chunk is far smaller
}

func (x *exchange) write(parts ...[]byte) error {
	if err := x.conn.SetWriteDeadline(time.Now().Add(x.patience)); err != nil {
		return err
	}
	b := net.Buffers(parts)
	_, err := b.WriteTo(x.conn)
	return err
}

// answer waits for the answer. An answer without its zero byte is an error: half of a name, or of
// "OK", is not reliable.
func (x *exchange) answer(wait time.Duration) (string, error) {
	if err := x.conn.SetReadDeadline(time.Now().Add(wait)); err != nil {
		return "", err
	}
	var text []byte
	part := make([]byte, 512)
	for len(text) < maxAnswer {
		n, err := x.conn.Read(part)
		text = append(text, part[:n]...)
		if end := bytes.IndexByte(text, 0); end >= 0 {
			return string(text[:end]), nil
		}
		switch {
		case errors.Is(err, io.EOF):
			return "", errors.New("it closed the connection before it had answered")
		case isTimeout(err):
			return "", fmt.Errorf("it did not answer within %v: %w", wait, os.ErrDeadlineExceeded)
		case err != nil:
			return "", err
		}
	}
	return "", fmt.Errorf("its answer has no end within %d bytes", maxAnswer)
}

func isTimeout(err error) bool {
	var timed net.Error
	return errors.As(err, &timed) && timed.Timeout()
}
