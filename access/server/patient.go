package server

import (
	"net/http"
	"time"
)

// patience is how long a client may take nothing of what is sent to it. However slowly it takes it,
// it is served; but who holds a connection and reads nothing, holds it for a minute.
const patience = time.Minute

// waiting is an answer whose client may be slow, and must not be dead.
type waiting struct {
	http.ResponseWriter
	control *http.ResponseController
	until   time.Time
}

func patient(w http.ResponseWriter) http.ResponseWriter {
	p := &waiting{ResponseWriter: w, control: http.NewResponseController(w)}
	p.extend()
	return p
}

// extend sets the time by which the next piece must be taken; every few seconds is often enough.
func (p *waiting) extend() {
	if now := time.Now(); now.Add(patience - 5*time.Second).After(p.until) {
		p.until = now.Add(patience)
		_ = p.control.SetWriteDeadline(p.until) // what cannot have one is no connection
	}
}

// Write implements io.Writer.
func (p *waiting) Write(b []byte) (int, error) {
	p.extend()
	return p.ResponseWriter.Write(b)
}

// Unwrap is for http.ResponseController.
func (p *waiting) Unwrap() http.ResponseWriter { return p.ResponseWriter }
