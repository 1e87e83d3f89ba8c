package server

import (
	"net/http"
	"time"
)

// patience is the time after which a client that accepts no data is disconnected. Slow clients are
// served; a client that reads nothing holds a connection for at most a minute.
const patience = time.Minute

// deadlineWriter is a response to a client that may be slow, but not dead.
type deadlineWriter struct {
	http.ResponseWriter
	control *http.ResponseController
	until   time.Time
}

func patient(w http.ResponseWriter) http.ResponseWriter {
	p := &deadlineWriter{ResponseWriter: w, control: http.NewResponseController(w)}
	p.extend()
	return p
}

// extend extends the write deadline; once every few seconds is enough.
func (p *deadlineWriter) extend() {
	if now := time.Now(); now.Add(patience - 5*time.Second).After(p.until) {
		p.until = now.Add(patience)
		_ = p.control.SetWriteDeadline(p.until) // without deadlines it is not a network connection
	}
}

// Write implements io.Writer.
func (p *deadlineWriter) Write(b []byte) (int, error) {
	p.extend()
	return p.ResponseWriter.Write(b)
}

// Unwrap supports http.ResponseController.
func (p *deadlineWriter) Unwrap() http.ResponseWriter { return p.ResponseWriter }
